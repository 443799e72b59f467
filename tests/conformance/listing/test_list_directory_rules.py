"""The rules of `list_directory` that no recorded call can show."""

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.support.terminal_support import open_terminal
from treeglass import Config, ToolDefinition, ToolFailure, ToolRegistry, ToolResult, Workspace
from treeglass.tools.forge.definitions import LIST_DIRECTORY
from treeglass.workspace.host import HostFileSystem

EMPTY_LISTING = (
    '{"path":".","entries":[],"returned":0,"max_entries":200,'
    '"truncated":false,"truncated_reason":null}'
)


def registry_of(
    folder: Path, tools: dict[str, Any] | None = None, file_system: HostFileSystem | None = None
) -> ToolRegistry:
    workspace = Workspace({"/project": folder}, file_system=file_system)
    return ToolRegistry(workspace, Config.from_object({"tools": tools or {}}))


def list_directory(registry: ToolRegistry, **arguments: object) -> ToolResult:
    return registry.call_tool("list_directory", {"path": ".", **arguments})


def names(result: ToolResult) -> list[str]:
    return [entry["name"] for entry in (result.structured_content or {})["entries"]]


@pytest.fixture
def definition(tmp_path: Path) -> ToolDefinition:
    (found,) = (
        tool for tool in registry_of(tmp_path).list_tools() if tool.name == "list_directory"
    )
    return found


def test_definition_is_the_required_one(definition: ToolDefinition) -> None:
    assert (definition.name, definition.description) == ("list_directory", "List directory entries")
    assert (definition.is_side_effecting, definition.requires_approval) == (False, False)
    assert definition.risk_level == "low"
    assert definition.annotations.read_only_hint


def test_published_schema_is_the_normative_one(definition: ToolDefinition) -> None:
    switch, count = {"type": "boolean"}, {"type": "integer", "minimum": 1}
    assert definition.input_schema == {
        "type": "object",
        "properties": {
            "path": {"type": "string"},
            "recursive": {**switch, "default": False},
            "max_depth": count,
            "max_entries": count,
            "include_hidden": {**switch, "default": False},
            "include_files": {**switch, "default": True},
            "include_dirs": {**switch, "default": True},
            "include_symlinks": {**switch, "default": True},
            "include_other": {**switch, "default": False},
        },
        "required": ["path"],
    }


def test_framework_may_not_cut_the_answer() -> None:
    assert not LIST_DIRECTORY.allow_truncation


DENYLISTED = "Tool 'list_directory' is denylisted"
DISABLED = "Tool execution disabled"
SELF = ["list_directory"]


@pytest.mark.parametrize(
    ("tools", "refusal"),
    [
        pytest.param({}, None, id="prompt does not ask for a read-only tool"),
        pytest.param({"approval": {"prompt_side_effects": False}}, None, id="prompt for tools"),
        pytest.param({"approval": {"mode": "auto"}}, None, id="auto"),
        pytest.param({"approval": {"denylist": ["run_command"]}}, None, id="another is denied"),
        pytest.param({"approval": {"mode": "deny"}}, DENYLISTED, id="deny"),
        pytest.param(
            {"approval": {"mode": "deny", "allowlist": SELF}}, None, id="deny, but allowed"
        ),
        pytest.param(
            {"approval": {"mode": "deny", "denylist": SELF, "allowlist": SELF}},
            DENYLISTED,
            id="the denylist wins",
        ),
        pytest.param({"approval": {"enabled": False}}, f"{DISABLED} by policy", id="off"),
        pytest.param(
            {"approval": {"enabled": False, "mode": "auto", "allowlist": SELF}},
            f"{DISABLED} by policy",
            id="off, though allowed",
        ),
        pytest.param({"mode": "disabled"}, DISABLED, id="disabled"),
        pytest.param({"mode": "parse_only"}, DISABLED, id="parse_only"),
        pytest.param(
            {"max_tool_args_bytes": 10},
            "Tool arguments too large: 13 bytes, at most 10",
            id="arguments over the ceiling",
        ),
    ],
)
def test_global_policy_decides_whether_it_runs(
    tmp_path: Path, tools: dict[str, Any], refusal: str | None
) -> None:
    result = list_directory(registry_of(tmp_path, tools))

    failure = None if refusal is None else ToolFailure("SandboxViolation", refusal)
    assert (result.content, result.error) == (refusal or EMPTY_LISTING, failure)


@pytest.mark.parametrize(
    ("path", "tools", "refusal"),
    [
        (
            "",
            {"mode": "deny"},
            "Bad args: path must not be empty; give '.' for the working directory",
        ),
        ("..", {"allowlist": SELF}, "Path outside sandbox (attempted: .., resolved: ..)"),
    ],
    ids=["arguments are checked before the mode denies", "no list bypasses the sandbox"],
)
def test_a_wrong_path_is_refused_whatever_the_policy_says(
    tmp_path: Path, path: str, tools: dict[str, Any], refusal: str
) -> None:
    assert list_directory(registry_of(tmp_path, {"approval": tools}), path=path).content == refusal


class RecordingFileSystem(HostFileSystem):
    """Notes every path that is listed or inspected, and the order of nothing else."""

    def __init__(self) -> None:
        self.scanned: list[str] = []
        self.inspected: list[str] = []

    def scandir(self, path: str) -> Any:
        self.scanned.append(path)
        return super().scandir(path)

    def lstat(self, path: str, held: int | None = None) -> os.stat_result:
        self.inspected.append(path)
        return super().lstat(path, held)


@pytest.mark.parametrize("path", ["../outside", "/etc", "/project", "a/../b", "", "  ", "a\0b"])
def test_refused_path_costs_no_look_at_the_filesystem(tmp_path: Path, path: str) -> None:
    files = RecordingFileSystem()
    registry = registry_of(tmp_path, file_system=files)
    files.inspected.clear()

    result = registry.call_tool("list_directory", {"path": path})

    assert result.is_error
    assert (files.scanned, files.inspected) == ([], [])


def test_denied_or_escaping_path_is_never_listed(tmp_path: Path) -> None:
    outside, inside = tmp_path / "outside", tmp_path / "inside"
    outside.mkdir()
    (inside / ".ssh").mkdir(parents=True)
    (inside / "way_out").symlink_to(outside)
    files = RecordingFileSystem()
    registry = registry_of(inside, file_system=files)

    kinds = [
        registry.call_tool("list_directory", {"path": path}).error
        for path in (".ssh", "way_out", "way_out/below")
    ]

    assert [kind and kind.kind for kind in kinds] == ["SandboxViolation"] * 3
    assert files.scanned == []


class DottedFileSystem(HostFileSystem):
    """Lists `.` and `..` as some filesystems do."""

    @contextmanager
    def scandir(self, path: str) -> Iterator[Iterator[os.DirEntry[str]]]:
        with super().scandir(path) as found:
            yield iter([DotEntry("."), DotEntry(".."), *found])  # type: ignore[list-item]  # what is asked


class DotEntry:
    def __init__(self, name: str) -> None:
        self.name = name

    def is_symlink(self) -> bool:
        return False

    def is_dir(self, *, follow_symlinks: bool = True) -> bool:
        return not follow_symlinks or True

    def is_file(self, *, follow_symlinks: bool = True) -> bool:
        return not follow_symlinks and False


def test_dot_and_dot_dot_are_no_entries(tmp_path: Path) -> None:
    (tmp_path / "f").touch()
    (tmp_path / ".h").touch()
    registry = registry_of(tmp_path, file_system=DottedFileSystem())

    assert names(list_directory(registry, include_hidden=True, recursive=True)) == [".h", "f"]


def test_walk_stops_at_max_entries(tmp_path: Path) -> None:
    for number in range(300):
        (tmp_path / f"f{number:03}").touch()
        (tmp_path / f"z{number:03}").mkdir()
    files = RecordingFileSystem()
    registry = registry_of(tmp_path, file_system=files)
    files.inspected.clear()

    result = list_directory(registry, recursive=True, max_entries=5)

    assert names(result) == ["f000", "f001", "f002", "f003", "f004"]
    assert files.scanned == [str(tmp_path)]
    # The directory itself, the five entries, and one more to know of a rest.
    entries = [path for path in files.inspected if path != str(tmp_path)]
    assert [Path(path).name for path in entries] == ["f000", "f001", "f002", "f003", "f004", "f005"]


def test_walk_stops_at_max_depth(tmp_path: Path) -> None:
    (tmp_path / "a/b/c/d").mkdir(parents=True)
    files = RecordingFileSystem()
    registry = registry_of(tmp_path, file_system=files)

    list_directory(registry, recursive=True, max_depth=2)

    assert files.scanned == [str(tmp_path), str(tmp_path / "a")]


def test_work_grows_no_faster_than_sorting_must(tmp_path: Path) -> None:
    few, many = work_of_listing(tmp_path / "few", 500), work_of_listing(tmp_path / "many", 4000)

    # Eight times the entries: n log n is 10.7 times the work, n squared is 64 times.
    assert few * 4 < many < few * 12


def work_of_listing(folder: Path, count: int) -> int:
    """Calls of functions, Python's and C's, that one listing makes."""
    folder.mkdir()
    for number in range(count):
        (folder / f"f{number * 7919 % count:05}").touch()
    limits = {"list_directory": {"max_entries": count}, "output": {"max_bytes": 10_000_000}}
    registry = registry_of(folder, limits)
    calls = 0

    def count_call(_frame: object, event: str, _argument: object) -> None:
        nonlocal calls
        calls += event in {"call", "c_call"}

    before = sys.getprofile()
    sys.setprofile(count_call)
    try:
        result = list_directory(registry)
    finally:
        sys.setprofile(before)
    assert len(names(result)) == count
    return calls


class BackwardFileSystem(HostFileSystem):
    """Lists each directory in the opposite order."""

    @contextmanager
    def scandir(self, path: str) -> Iterator[Iterator[os.DirEntry[str]]]:
        with super().scandir(path) as found:
            yield reversed(list(found))


def test_order_of_the_disk_does_not_show(tmp_path: Path) -> None:
    for name in ("b", "a", "c/y", "c/x", "A", "\u00e9"):
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(name, "utf-8")
    forward = registry_of(tmp_path)
    backward = registry_of(tmp_path, file_system=BackwardFileSystem())

    first = list_directory(forward, recursive=True).content

    assert names(list_directory(forward, recursive=True)) == [
        "A",
        "a",
        "b",
        "c",
        "x",
        "y",
        "\u00e9",
    ]
    assert list_directory(forward, recursive=True).content == first
    assert list_directory(backward, recursive=True).content == first


# Python 3.12 imports `socket` for `importlib.metadata`, which pydantic imports.
CALL_UNDER_WATCH = """
import importlib.metadata
import sys
brought = "socket" in sys.modules
from treeglass import Config, ToolFailure, ToolRegistry, Workspace

seen = []
sys.addaudithook(lambda event, _: seen.append(event) if event.startswith("socket.") else None)
registry = ToolRegistry(Workspace({"/project": sys.argv[1]}), Config())
print(registry.call_tool("list_directory", {"path": ".", "recursive": True}).content)
print(seen)
print("socket" in sys.modules and not brought)
"""


def test_no_socket_is_touched(tmp_path: Path) -> None:
    run = subprocess.run(
        [sys.executable, "-c", CALL_UNDER_WATCH, str(tmp_path)],
        capture_output=True,
        check=True,
        text=True,
    )

    assert (run.stdout, run.stderr) == (f"{EMPTY_LISTING}\n[]\nFalse\n", "")


HOSTILE = "a\x1b[31mred\x9b2Jb\x7f\u202ec"


def listing_of(name: str) -> str:
    return (
        f'{{"path":".","entries":[{{"name":"{name}","path":"{name}","depth":1,"type":"dir",'
        '"size_bytes":null,"modified_epoch_ms":0,"is_hidden":false,"error_code":null,'
        '"error":null}],"returned":1,"max_entries":200,"truncated":false,"truncated_reason":null}'
    )


def test_pipe_gets_the_exact_bytes_and_a_terminal_none_that_it_obeys(tmp_path: Path) -> None:
    hostile = tmp_path / HOSTILE
    hostile.mkdir()
    os.utime(hostile, (0, 0))
    command = [
        *(sys.executable, "-m", "treeglass", "call", "list_directory", '{"path": "."}'),
        *("--mount", f"/project={tmp_path}"),
    ]

    piped = subprocess.run(command, capture_output=True, check=True).stdout
    shown = run_on_a_terminal(command)

    # JSON escapes the C0 controls itself; the rest of the name is raw in it.
    exact = listing_of(HOSTILE.replace("\x1b", "\\u001b"))
    assert piped.decode() == f"{exact}\n"
    assert shown == listing_of("a\\u001b[31mredb\\u{202E}c")


def run_on_a_terminal(command: list[str]) -> str:
    """The output of a command at a terminal, less line ends."""
    ours, theirs = open_terminal()
    try:
        with subprocess.Popen(command, stdout=theirs, stderr=subprocess.DEVNULL):
            os.close(theirs)
            printed = read_until_hang_up(ours)
    finally:
        os.close(ours)
    return printed.decode().replace("\r\n", "")


def read_until_hang_up(descriptor: int) -> bytes:
    pieces = []
    while piece := read_or_nothing(descriptor):
        pieces.append(piece)
    return b"".join(pieces)


def read_or_nothing(descriptor: int) -> bytes:
    try:
        return os.read(descriptor, 65536)
    except OSError:
        # How Linux says that the other side of a terminal is closed.
        return b""
