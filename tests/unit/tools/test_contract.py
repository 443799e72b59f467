"""What every tool keeps: its budget, its time, its caller's word to stop, and its arguments.

`contract.json` holds the whole answers; `python -m tests.unit.tools.test_contract` prints it anew.
"""

import itertools
import json
import os
import re
import sys
import tempfile
from pathlib import Path
from typing import Any

import pytest

from treeglass import Config, ToolRegistry, ToolResult, Workspace
from treeglass.tools.builtin import BUILTIN_TOOLS

RECORDED = Path(__file__).parent / "contract.json"
TOOLS = {f"{tool.family}.{tool.name}": tool for tool in BUILTIN_TOOLS}
COUNTS = ("limit", "max_entries", "max_results")
"""Arguments that bound how much an answer shows; most calls that it cuts have a next one."""
CHANGING = [name for name, tool in TOOLS.items() if tool.is_changing]
READING = [name for name in TOOLS if name not in CHANGING]
PAGED = [name for name, tool in TOOLS.items() if {*COUNTS} & tool.input_schema["properties"].keys()]
TREE = {
    "main.py": b"class Main:\n    \xff = 1\n    two\n",
    "src/main.py": b"class Main:\n    \xff = 1\n    two\n",
    "src/line\nfeed.py": b"class Main: 2\n",
    "src/x\\u{41}.py": b"class Main: 3\n",
    "src/\u202eyp.py": b"none\n",
    "odd\ndir/f.py": b"class Main: 4\n",
}
"""The examples of all tools that read name what is in it."""
EDITED = "src/x\\u{41}.py"
EDITS: dict[str, dict[str, Any]] = {
    "envelope.Edit": {"path": EDITED, "old_string": "Main", "new_string": "Other"},
    "envelope.MultiEdit": {
        "path": EDITED,
        "edits": [{"old_string": "Main", "new_string": "Other"}],
    },
}
"""Arguments of the tools whose examples name text that is not in the tree."""
steps: list[int] = []
"""How many steps each call of a tool that changes has made."""


def _workspace(root: Path) -> Workspace:
    for name, content in TREE.items():
        path = root / name
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(content)
        os.utime(path, (1_000_000, 1_000_000))
    for directory in (root / "src", root / "odd\ndir", root):
        os.utime(directory, (1_000_000, 1_000_000))
    return Workspace({"/repo": root})


@pytest.fixture(scope="module")
def workspace(tmp_path_factory: pytest.TempPathFactory) -> Workspace:
    return _workspace(tmp_path_factory.mktemp("contract"))


def call(
    workspace: Workspace,
    name: str,
    changes: dict[str, Any] | None = None,
    *,
    escape_names: bool = True,
    seconds: float = 0.0,
    **options: Any,
) -> ToolResult:
    """Answer the call of a tool, under a clock that goes on by some seconds at each look.

    A tool that changes is called on the unchanged tree, after a read of its file.
    """
    offered = [name if name.startswith("forge") else name.partition(".")[2]]
    arguments = {**TOOLS[name].example, **EDITS.get(name, {}), **(changes or {})}
    tools = {
        "approval": {"mode": "auto"},
        "experimental_supported_tools": offered,
        "offered": []
        if name.startswith("codex")
        else [*offered, *(["Read"] if name in EDITS else [])],
        "output": {"escape_names": escape_names, "max_bytes": 10**6},
        "timeouts": {"file_operations_seconds": 2},
    }
    registry = ToolRegistry(
        workspace, Config.from_object({"tools": tools}), clock=itertools.count(0, seconds).__next__
    )
    if name in EDITS:
        registry.call_tool("envelope.Read", {"path": EDITED})
    try:
        return registry.call_tool(name, arguments, time_ms=2_000_000, **options)
    finally:
        if name in CHANGING:
            steps.append(len(workspace.overlay.record.steps))
            workspace.overlay.discard()


def pages(workspace: Workspace, name: str) -> list[ToolResult]:
    """Return the answers of a call for one item, and of those that continue it."""
    taken = TOOLS[name].input_schema["properties"]
    found = [call(workspace, name, {key: 1 for key in COUNTS if key in taken})]
    while (following := found[-1].next_arguments) is not None:
        found.append(call(workspace, name, following))
    return found


def at(name: str, directory: str) -> dict[str, str]:
    """Return the argument that names a directory of the tree, or the file in it, as a path."""
    taken = TOOLS[name].input_schema["properties"]
    argument = next((key for key in ("dir_path", "file_path", "path") if key in taken), None)
    if argument is None:
        # A patch names its files inside.
        return {}
    is_file = str(TOOLS[name].example.get(argument, ".")).endswith(".py")
    root = "/repo/" if argument != "path" else ""
    return {argument: f"{root}{directory}{'/f.py' if is_file else ''}"}


def as_recorded(result: ToolResult) -> dict[str, Any]:
    facts = {
        "content": result.structured_content or result.content,
        "error": result.error and result.error.kind,
        "truncated": result.truncated,
        "next": result.next_arguments,
        "warnings": list(result.warnings),
    }
    return {key: fact for key, fact in facts.items() if fact}


def answers(workspace: Workspace, name: str) -> dict[str, Any]:
    """Return the answers of a tool in each situation."""
    whole = call(workspace, name)
    size = len(whole.content.encode())
    found = {
        "whole": whole,
        "one byte less": call(workspace, name, max_output_bytes=size - 1),
        "no room": call(workspace, name, max_output_bytes=0),
        "out of time": call(workspace, name, seconds=3),
        "cancelled": call(workspace, name, is_cancelled=lambda: True),
        "unknown key": call(workspace, name, {"hint": 1}),
        "raw names": call(workspace, name, escape_names=False),
        "spelled path": call(workspace, name, at(name, "odd\\u{A}dir")),
        "missing path": call(workspace, name, at(name, "none")),
    }
    return {situation: as_recorded(result) for situation, result in found.items()} | {
        "null": {
            key: call(workspace, name, {key: None}).content.split("\n")[-1]
            for key in TOOLS[name].input_schema["properties"]
        },
        "pages": [as_recorded(page) for page in pages(workspace, name)] if name in PAGED else [],
    }


@pytest.mark.parametrize("name", TOOLS)
def test_every_tool_answers_as_recorded_in_every_situation(workspace: Workspace, name: str) -> None:
    assert answers(workspace, name) == json.loads(RECORDED.read_text("utf-8"))[name]


@pytest.mark.parametrize("name", CHANGING)
def test_a_call_that_fails_or_may_not_run_changes_nothing(workspace: Workspace, name: str) -> None:
    limits: list[dict[str, Any]] = [
        {},
        {"seconds": 3},
        {"is_cancelled": lambda: True},
        {"max_output_bytes": 0},
    ]
    steps.clear()
    failed = [call(workspace, name, **limit).is_error for limit in limits]

    # The answer of Forge's `Edit` may be cut down to nothing.
    assert failed == [False, True, True, name != "forge.Edit"]
    assert steps == [0 if is_error else 1 for is_error in failed]


@pytest.mark.parametrize("name", TOOLS)
def test_no_answer_is_over_its_budget_and_a_whole_one_takes_no_more_than_it_says(
    workspace: Workspace, name: str
) -> None:
    whole = call(workspace, name)
    size = len(whole.content.encode())

    assert call(workspace, name, max_output_bytes=size).content == whole.content
    for budget in range(0, size, 37):
        result = call(workspace, name, max_output_bytes=budget)
        assert result.error is not None or len(result.content.encode()) <= budget
        assert result.error is not None or result.truncated


@pytest.mark.parametrize("name", TOOLS)
def test_an_error_for_want_of_room_says_the_least_that_is_enough(
    workspace: Workspace, name: str
) -> None:
    refused = call(workspace, name, max_output_bytes=0)
    needed = re.search(r"the smallest answer takes (\d+) bytes", refused.content)
    if needed is None:
        assert refused.error is None
        return
    least = int(needed[1])
    # A whole answer may be smaller than one with a notice of what is left out.
    below = min(least, len(call(workspace, name).content.encode())) - 1

    assert call(workspace, name, max_output_bytes=least).error is None
    error = call(workspace, name, max_output_bytes=below).error
    assert error is not None
    said = re.search(r"takes (\d+) bytes, (\d+) are left", error.message)
    assert said is not None
    # A call that has read more may know of a smaller answer.
    assert (below < int(said[1]) <= least, int(said[2])) == (True, below)


@pytest.mark.parametrize("name", PAGED)
def test_calls_that_continue_a_call_end_with_the_whole(workspace: Workspace, name: str) -> None:
    found = pages(workspace, name)

    assert len(found) > 1
    assert [page.truncated for page in found] == [True] * (len(found) - 1) + [False]


@pytest.mark.parametrize("name", TOOLS)
def test_structured_content_is_the_text_as_data(workspace: Workspace, name: str) -> None:
    result = call(workspace, name)

    if TOOLS[name].output_schema is not None:
        assert json.loads(result.content) == result.structured_content


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        made = _workspace(Path(folder))
        tools = []
        for tool_name in TOOLS:
            rows = answers(made, tool_name).items()
            lines = [f"  {json.dumps(key)}: {json.dumps(answer)}" for key, answer in rows]
            tools.append(f" {json.dumps(tool_name)}: {{\n" + ",\n".join(lines) + "\n }")
        sys.stdout.write("{\n" + ",\n".join(tools) + "\n}\n")
