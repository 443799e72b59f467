"""Every host answers the recorded calls of the tools that change as CPython does, and proposes the
same. What CPython answers is compared with the recordings, tool by tool, in other modules.
"""

import json
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from typing import Any, NamedTuple

import pytest

from tests.conformance.answers.answer_book import AnswerBook
from tests.conformance.edits.edit_cases import START_MS, EditCase, load
from tests.conformance.hosts.cpython_host import CPythonHost
from tests.conformance.hosts.edge_host import DirectoryHost
from tests.conformance.parametrise import each_other_host
from tests.conformance.scenes import CHANGES, Answer, Capability, Scene, ToolCall
from tests.conformance.test_hosts_agree import comparable
from tests.conformance.trees import MOUNT_POINT, Tree, parse_tree

Json = dict[str, Any]

_ENVELOPE = {"offered": ["Read", "Write", "Edit", "MultiEdit"]}

OFFERED: dict[str, Json] = {
    "apply_patch": {"experimental_supported_tools": ["apply_patch"]},
    "Write": _ENVELOPE,
    "Edit": _ENVELOPE,
    "MultiEdit": _ENVELOPE,
    "forge_edit": {"offered": ["forge.Read", "forge.Edit", "forge.Write"]},
}
"""By file of cases: which tools its calls name."""


class Asked(NamedTuple):
    """A case as calls, the manifest of its changes last."""

    id: str
    calls: tuple[ToolCall, ...]


@cache
def scenes(suite: str) -> list[tuple[Scene, list[Asked]]]:
    """Return the cases of a file by their scenes, without those that are staged otherwise."""
    found: dict[str, tuple[Scene, list[Asked]]] = {}
    tools = {**OFFERED[suite], "approval": {"mode": "auto"}, "output": {"escape_names": False}}
    for case in load(suite):
        calls = tuple(_calls(suite, case))
        if not calls or case.recorded.get("requires_nonroot"):
            continue
        name = case.recorded["tree"]
        if name not in found:
            found[name] = Scene(_tree(case), {"tools": tools}), []
        found[name][1].append(Asked(case.id, (*calls, CHANGES)))
    return [*found.values()]


def _tree(case: EditCase) -> Tree:
    times = {**dict.fromkeys(case.tree["files"], START_MS), **case.tree.get("mtime_ms", {})}
    return parse_tree({**case.tree, "mtime_ms": times}, case.base_layout)


def _calls(suite: str, case: EditCase) -> Iterator[ToolCall]:
    """Yield the calls of a case; none if something else happens between them."""
    recorded = case.recorded["calls"]
    if any(
        "outside_change" in call or ("patch" in call and "agent" not in call) for call in recorded
    ):
        return
    working_dir = case.recorded.get("working_dir", ".")
    place = MOUNT_POINT if working_dir == "." else f"{MOUNT_POINT}/{working_dir}"
    for number, call in enumerate(recorded, 1):
        named = call.get("tool", case.recorded.get("tool", suite))
        arguments = call.get("args", {"input": call.get("patch")})
        yield ToolCall(
            tool=named,
            arguments=arguments,
            working_dir="/outside" if working_dir == "../outside" else place,
            time_ms=START_MS + number * 1000,
        )


@pytest.mark.parametrize("suite", OFFERED)
@pytest.mark.parametrize("host", each_other_host())
def test_host_answers_and_proposes_as_cpython_does(
    host: str, suite: str, books: Callable[[str], AnswerBook]
) -> None:
    book = books(host)
    reference = CPythonHost()
    different = {}
    compared = 0
    try:
        for scene, asked in scenes(suite):
            if not _needs(scene) <= book.capabilities:
                continue
            calls = [call for each in asked for call in each.calls]
            here = _comparable(reference.answer(scene, calls))
            there = _comparable(book.host.answer(scene, calls))
            start = 0
            for each in asked:
                span = slice(start, start + len(each.calls))
                start, compared = span.stop, compared + 1
                if _has_modes(scene) and not isinstance(book.host, DirectoryHost):
                    for manifest in (here[span][-1], there[span][-1]):
                        _forget_modes(manifest["structured_content"])
                if there[span] != here[span]:
                    different[each.id] = (there[span], here[span])
    finally:
        reference.close()

    assert compared > 0
    assert different == {}


def _needs(scene: Scene) -> set[Capability]:
    names = [name for path in scene.tree.nodes for name in path.split(b"/")]
    needs = {
        Capability.RAW_NAMES: scene.tree.has_raw_names,
        Capability.LONG_NAMES: any(len(name) >= 255 for name in names),
        Capability.BACKSLASHES: any(b"\\" in name for name in names),
    }
    return {capability for capability, needed in needs.items() if needed}


def _has_modes(scene: Scene) -> bool:
    """Tell whether a tree has permissions, which only folders of the machine keep."""
    return any(node.mode is not None for _, node in scene.tree)


def _forget_modes(manifest: Json) -> None:
    for entry in manifest["entries"]:
        for side in ("before", "after"):
            if entry[side] is not None:
                entry[side]["mode"] = None


def _comparable(answers: Sequence[Answer | Exception]) -> list[Any]:
    return [
        _with_numbers_of_javascript(comparable(answer))
        if isinstance(answer, Answer)
        else repr(answer)
        for answer in answers
    ]


def _with_numbers_of_javascript(fields: Json) -> Any:
    """Return an answer as it is after a page has read it, where 14.0 is 14."""

    def number(text: str) -> float:
        value = float(text)
        return int(value) if value.is_integer() else value

    return json.loads(json.dumps({**fields, "content": None}), parse_float=number) | {
        "content": fields["content"] if fields["structured_content"] is None else None
    }
