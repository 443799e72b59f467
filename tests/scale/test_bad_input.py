"""Whatever an agent writes is answered in the family's own words, and the next call works."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from tests.scale.bad_calls import EXAMPLES, LINKS_OUT, NO_JSON, WAYS_OUT, WRONG_TYPES
from tests.scale.refusals import (
    PATH_KEYS,
    TOOLS,
    Told,
    assert_next_calls_work,
    codex_refusal,
    envelope_refusal,
    forge_refusal,
    make_bad_tree,
    registry_on,
    told,
)

if TYPE_CHECKING:
    from pathlib import Path

    from treeglass import ToolRegistry


@pytest.fixture
def registry(tmp_path: Path) -> ToolRegistry:
    return registry_on(make_bad_tree(tmp_path))


def _bad_arguments(tool: str, message: str, *, echo: object) -> Told:
    """Return the refusal of arguments that no path was taken from."""
    if tool == "LS":
        return envelope_refusal("INVALID_PARAM", message, echo=echo)
    if tool == "list_directory":
        return forge_refusal("BadArgs", message)
    return codex_refusal(f"failed to parse function arguments: {message}")


@pytest.mark.parametrize("tool", TOOLS)
@pytest.mark.parametrize(("text", "message"), NO_JSON.values(), ids=NO_JSON)
def test_text_that_is_no_json_object_is_refused(
    registry: ToolRegistry, tool: str, text: str, message: str
) -> None:
    expected = _bad_arguments(tool, message, echo=text)
    assert told(registry.call_tool(tool, text)) == expected
    assert_next_calls_work(registry)


def test_brackets_in_a_string_are_no_nesting(registry: ToolRegistry) -> None:
    path = "[{" * 120 + '\\"' + "["
    message = f"Path '{path}' does not exist."
    expected = envelope_refusal("NOT_FOUND", message, echo={"path": path}, path_resolved=path)
    assert told(registry.call_tool("LS", json.dumps({"path": path}))) == expected


@pytest.mark.parametrize(("tool", "arguments", "message"), WRONG_TYPES)
def test_wrong_types_are_refused_by_the_argument_s_name(
    registry: ToolRegistry, tool: str, arguments: dict[str, Any], message: str
) -> None:
    if tool in EXAMPLES:
        message = f"{message}; expected for example {EXAMPLES[tool]}"
    expected = _bad_arguments(tool, message, echo=arguments)
    assert told(registry.call_tool(tool, arguments)) == expected
    assert_next_calls_work(registry)


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        pytest.param("", "", id="empty"),
        pytest.param("ls", "ls", id="other case"),
        pytest.param("read_file ", "read_file ", id="with a blank"),
        pytest.param("\x1b[31mLS", "\\u{1B}[31mLS", id="with an escape sequence"),
    ],
)
def test_a_tool_that_nobody_offers_is_called_unknown(
    registry: ToolRegistry, name: str, shown: str
) -> None:
    message = f"Unknown tool: {shown}"
    assert told(registry.call_tool(name, {})) == Told(message, "UnknownTool", message)
    assert_next_calls_work(registry)


def _codex_refusal_of(tool: str, path: str, reason: str) -> Told:
    if not path.startswith("/"):
        return codex_refusal(f"{PATH_KEYS[tool]} must be an absolute path")
    what = "directory" if tool == "list_dir" else "file"
    return codex_refusal(f"failed to read {what}: {reason}")


def _outside_of_project(path: str) -> Told:
    message = "Access denied. Path must be within the project root."
    return envelope_refusal("ACCESS_DENIED", message, echo={"path": path})


@pytest.mark.parametrize("tool", TOOLS)
@pytest.mark.parametrize("path", WAYS_OUT)
def test_no_path_leads_out_of_the_mount(registry: ToolRegistry, tool: str, path: str) -> None:
    if tool == "LS":
        expected = _outside_of_project(path)
    elif tool == "list_directory":
        asked = path.replace("//", "/")
        expected = forge_refusal(
            "SandboxViolation", f"Path outside sandbox (attempted: {asked}, resolved: {asked})"
        )
        if path.startswith("/"):
            warnings = ("list_directory takes paths relative to /repo",)
            expected = expected._replace(warnings=warnings)
    else:
        expected = _codex_refusal_of(tool, path, "No such file or directory (os error 2)")
    assert told(registry.call_tool(tool, {PATH_KEYS[tool]: path})) == expected
    assert_next_calls_work(registry)


@pytest.mark.parametrize("tool", TOOLS)
@pytest.mark.parametrize("link", LINKS_OUT)
def test_no_link_leads_out_of_the_mount(registry: ToolRegistry, tool: str, link: str) -> None:
    path = f"/repo/{link}"
    if tool == "LS":
        expected = _outside_of_project(path)
    elif tool == "list_directory":
        reason = f"Path outside sandbox (attempted: {path}, resolved: outside of every mount)"
        path, expected = link, forge_refusal("SandboxViolation", reason)
    else:
        expected = _codex_refusal_of(tool, path, "No such file or directory (os error 2)")
    assert told(registry.call_tool(tool, {PATH_KEYS[tool]: path})) == expected
    assert_next_calls_work(registry)


@pytest.mark.parametrize("tool", TOOLS)
@pytest.mark.parametrize(
    "path", ["\\u{2E}\\u{2E}/outside", "src/\\u{2E}\\u{2E}/\\u{2E}\\u{2E}/outside"]
)
def test_dots_that_are_spelled_out_lead_nowhere(
    registry: ToolRegistry, tool: str, path: str
) -> None:
    if tool == "LS":
        message = f"Path '{path}' does not exist."
        expected = envelope_refusal("NOT_FOUND", message, echo={"path": path}, path_resolved=path)
    elif tool == "list_directory":
        reason = f"Path outside sandbox (attempted: {path}, resolved: {path})"
        expected = forge_refusal("SandboxViolation", reason)
    else:
        path = f"/repo/{path}"
        expected = _codex_refusal_of(tool, path, "No such file or directory (os error 2)")
    assert told(registry.call_tool(tool, {PATH_KEYS[tool]: path})) == expected
    assert_next_calls_work(registry)


@pytest.mark.parametrize("tool", TOOLS)
@pytest.mark.parametrize("name", ["src\0", "src\0/app.py", "\0"])
def test_a_path_with_a_nul_is_refused(registry: ToolRegistry, tool: str, name: str) -> None:
    path = f"/repo/{name}"
    if tool == "LS":
        message = "path must not hold a NUL character."
        expected = envelope_refusal("INVALID_PARAM", message, echo={"path": path})
    elif tool == "list_directory":
        expected = forge_refusal("BadArgs", "path contains invalid control characters")
    else:
        expected = _codex_refusal_of(tool, path, "file name contained an unexpected NUL byte")
    assert told(registry.call_tool(tool, {PATH_KEYS[tool]: path})) == expected
    assert_next_calls_work(registry)


@pytest.mark.parametrize("tool", TOOLS)
@pytest.mark.parametrize(
    "name", [pytest.param("a" * 5_000, id="one name"), pytest.param("a/" * 2_500, id="many names")]
)
def test_a_path_of_five_thousand_characters_is_refused(
    registry: ToolRegistry, tool: str, name: str
) -> None:
    path = name if tool == "list_directory" else f"/repo/{name}"
    if tool == "LS":
        message = "Failed to list directory - File name too long (os error 36)"
        expected = envelope_refusal("INTERNAL_ERROR", message, echo={"path": path})
    elif tool == "list_directory":
        message = f"path is too long: {name[:199]}…; a name has at most 255 bytes and a path 4,095"
        expected = forge_refusal("ExecutionFailed", message)
    else:
        expected = _codex_refusal_of(tool, path, "File name too long (os error 36)")
    assert told(registry.call_tool(tool, {PATH_KEYS[tool]: path})) == expected
    assert_next_calls_work(registry)


@pytest.mark.parametrize("tool", TOOLS)
def test_a_link_to_itself_is_refused(registry: ToolRegistry, tool: str) -> None:
    path = "round" if tool == "list_directory" else "/repo/round"
    if tool == "LS":
        message = "Path '/repo/round' does not exist."
        expected = envelope_refusal(
            "NOT_FOUND", message, echo={"path": path}, path_resolved="round"
        )
    elif tool == "list_directory":
        expected = forge_refusal(
            "ExecutionFailed",
            "cannot follow path: round (too many levels of symbolic links); "
            "choose another directory",
        )
    else:
        expected = _codex_refusal_of(tool, path, "Too many levels of symbolic links (os error 40)")
    assert told(registry.call_tool(tool, {PATH_KEYS[tool]: path})) == expected
    assert_next_calls_work(registry)
