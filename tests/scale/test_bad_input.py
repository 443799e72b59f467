"""Whatever an agent writes is answered in the family's own words, and the next call works."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.scale.bad_calls import EXAMPLES, LINKS_OUT, NO_JSON, WAYS_OUT, WRONG_TYPES
from tests.scale.refusals import (
    NO_FILE,
    TOOLS,
    BadPath,
    Told,
    assert_next_calls_work,
    assert_refused,
    codex_refusal,
    envelope_refusal,
    forge_refusal,
    make_bad_tree,
    registry_on,
    told,
)
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


_OFFERED = (
    "The tools are: Glob, Grep, LS, Read, Search, grep_files, list_dir, list_directory, read_file."
)


@pytest.mark.parametrize(
    ("name", "shown", "advice"),
    [
        pytest.param("", "", "", id="empty"),
        pytest.param("ls", "ls", "Did you mean LS? ", id="other case"),
        pytest.param("read_file ", "read_file ", "Did you mean read_file? ", id="with a blank"),
        pytest.param("\x1b[31mLS", "\\u{1B}[31mLS", "", id="with an escape sequence"),
    ],
)
def test_a_tool_that_nobody_offers_is_called_unknown(
    registry: ToolRegistry, name: str, shown: str, advice: str
) -> None:
    message = f"Unknown tool: {shown}"
    warning = f"{advice}{_OFFERED}"
    assert told(registry.call_tool(name, {})) == Told(
        message, "UnknownTool", message, warnings=(warning,)
    )
    assert_next_calls_work(registry)


_OUTSIDE = ("ACCESS_DENIED", "Access denied. Path must be within the project root.")
_RELATIVE = ("list_directory takes paths relative to /repo",)


def _escape(attempted: str, resolved: str) -> tuple[str, str]:
    message = f"Path outside sandbox (attempted: {attempted}, resolved: {resolved})"
    return "SandboxViolation", message


def _way_out(path: str) -> BadPath:
    asked = path.replace("//", "/")
    warnings = _RELATIVE if path.startswith("/") else ()
    forge = (path, _escape(asked, asked))
    return BadPath(path, NO_FILE, path, _OUTSIDE, *forge, warnings=warnings)


def _link_out(link: str) -> BadPath:
    path = f"/repo/{link}"
    forge = (link, _escape(path, "outside of every mount"))
    return BadPath(path, NO_FILE, path, _OUTSIDE, *forge)


def _spelled_dots(path: str) -> BadPath:
    ls = (path, ("NOT_FOUND", f"Path '{path}' does not exist."))
    return BadPath(f"/repo/{path}", NO_FILE, *ls, path, _escape(path, path), resolved=path)


def _with_nul(name: str) -> BadPath:
    path = f"/repo/{name}"
    ls = (path, ("INVALID_PARAM", "path must not hold a NUL character."))
    forge = (path, ("BadArgs", "path contains invalid control characters"))
    return BadPath(path, "file name contained an unexpected NUL byte", *ls, *forge)


def _too_long(name: str) -> BadPath:
    path, reason = f"/repo/{name}", "File name too long (os error 36)"
    ls = (path, ("INTERNAL_ERROR", f"Failed to list directory - {reason}"))
    message = f"path is too long: {name[:199]}…; a name has at most 255 bytes and a path 4,095"
    return BadPath(path, reason, *ls, name, ("ExecutionFailed", message))


_LINK_TO_ITSELF = BadPath(
    *("/repo/round", "Too many levels of symbolic links (os error 40)"),
    *("/repo/round", ("NOT_FOUND", "Path '/repo/round' does not exist.")),
    "round",
    (
        "ExecutionFailed",
        "cannot follow path: round (too many levels of symbolic links); choose another directory",
    ),
    resolved="round",
)

_BAD_PATHS = {
    **{f"it leads out, {path}": _way_out(path) for path in WAYS_OUT},
    **{f"a link leads out, {link}": _link_out(link) for link in LINKS_OUT},
    "dots are spelled out": _spelled_dots("\\u{2E}\\u{2E}/outside"),
    "dots are spelled out below": _spelled_dots("src/\\u{2E}\\u{2E}/\\u{2E}\\u{2E}/outside"),
    "NUL at the end": _with_nul("src\0"),
    "NUL in the middle": _with_nul("src\0/app.py"),
    "NUL alone": _with_nul("\0"),
    "one name of 5,000 characters": _too_long("a" * 5_000),
    "2,500 names": _too_long("a/" * 2_500),
    "a link to itself": _LINK_TO_ITSELF,
}


@pytest.mark.parametrize("tool", TOOLS)
@pytest.mark.parametrize("path", _BAD_PATHS.values(), ids=_BAD_PATHS)
def test_a_path_that_leads_out_or_nowhere_is_refused(
    registry: ToolRegistry, tool: str, path: BadPath
) -> None:
    assert_refused(registry, tool, path)
