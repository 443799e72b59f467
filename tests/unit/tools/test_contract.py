"""What every tool keeps: its budget, its time, its caller's word to stop, and its arguments.

`contract.json` holds the whole answers; `python -m tests.unit.tools.test_contract` prints it anew.
"""

from __future__ import annotations

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
from treeglass.tools import BUILTIN_TOOLS

RECORDED = Path(__file__).parent / "contract.json"
NAMES = [f"{tool.family}.{tool.name}" for tool in BUILTIN_TOOLS]
CALLS: dict[str, dict[str, Any]] = {
    "codex.list_dir": {"dir_path": "/repo"},
    "codex.read_file": {"file_path": "/repo/many.txt"},
    "codex.grep_files": {"pattern": "needle", "path": "/repo"},
    "envelope.LS": {"path": "."},
    "envelope.Read": {"path": "many.txt"},
    "envelope.Glob": {"pattern": "**"},
    "envelope.Grep": {"pattern": "needle"},
    "forge.list_directory": {"path": ".", "recursive": True},
    "forge.Search": {"pattern": "needle"},
    "forge.Read": {"path": "many.txt"},
    "forge.Glob": {"pattern": "**"},
}
PAGES: dict[str, dict[str, Any]] = {
    "codex.list_dir": {"limit": 2},
    "codex.read_file": {"limit": 1},
    "codex.grep_files": {"limit": 1},
    "envelope.LS": {"limit": 1},
    "envelope.Read": {"limit": 1},
    "envelope.Glob": {"limit": 1},
    "forge.list_directory": {"max_entries": 1},
    "forge.Search": {"max_results": 1},
    "forge.Glob": {"limit": 1},
}
"""What makes a call have a next one; `Grep` and Forge's `Read` have none here."""
TREE = {
    "many.txt": b"needle 1\nneedle \xff\nthree\n",
    "sub/b.txt": b"needle 2\n",
    "sub/line\nfeed.txt": b"needle 3\n",
    "x\\u{41}": b"needle 4\n",
    "\u202etxt.exe": b"none\n",
}
SPELLED = {
    "/repo": "/repo/odd\\u{A}dir",
    ".": "odd\\u{A}dir",
    "/repo/many.txt": "/repo/odd\\u{A}dir/f",
}


def _workspace(root: Path) -> Workspace:
    for name, content in {**TREE, "odd\ndir/f": b"needle 5\n"}.items():
        path = root / name
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(content)
        os.utime(path, (1_000_000, 1_000_000))
    for directory in (root / "sub", root / "odd\ndir", root):
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
    """Answer the call of a tool, under a clock that goes on by some seconds at each look."""
    offered = [name if name.startswith("forge") else name.partition(".")[2]]
    tools = {
        "experimental_supported_tools": offered,
        "offered": [] if name.startswith("codex") else offered,
        "output": {"escape_names": escape_names, "max_bytes": 10**6},
        "timeouts": {"file_operations_seconds": 2},
    }
    registry = ToolRegistry(
        workspace, Config.from_object({"tools": tools}), clock=itertools.count(0, seconds).__next__
    )
    return registry.call_tool(name, {**CALLS[name], **(changes or {})}, **options)


def pages(workspace: Workspace, name: str) -> list[ToolResult]:
    """Return the answers of a call and of those that continue it."""
    found = [call(workspace, name, PAGES[name])]
    while (following := found[-1].next_arguments) is not None:
        found.append(call(workspace, name, following))
    return found


def optional_arguments(name: str) -> list[str]:
    schema = BUILTIN_TOOLS[NAMES.index(name)].input_schema
    return [key for key in schema["properties"] if key not in schema.get("required", [])]


def spelled(name: str) -> dict[str, Any]:
    """Return the arguments that name a directory, or a file, with an escaped spelling."""
    argument = next(
        key for key in ("dir_path", "file_path", "path") if key in {**CALLS[name], "path": 1}
    )
    if name.endswith("Read"):
        return {"path": "odd\\u{A}dir/f"}
    return {argument: SPELLED[CALLS[name].get(argument, ".")]}


def as_recorded(result: ToolResult) -> dict[str, Any]:
    facts = {
        "content": result.structured or result.content,
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
        "spelled path": call(workspace, name, spelled(name)),
        "missing path": call(workspace, name, dict.fromkeys(spelled(name), "/repo/none")),
    }
    return {situation: as_recorded(result) for situation, result in found.items()} | {
        "null": {
            key: call(workspace, name, {key: None}).content.split("\n")[-1]
            for key in optional_arguments(name)
        },
        "pages": [as_recorded(page) for page in pages(workspace, name)] if name in PAGES else [],
    }


@pytest.mark.parametrize("name", NAMES)
def test_every_tool_answers_as_recorded_in_every_situation(workspace: Workspace, name: str) -> None:
    assert answers(workspace, name) == json.loads(RECORDED.read_text("utf-8"))[name]


@pytest.mark.parametrize("name", NAMES)
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


@pytest.mark.parametrize("name", NAMES)
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
    assert f"takes {least} bytes, {below} are left" in error.message


@pytest.mark.parametrize("name", PAGES)
def test_calls_that_continue_a_call_end_with_the_whole(workspace: Workspace, name: str) -> None:
    found = pages(workspace, name)

    assert len(found) > 1
    assert [page.truncated for page in found] == [True] * (len(found) - 1) + [False]


@pytest.mark.parametrize("name", NAMES)
def test_structured_content_is_the_text_as_data(workspace: Workspace, name: str) -> None:
    result = call(workspace, name)

    if BUILTIN_TOOLS[NAMES.index(name)].output_schema is not None:
        assert json.loads(result.content) == result.structured


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        made = _workspace(Path(folder))
        tools = []
        for tool_name in NAMES:
            rows = answers(made, tool_name).items()
            lines = [f"  {json.dumps(key)}: {json.dumps(answer)}" for key, answer in rows]
            tools.append(f" {json.dumps(tool_name)}: {{\n" + ",\n".join(lines) + "\n }")
        sys.stdout.write("{\n" + ",\n".join(tools) + "\n}\n")
