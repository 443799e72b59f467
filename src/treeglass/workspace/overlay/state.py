"""The record as bytes, for a page that stores it and a worker that is replaced.

The first line is the format's name, the second a JSON object, and all contents follow, each once.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from treeglass.errors import StateInvalid
from treeglass.workspace.nodes import Directory, File, Link, Node
from treeglass.workspace.overlay.record import Base, Moves, Proposal, Record, Step

if TYPE_CHECKING:
    from treeglass.workspace.limits import Limits

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


class Saved(NamedTuple):
    """The values that `save` was given."""

    record: Record
    seen: dict[str, dict[str, Any]]
    kept: set[str]
    notes: list[str]


def restore(saved: bytes, limits: Limits) -> Saved:
    """Return what `save` was given, from its bytes; any other bytes are `StateInvalid`."""
    if not saved.startswith(_HEAD):
        raise StateInvalid(f"the state does not begin with {FORMAT!r}; another release wrote it")
    text, _, joined = saved[len(_HEAD) :].partition(b"\n")
    try:
        document = json.loads(text)
        return Saved(
            _record(document, _split(joined, document["contents"]), limits),
            {str(family): dict(seen) for family, seen in document["seen"].items()},
            {*map(_text, document["kept"])},
            [*map(_text, document["notes"])],
        )
    except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError, RecursionError):
        raise StateInvalid("the state was cut or changed since it was saved") from None


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
    mount_point, origin = _text(written["mount_point"]), written["renamed_from"]
    return Proposal(
        base=Base(_read_node(node, contents), int(size_bytes), int(modified_ns)),
        after=_read_node(written["after"], contents),
        modified_ns=int(written["modified_ns"]),
        mount_point=mount_point,
        renamed_from=None if origin is None else _virtual(origin),
    )


def _proposals(written: dict[str, Any], contents: list[bytes]) -> dict[str, Proposal]:
    found = {path: _read(each, contents) for path, each in written.items()}
    kept = {path: each for path, each in found.items() if each is not None}
    for path, proposal in kept.items():
        _require_inside(path, proposal)
    return kept


def _step(written: dict[str, Any], contents: list[bytes]) -> Step:
    moves: Moves = {
        path: (_read(was, contents), _read(now, contents))
        for path, (was, now) in written["moves"].items()
    }
    for path, both in moves.items():
        for proposal in both:
            _require_inside(path, proposal)
    return Step(
        number=int(written["number"]),
        by="tool" if written["by"] == "tool" else "person",
        name=_text(written["name"]),
        group=None if written["group"] is None else _text(written["group"]),
        moves=moves,
        of=None if written["of"] is None else int(written["of"]),
    )


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError
    return value


def _virtual(path: object) -> str:
    """Return an absolute virtual path in its plain form; refuse any other."""
    names = _text(path).split("/")
    if names[0] or len(names) == 1 or not {"", ".", ".."}.isdisjoint(names[1:]):
        raise ValueError
    if any("\0" in name for name in names):
        raise ValueError
    return _text(path)


def _require_inside(path: str, proposal: Proposal | None) -> None:
    """Make sure that a path lies in the mount of its proposal, as the gate would have it."""
    if proposal is not None and not _virtual(path).startswith(f"{_virtual(proposal.mount_point)}/"):
        raise ValueError
