import hashlib
import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.conformance.edits.edit_cases import contents_of
from tests.unit.command.conftest import RunCommand
from treeglass.command.batch import MAX_LINE_BYTES


@pytest.fixture
def mount(make_tree: Callable[..., Path]) -> str:
    root = make_tree({"a.txt": "hello\n", "src/é.txt": "x"})
    return f"/repo={root}"


def test_batch_answers_each_line_and_goes_on_after_a_bad_one(
    treeglass: RunCommand, mount: str
) -> None:
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
    code, printed, complaints = treeglass(
        "batch", "--mount", mount, stdin="\n".join(lines).encode()
    )

    answers = [json.loads(line) for line in printed.splitlines()]
    assert (code, complaints) == (0, "")
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
    treeglass: RunCommand, mount: str, number: str, reason: str
) -> None:
    line = f'{{"id": {number}, "tool": "LS", "arguments": {{}}}}'
    _, printed, _ = treeglass("batch", "--mount", mount, stdin=line.encode())

    assert json.loads(printed)["content"] == f"the line is not JSON: {reason}"


def test_batch_refuses_a_line_that_is_too_long_and_goes_on(
    treeglass: RunCommand, mount: str
) -> None:
    too_long = b'{"tool": "' + b"x" * MAX_LINE_BYTES + b'"}\n'
    line = b'{"tool": "read_file", "arguments": {"file_path": "/repo/src/\xc3\xa9.txt"}}\n'
    _, printed, _ = treeglass("batch", "--mount", mount, stdin=too_long + line)

    refused, answered = map(json.loads, printed.splitlines())
    assert refused["error"]["kind"] == "BadRequest"
    assert answered["content"] == "L1: x"


def test_a_process_whose_reader_goes_away_exits_with_one_in_silence(mount: str) -> None:
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


def test_lines_of_a_batch_ask_for_the_changes_and_discard_them(
    treeglass: RunCommand, make_tree: Callable[..., Path]
) -> None:
    root = make_tree({"a.txt": "old\n"})
    before = contents_of(root)
    config = {"tools": {"offered": ["Read", "Write"]}}
    new, a = {"path": "new.txt", "content": "n\n"}, {"path": "a.txt"}
    lines = [
        {"id": 1, "tool": "Write", "arguments": new, "time_ms": 7_000, "config": config},
        {"id": 2, "tool": "Write", "arguments": {**a, "content": "x\n"}, "config": config},
        {"id": 3, "tool": "Read", "arguments": {"path": "new.txt"}, "config": config},
        {"id": 4, "changes": True},
        {"id": 5, "discard": True},
        {"id": 6, "changes": True},
        {"id": 7, "tool": "Read", "arguments": a},
        {"id": 8, "changes": True, "discard": True},
        {"id": 9, "changes": False},
    ]
    code, printed, complaints = treeglass(
        "batch", f"--mount=/repo={root}", stdin="\n".join(map(json.dumps, lines)).encode()
    )
    answers = {answer["id"]: answer for answer in map(json.loads, printed.splitlines())}

    def facts(content: bytes) -> dict[str, object]:
        digest = hashlib.sha256(content).hexdigest()
        return {"sha256": digest, "size_bytes": len(content), "mode": "644"}

    assert (code, complaints, contents_of(root)) == (0, "", before)
    assert json.loads(answers[3]["content"])["stats"]["file_mtime_ms"] == 7_000
    assert answers[4] == {
        "id": 4,
        "changes": {
            "format": "treeglass-changes/1",
            "entries": [
                {
                    "path": "/repo/a.txt",
                    "operation": "modify",
                    "kind": "file",
                    "from": None,
                    "before": facts(b"old\n"),
                    "after": facts(b"x\n"),
                },
                {
                    "path": "/repo/new.txt",
                    "operation": "create",
                    "kind": "file",
                    "from": None,
                    "before": None,
                    "after": facts(b"n\n"),
                },
            ],
        },
    }
    assert answers[5] == {"id": 5, "discard": True}
    assert answers[6]["changes"]["entries"] == []
    assert "   1 | old" in answers[7]["content"]
    assert answers[8]["content"] == "discard: Extra inputs are not permitted"
    assert answers[9]["content"] == "changes: Input should be True"
