"""Late modules: which they are, and that each `late(...)` names one that fits its tool."""

import importlib
import inspect
import subprocess
import sys
from functools import partial
from pathlib import Path

import pytest

import treeglass
from treeglass.tools.builtin import BUILTIN_TOOLS

EARLY = {
    "codex": "arguments definitions errors indentation list_dir read_file text",
    "envelope": (
        "arguments definitions envelope_building envelope_schema errors ignore ls project_paths "
        "read schemas"
    ),
    "forge": (
        "arguments canonical_json definitions errors list_directory paths paths.denied_patterns "
        "paths.sandbox requested_path schemas walk"
    ),
}
"""The modules of each family that the first answer may need; a page fetches the others."""

LATE = {
    "treeglass.bridge.changes",
    "treeglass.bridge.files",
    "treeglass.bridge.late_params",
    "treeglass.changing_calls",
    "treeglass.rich_display",
    "treeglass.workspace.nodes",
    "treeglass.workspace.plan",
}
"""The modules that a page fetches when a call needs them, besides those of `LATE_PACKAGES`."""

LATE_PACKAGES = ("treeglass.search", "treeglass.workspace.overlay")

NO_PART_OF_A_PAGE = (
    "treeglass.__main__",
    "treeglass.authoring",
    "treeglass.command",
    "treeglass.pack",
    "treeglass.sphinx",
)

LATE_TOOLS = {f"{tool.family}.{tool.name}": tool for tool in BUILTIN_TOOLS if tool.is_late}


def modules_on_disk() -> set[str]:
    folder = Path(treeglass.__file__).parent
    names = (
        ".".join(path.relative_to(folder.parent).with_suffix("").parts)
        for path in folder.rglob("*.py")
    )
    return {name.removesuffix(".__init__") for name in names}


def is_below(name: str, *packages: str) -> bool:
    return any(name == package or name.startswith(f"{package}.") for package in packages)


def test_late_modules_are_those_that_the_bridge_does_not_import() -> None:
    program = "import sys, treeglass.bridge; print(*sys.modules)"
    imported = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    ).stdout.split()

    early = {
        f"treeglass.tools.{family}.{module}"
        for family, modules in EARLY.items()
        for module in modules.split()
    } | {"treeglass.tools", *(f"treeglass.tools.{family}" for family in EARLY)}
    late = {
        name for name in modules_on_disk() - set(imported) if not is_below(name, *NO_PART_OF_A_PAGE)
    }

    assert {name for name in imported if is_below(name, "treeglass.tools")} == early
    assert {name for name in late if not is_below(name, *LATE_PACKAGES, "treeglass.tools")} == LATE
    assert {name for name in imported if is_below(name, *LATE_PACKAGES)} == set()


def test_tools_that_the_first_answer_may_need_are_not_late() -> None:
    early = {"codex.list_dir", "codex.read_file", "envelope.LS", "envelope.Read"}

    assert {f"{tool.family}.{tool.name}" for tool in BUILTIN_TOOLS} - set(LATE_TOOLS) == {
        *early,
        "forge.list_directory",
    }


@pytest.mark.parametrize("name", LATE_TOOLS)
def test_late_run_takes_the_arguments_that_its_tool_parses(name: str) -> None:
    tool = LATE_TOOLS[name]
    assert isinstance(tool.run, partial)
    run = importlib.import_module(tool.run.args[0]).run

    taken = inspect.signature(run)

    parsed = inspect.signature(tool.parse_arguments).return_annotation
    if isinstance(tool.parse_arguments, partial):
        parsed = tool.parse_arguments.args[0].__name__
    assert {parameter: each.annotation for parameter, each in taken.parameters.items()} == {
        "args": parsed,
        "context": "ToolContext",
    }
    assert taken.return_annotation == "ToolResult"
