"""`--patch FILE` of `treeglass call` and `treeglass mcp`."""

import json
import os
import shutil
import signal
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.conformance.edits.edit_cases import contents_of
from tests.support.mcp_process import OPENING, Server, call, serving
from tests.unit.command.conftest import RunCommand

GIT = shutil.which("git") or ""
needs_git = pytest.mark.skipif(not GIT, reason="Git is the oracle, and is not installed")
OFFERED = {"tools": {"offered": ["Read", "Write", "Edit"]}}


@pytest.fixture
def folder(make_tree: Callable[..., Path]) -> Path:
    return make_tree({"a.txt": "old\n"})


@pytest.fixture
def options(folder: Path, tmp_path: Path) -> tuple[str, ...]:
    """The options of a command whose tools change."""
    config = tmp_path / "treeglass.json"
    config.write_text(json.dumps(OFFERED))
    return f"--mount=/repo={folder}", f"--config={config}"


@needs_git
def test_a_call_leaves_its_changes_as_a_patch_that_git_applies(
    treeglass: RunCommand, options: tuple[str, ...], folder: Path, tmp_path: Path
) -> None:
    before = contents_of(folder)
    patch = tmp_path / "out.patch"
    arguments = json.dumps({"path": "n/new.txt", "content": "new\n"})

    code, _, errors = treeglass("call", "Write", arguments, *options, f"--patch={patch}")

    assert (code, errors, contents_of(folder)) == (0, "", before)
    subprocess.run([GIT, "apply", str(patch)], cwd=folder, check=True)
    assert contents_of(folder) == {**before, "n": None, "n/new.txt": b"new\n"}
    assert [path.name for path in tmp_path.iterdir() if path.suffix == ".part"] == []


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("tree/out.patch", "it lies in the mounted folder"),
        ("link/out.patch", "it lies in the mounted folder"),
        ("nowhere/out.patch", "does not exist"),
        ("tree", "it is a folder; name the file to write"),
    ],
)
def test_a_patch_goes_to_no_mounted_and_to_no_missing_folder(
    treeglass: RunCommand, options: tuple[str, ...], tmp_path: Path, name: str, reason: str
) -> None:
    folder = tmp_path / "tree"
    (tmp_path / "link").symlink_to(folder)
    before = contents_of(folder)
    arguments = json.dumps({"path": "a.txt", "content": "new\n"})

    code, output, errors = treeglass(
        "call", "Write", arguments, *options, f"--patch={tmp_path / name}"
    )

    assert (code, output, reason in errors, contents_of(folder)) == (2, "", True, before)


@pytest.mark.parametrize("command", [("call", "Read", '{"path": "a.txt"}'), ("mcp",)])
@pytest.mark.parametrize("size", [1, 1234])
def test_a_file_that_holds_something_is_refused_and_stays(
    treeglass: RunCommand,
    options: tuple[str, ...],
    tmp_path: Path,
    command: tuple[str, ...],
    size: int,
) -> None:
    said = {1: "1 byte", 1234: "1,234 bytes"}[size]
    patch = tmp_path / "out.patch"
    patch.write_bytes(b"+" * size)

    ran = treeglass(*command, *options, f"--patch={patch}")

    assert ran == (
        2,
        "",
        (
            f"treeglass: --patch {patch}: the file holds {said}, perhaps changes that are not "
            "applied; apply them and move the file away, or name another\n"
        ),
    )
    assert patch.read_bytes() == b"+" * size


def test_a_call_that_changes_nothing_writes_no_patch(
    treeglass: RunCommand, options: tuple[str, ...], tmp_path: Path
) -> None:
    before = sorted(tmp_path.iterdir())

    code, _, errors = treeglass(
        "call", "Read", '{"path": "a.txt"}', *options, f"--patch={tmp_path / 'out.patch'}"
    )

    assert (code, errors, sorted(tmp_path.iterdir())) == (0, "", before)


def test_a_server_writes_no_patch_before_the_first_change(
    options: tuple[str, ...], tmp_path: Path
) -> None:
    patch = tmp_path / "out.patch"
    with serving(*options, f"--patch={patch}") as server:
        server.send(*OPENING)
        server.answer()
        read = _ask(server, "Read", {"path": "a.txt"})
        was_there = patch.exists()
        _ask(server, "Write", {"path": "new.txt", "content": "one\n"})
        ended = server.ended()

    assert (read["isError"], was_there, patch.exists()) == (False, False, True)
    assert ended == (0, b"", b"")


def test_a_server_whose_tools_change_wants_a_file_for_the_patch(
    treeglass: RunCommand, options: tuple[str, ...]
) -> None:
    code, output, errors = treeglass("mcp", *options)

    assert (code, output) == (2, "")
    assert errors.endswith(
        "the configuration offers Edit, Write, and nothing would keep the changes that it "
        "proposes: name a file for the patch by --patch FILE\n"
    )


@needs_git
def test_a_server_keeps_its_patch_after_each_call_and_when_its_process_is_replaced(
    options: tuple[str, ...], folder: Path, tmp_path: Path
) -> None:
    before = contents_of(folder)
    patch = tmp_path / "out.patch"
    with serving(*options, f"--patch={patch}") as server:
        server.send(*OPENING)
        server.answer()
        made = _ask(server, "Write", {"path": "new.txt", "content": "one\n"})
        after_first = patch.read_text()
        _kill_process_of_calls(server)
        read = _ask(server, "Read", {"path": "new.txt"})
        _ask(server, "Write", {"path": "new.txt", "content": "two\n"})

    assert ("+one" in after_first, made["isError"], read["isError"]) == (True, False, False)
    assert "   1 | one" in json.loads(read["content"][0]["text"])["data"]["content"]
    assert contents_of(folder) == before
    subprocess.run([GIT, "apply", str(patch)], cwd=folder, check=True)
    assert contents_of(folder) == {**before, "new.txt": b"two\n"}


def test_a_server_names_a_file_that_it_cannot_write_and_writes_all_changes_later(
    options: tuple[str, ...], tmp_path: Path
) -> None:
    place = tmp_path / "place"
    place.mkdir()
    patch = place / "out.patch"
    with serving(*options, f"--patch={patch}") as server:
        server.send(*OPENING)
        server.answer()
        _ask(server, "Read", {"path": "a.txt"})  # the process of calls has found the folder
        shutil.rmtree(place)
        made = _ask(server, "Write", {"path": "one.txt", "content": "one\n"})
        place.mkdir()
        _ask(server, "Write", {"path": "two.txt", "content": "two\n"})
        *_, complaints = server.ended()

    added = [line for line in patch.read_text().splitlines() if line.startswith("+++")]
    assert (made["isError"], added) == (False, ["+++ b/one.txt", "+++ b/two.txt"])
    reason = f"treeglass: {str(patch)!r} cannot be written: No such file or directory\n"
    assert complaints.decode() == reason


def _ask(server: Server, tool: str, arguments: dict[str, str]) -> Any:
    server.send(call(tool, arguments))
    return server.answer()["result"]


def _kill_process_of_calls(server: Server) -> None:
    parent = server.process.pid
    listed = Path(f"/proc/{parent}/task/{parent}/children").read_text()
    for child in listed.split():
        # Windows has no such signal, and no such folder either.
        os.kill(int(child), getattr(signal, "SIGKILL", signal.SIGTERM))
