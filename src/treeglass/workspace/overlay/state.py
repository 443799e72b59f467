"""The record as bytes, for a page that stores it and a worker that is replaced.

The first line is the format's name, the second a JSON object, and all contents follow, each once.
"""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING, Any

from treeglass.errors import StateInvalid
from treeglass.workspace.nodes import Directory, File, Link
from treeglass.workspace.overlay.record import Base, Proposal, Record, Step

if TYPE_CHECKING:
    from collections.abc import Mapping

    from treeglass.workspace.limits import Limits
    from treeglass.workspace.nodes import Node
    from treeglass.workspace.overlay.record import Moves

FORMAT = "treeglass-state/1"

_HEAD = FORMAT.encode() + b"\n"


def save(record: Record, **more: Any) -> bytes:
    """Return a record, and JSON values that belong to it, as bytes.

    The same record gives the same bytes.
    """
    contents = _Contents()
    document = {
        "version": record.version,
        "last_ns": record.last_ns,
        "done": [step.number for step in record.done],
        "undone": [step.number for step in record.undone],
        "proposals": {path: _written(each, contents) for path, each in record.proposals.items()},
        "steps": [
            {
                "number": step.number,
                "by": step.by,
                "name": step.name,
                "group": step.group,
                "of": step.of,
                "moves": {
                    path: [_written(was, contents), _written(now, contents)]
                    for path, (was, now) in step.moves.items()
                },
            }
            for step in record.steps
        ],
        **more,
    }
    joined = b"".join(contents.contents)
    sizes = [len(content) for content in contents.contents]
    check = {"sizes": sizes, "sha256": hashlib.sha256(joined).hexdigest()}
    text = json.dumps(document | {"contents": check}, separators=(",", ":"), sort_keys=True)
    return b"".join([_HEAD, text.encode(), b"\n", joined])


def restore(saved: bytes, limits: Limits) -> tuple[Record, dict[str, Any]]:
    """Return the record in bytes that `save` made, and the document around it.

    Raises:
        StateInvalid: They are something else, were cut or changed, or are above the limits.
    """
    if not saved.startswith(_HEAD):
        raise StateInvalid(f"the state does not begin with {FORMAT!r}; another release wrote it")
    text, _, joined = saved[len(_HEAD) :].partition(b"\n")
    try:
        document = json.loads(text)
        record = _record(document, _split(joined, document["contents"]), limits)
    except (KeyError, TypeError, ValueError, IndexError, RecursionError):
        raise StateInvalid("the state was cut or changed since it was saved") from None
    return record, document


def _record(document: dict[str, Any], contents: list[bytes], limits: Limits) -> Record:
    proposals = _proposals(document["proposals"], contents)
    steps = tuple(_step(each, contents) for each in document["steps"])
    version, held = int(document["version"]), sum(each.held_bytes for each in proposals.values())
    limits.require("max_proposal_entries", len(proposals))
    limits.require("max_proposal_bytes", held)
    if [step.number for step in steps] != [*range(version - len(steps) + 1, version + 1)]:
        raise ValueError
    by_number = {step.number: step for step in steps}
    return Record(
        limits=limits,
        proposals=proposals,
        steps=steps,
        version=version,
        last_ns=int(document["last_ns"]),
        done=tuple(by_number[number] for number in document["done"]),
        undone=tuple(by_number[number] for number in document["undone"]),
        proposal_bytes=held,
    )


class _Contents:
    """Contents by their place; the same bytes have one place."""

    def __init__(self) -> None:
        self.contents: list[bytes] = []
        self._places: dict[bytes, int] = {}

    def place(self, content: bytes) -> int:
        if content not in self._places:
            self._places[content] = len(self.contents)
            self.contents.append(content)
        return self._places[content]


def _split(joined: bytes, check: Mapping[str, Any]) -> list[bytes]:
    if hashlib.sha256(joined).hexdigest() != check["sha256"]:
        raise ValueError
    contents, start = [], 0
    for size in check["sizes"]:
        contents.append(joined[start : start + size])
        start += size
    return contents


def _written(proposal: Proposal | None, contents: _Contents) -> dict[str, Any] | None:
    if proposal is None:
        return None
    base = proposal.base
    return {
        "base": [_node(base.node, contents), base.size_bytes, base.modified_ns],
        "after": _node(proposal.after, contents),
        "modified_ns": proposal.modified_ns,
        "mount_point": proposal.mount_point,
        "renamed_from": proposal.renamed_from,
    }


def _node(node: Node | None, contents: _Contents) -> list[Any] | None:
    if isinstance(node, File):
        return ["file", contents.place(node.content), node.mode]
    if isinstance(node, Link):
        return ["symlink", node.target]
    return None if node is None else ["directory"]


def _read_node(written: list[Any] | None, contents: list[bytes]) -> Node | None:
    match written:
        case None:
            return None
        case ["file", int(place), int(mode)]:
            return File(contents[place], mode & 0o777)
        case ["symlink", str(target)]:
            return Link(target)
        case ["directory"]:
            return Directory()
    raise ValueError


def _read(written: dict[str, Any] | None, contents: list[bytes]) -> Proposal | None:
    if written is None:
        return None
    node, size_bytes, modified_ns = written["base"]
    return Proposal(
        base=Base(_read_node(node, contents), int(size_bytes), int(modified_ns)),
        after=_read_node(written["after"], contents),
        modified_ns=int(written["modified_ns"]),
        mount_point=str(written["mount_point"]),
        renamed_from=written["renamed_from"],
    )


def _proposals(written: dict[str, Any], contents: list[bytes]) -> dict[str, Proposal]:
    found = {path: _read(each, contents) for path, each in written.items()}
    return {path: each for path, each in found.items() if each is not None}


def _step(written: dict[str, Any], contents: list[bytes]) -> Step:
    moves: Moves = {
        path: (_read(was, contents), _read(now, contents))
        for path, (was, now) in written["moves"].items()
    }
    return Step(
        number=int(written["number"]),
        by=written["by"],
        name=str(written["name"]),
        group=written["group"],
        moves=moves,
        of=written["of"],
    )
