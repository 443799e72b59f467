"""The command line, run as a person runs it: a process of its own."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


def treeglass(*arguments: str, stdin: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [sys.executable, "-m", "treeglass", *arguments],
        input=stdin,
        capture_output=True,
        check=False,
        timeout=60,
    )


@pytest.fixture
def mount(make_tree: Callable[..., Path]) -> str:
    root = make_tree({"a\nb.txt": "hello\n", "src/é.txt": "x"})
    return f"/repo={root}"


def test_call_prints_the_content_and_nothing_else(mount: str) -> None:
    done = treeglass("call", "list_dir", '{"dir_path": "/repo"}', "--mount", mount)

    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout.decode() == "Absolute path: /repo\na\\u{A}b.txt\nsrc/\n  é.txt\n"


def test_a_tools_own_error_is_printed_and_exits_with_one(mount: str) -> None:
    done = treeglass("call", "read_file", '{"file_path": "/repo/nope"}', "--mount", mount)

    assert (done.returncode, done.stderr) == (1, b"")
    assert done.stdout == b"failed to read file: No such file or directory (os error 2)\n"


def test_json_prints_the_whole_result(mount: str) -> None:
    arguments = '{"dir_path": "/repo", "limit": 1}'
    done = treeglass("call", "list_dir", arguments, "--mount", mount, "--json")

    result = json.loads(done.stdout)
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


def test_budgets_directories_and_configuration_are_options(mount: str, tmp_path: Path) -> None:
    config = tmp_path / "treeglass.toml"
    config.write_text("[tools.list_directory]\nmax_entries = 1\n")
    done = treeglass(
        *("call", "list_directory", '{"path": "."}', "--mount", mount, "--config", str(config)),
        *("--project-root", "/repo", "--working-dir", "/repo/src", "--max-output-bytes", "99"),
    )

    assert done.returncode == 1
    assert done.stdout.startswith(b"list_directory failed: output budget too small")


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        pytest.param([], "the following arguments are required: COMMAND", id="no command"),
        pytest.param(
            ["call", "LS", "{}"], "the following arguments are required: --mount", id="no mount"
        ),
        pytest.param(
            ["call", "LS", "{}", "--mount", "/repo"],
            "argument --mount: '/repo' is not of the form /PATH=DIR",
            id="half a mount",
        ),
        pytest.param(
            ["call", "LS", "{}", "--mount", "/a=.", "--mount", "/a=src"],
            "treeglass: two mounts have the same virtual path",
            id="a mount twice",
        ),
        pytest.param(
            ["call", "LS", "{}", "--mount", "/a=no/such"],
            "treeglass: mount point '/a': No such file or directory (os error 2)",
            id="a directory that is missing",
        ),
        pytest.param(
            ["tools", "--config", "no-such.toml"],
            "treeglass: cannot read no-such.toml: No such file or directory",
            id="a configuration that is missing",
        ),
        pytest.param(
            ["call", "LS", "{}", "--mount", "/a=.", "--max-output-bytes", "-1"],
            "argument --max-output-bytes: '-1' is not a number of bytes",
            id="a negative budget",
        ),
    ],
)
def test_wrong_usage_exits_with_two_and_a_sentence(arguments: list[str], sentence: str) -> None:
    done = treeglass(*arguments)

    assert (done.returncode, done.stdout) == (2, b"")
    last_line = done.stderr.decode().splitlines()[-1]
    assert last_line.endswith(sentence)
    assert b"Traceback" not in done.stderr


@pytest.mark.parametrize(
    ("format_name", "keys"),
    [
        ("mcp", ["_meta", "annotations", "description", "inputSchema", "name", "title"]),
        ("openai", ["description", "name", "parameters", "strict", "type"]),
        ("openai-chat", ["function", "type"]),
        ("anthropic", ["description", "input_schema", "name"]),
    ],
)
def test_tools_are_printed_in_the_shape_of_each_host(format_name: str, keys: list[str]) -> None:
    done = treeglass("tools", "--format", format_name)

    tools = json.loads(done.stdout)
    assert [tool.get("name", tool.get("function", {}).get("name")) for tool in tools] == [
        "LS",
        "list_dir",
        "list_directory",
        "read_file",
    ]
    assert sorted(tools[1]) == keys


def test_gemini_takes_one_object_with_all_declarations() -> None:
    (tool,) = json.loads(treeglass("tools", "--format", "gemini").stdout)

    assert [sorted(declaration) for declaration in tool["functionDeclarations"]] == [
        ["description", "name", "parametersJsonSchema"],
        ["description", "name", "parametersJsonSchema"],
        ["description", "name", "parametersJsonSchema"],
        ["description", "name", "parametersJsonSchema"],
    ]


def test_batch_answers_each_line_and_goes_on_after_a_bad_one(mount: str) -> None:
    lines = [
        '{"id": 1, "tool": "read_file", "arguments": {"file_path": "/repo/src/\\u00e9.txt"}}',
        "not json",
        "",
        '{"id": "two", "tool": "nope", "arguments": {}}',
        '{"id": 3, "tool": "LS", "arguments": {}, "color": "red"}',
        '{"id": 4, "tool": "LS", "arguments": {}, "config": {"tools": {"mode": "no"}}}',
        '{"tool": "list_dir", "arguments": "{\\"dir_path\\": \\"/repo/src\\"}"}',
        '{"tool": "LS", "arguments": {}, "working_dir": "/repo/src", "max_output_bytes": 10}',
        '{"id": 5, "tool": "LS", "arguments": {}, "config": {"tools": {"offered": []}}}',
    ]
    done = treeglass("batch", "--mount", mount, stdin="\n".join(lines).encode())

    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert done.returncode == 0
    assert [(answer.get("id"), answer["content"]) for answer in answers if "id" in answer] == [
        (1, "L1: x"),
        ("two", "Unknown tool: nope"),
        (3, "color: Extra inputs are not permitted"),
        (4, "config: tools.mode: Input should be 'enabled', 'parse_only' or 'disabled'"),
        (5, "Unknown tool: LS"),
    ]
    bad, listed, small = (answer for answer in answers if "id" not in answer)
    assert bad["error"] == {
        "kind": "BadRequest",
        "message": "the line is not JSON: Expecting value: line 1 column 1 (char 0)",
    }
    assert listed["content"] == "Absolute path: /repo/src\né.txt"
    assert small["error"]["kind"] == "INTERNAL_ERROR"
    assert sorted(bad) == sorted(listed) == sorted(small)


@pytest.mark.parametrize(
    ("number", "reason"),
    [
        pytest.param("NaN", "NaN is not a JSON number", id="not a number"),
        pytest.param("-1e999", "it holds a number that is too large", id="beyond a float"),
        pytest.param("9" * 5000, "it holds a number of too many digits", id="5,000 digits"),
    ],
)
def test_batch_refuses_a_number_that_no_answer_could_repeat(
    mount: str, number: str, reason: str
) -> None:
    line = f'{{"id": {number}, "tool": "LS", "arguments": {{}}}}'
    done = treeglass("batch", "--mount", mount, stdin=line.encode())

    assert json.loads(done.stdout)["content"] == f"the line is not JSON: {reason}"


def test_a_reader_that_goes_away_is_no_error_worth_a_traceback(mount: str) -> None:
    line = b'{"tool": "list_dir", "arguments": {"dir_path": "/repo"}}\n'
    process = subprocess.Popen(
        [sys.executable, "-m", "treeglass", "batch", "--mount", mount],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert process.stdout is not None
    process.stdout.close()
    assert process.communicate(line * 2000, timeout=60)[1] == b""
    assert process.returncode == 1
