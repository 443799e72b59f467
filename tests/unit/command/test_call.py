import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.unit.command.conftest import RunCommand


@pytest.fixture
def mount(make_tree: Callable[..., Path]) -> str:
    root = make_tree({"a\nb.txt": "hello\n", "src/é.txt": "x"})
    return f"/repo={root}"


def test_call_prints_the_content_and_nothing_else(treeglass: RunCommand, mount: str) -> None:
    done = treeglass("call", "list_dir", '{"dir_path": "/repo"}', "--mount", mount)

    assert done == (0, "Absolute path: /repo\na\\u{A}b.txt\nsrc/\n  é.txt\n", "")


@pytest.mark.parametrize("command", [[], ["--family", "all"], ["--family", "envelope"]])
def test_a_call_names_a_tool_of_any_family(
    treeglass: RunCommand, mount: str, command: list[str]
) -> None:
    arguments = '{"path": "src/é.txt"}'
    code, printed, _ = treeglass("call", "Read", arguments, "--mount", mount, *command)

    assert (code, json.loads(printed)["status"]) == (0, "success")


def test_a_call_outside_of_the_family_that_is_asked_for_is_unknown(
    treeglass: RunCommand, mount: str
) -> None:
    done = treeglass("call", "LS", "{}", "--mount", mount, "--family", "codex")

    assert done == (
        1,
        "Unknown tool: LS\n",
        (
            'treeglass: LS is not offered: add "LS" to tools.offered of the configuration. The '
            "tools are: grep_files, list_dir, read_file.\n"
        ),
    )


def test_a_process_prints_a_tools_own_error_and_exits_with_one(mount: str) -> None:
    arguments = ["call", "read_file", '{"file_path": "/repo/nope"}', "--mount", mount]
    done = subprocess.run(
        [sys.executable, "-m", "treeglass", *arguments],
        capture_output=True,
        check=False,
        timeout=60,
    )

    assert (done.returncode, done.stderr) == (1, b"")
    assert done.stdout == b"failed to read file: No such file or directory (os error 2)\n"


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_arguments_come_from_a_file_or_from_stdin(
    treeglass: RunCommand, mount: str, tmp_path: Path, encoding: str
) -> None:
    sent = '{"file_path": "/repo/src/é.txt"}\n'.encode(encoding)
    (tmp_path / "arguments.json").write_bytes(sent)

    answers = [
        treeglass("call", "read_file", f"@{tmp_path}/arguments.json", "--mount", mount),
        treeglass("call", "read_file", "-", "--mount", mount, stdin=sent),
    ]

    assert answers == [(0, "L1: x\n", "")] * 2


def test_arguments_that_are_no_text_are_wrong_usage(treeglass: RunCommand, mount: str) -> None:
    done = treeglass("call", "LS", "-", "--mount", mount, stdin=b'{"\xff": 1}')

    complaint = "treeglass: the arguments cannot be read from stdin: it is not text in UTF-8 or"
    assert done == (2, "", f"{complaint} UTF-16\n")


def test_an_unknown_tool_is_told_which_there_are(
    treeglass: RunCommand, mount: str, tmp_path: Path
) -> None:
    config = tmp_path / "treeglass.toml"
    config.write_text('[tools]\nexperimental_supported_tools = ["read_file"]\noffered = ["LS"]\n')

    done = treeglass("call", "list_file", "{}", "--mount", mount, "--config", config)

    assert done == (1, "Unknown tool: list_file\n", "treeglass: The tools are: LS, read_file.\n")


def test_json_prints_the_whole_result(treeglass: RunCommand, mount: str) -> None:
    arguments = '{"dir_path": "/repo", "limit": 1}'
    _, printed, _ = treeglass("call", "list_dir", arguments, "--mount", mount, "--json")

    result = json.loads(printed)
    assert result.pop("elapsed_ms") > 0
    assert result == {
        "content": "Absolute path: /repo\na\\u{A}b.txt\nMore than 1 entries found",
        "is_error": False,
        "error": None,
        "structured": None,
        "truncated": True,
        "next_arguments": {"dir_path": "/repo", "limit": 1, "offset": 2},
        "warnings": result["warnings"],
    }
    assert len(result["warnings"]) == 1


def test_budgets_directories_and_configuration_are_options(
    treeglass: RunCommand, mount: str, tmp_path: Path
) -> None:
    config = tmp_path / "treeglass.toml"
    config.write_text("[tools.list_directory]\nmax_entries = 1\n")
    code, printed, complaints = treeglass(
        *("call", "list_directory", '{"path": "."}', "--mount", mount, "--config", config),
        *("--project-root", "/repo", "--working-dir", "/repo/src", "--max-output-bytes", "99"),
    )

    assert (code, complaints) == (1, "")
    assert printed.startswith("list_directory failed: output budget too small")


def test_call_takes_the_nulls_of_a_strict_schema(
    treeglass: RunCommand, make_tree: Callable[..., Path]
) -> None:
    nulls = '{"path": ".", "offset": null, "limit": null, "include_hidden": null, "ignore": null}'
    root = make_tree({"a.txt": "one\n"})

    code, printed, _ = treeglass(
        "call", "LS", nulls, "--mount", f"/repo={root}", "--nulls-are-absent"
    )

    entries = [{"path": "a.txt", "type": "file"}]
    assert (code, json.loads(printed)["data"]["entries"]) == (0, entries)
