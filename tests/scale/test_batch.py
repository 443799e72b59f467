"""Ten thousand calls over a real tree, in one process of the command line."""

import json
import random
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, NamedTuple

import pytest

from tests.scale.expected_answers import Call, Expected, ExpectedAnswers
from tests.scale.standard_library import copy_standard_library
from tests.support.hosts.process_memory import CAN_MEASURE, MIB, resident_bytes

pytestmark = pytest.mark.slow

_CALLS = 10_000
_WARM_CALLS = 2_000

_MOST_GROWTH_BYTES = 4 * MIB
"""What 8,000 calls may add: half a KiB each, less than the smallest call's own
answer, so that keeping anything of every call would show."""


class Run(NamedTuple):
    """The outcome of one batch."""

    wrong: list[tuple[Call, Expected]]
    """Calls with a wrong answer, and that answer."""
    answer_count: int
    resident_when_warm: int | None
    resident_at_the_end: int | None


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Run:
    """Every call made once, in one process."""
    folder = copy_standard_library(tmp_path_factory.mktemp("library"))
    calls = _mixed_calls(ExpectedAnswers(folder, "/lib"))
    wrong: list[tuple[Call, Expected]] = []
    with _batch(folder) as (process, requests, answers):
        resident: list[int | None] = []
        for count, call in enumerate(calls, start=1):
            line = {"id": count, "tool": call.tool, "arguments": call.arguments}
            requests.write(json.dumps(line) + "\n")
            requests.flush()
            answer = json.loads(answers.readline())
            got = Expected(
                answer["content"],
                answer["is_error"],
                answer["truncated"],
                answer["next_arguments"],
            )
            if got != call.expected or answer["id"] != count:
                wrong.append((call, got))
            if count in {_WARM_CALLS, _CALLS}:
                resident.append(resident_bytes(process.pid))
    return Run(wrong, len(calls), *resident)


@contextmanager
def _batch(folder: Path) -> Iterator[tuple[subprocess.Popen[str], IO[str], IO[str]]]:
    command = [sys.executable, "-m", "treeglass", "batch", "--mount", f"/lib={folder}"]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, encoding="utf-8"
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        yield process, process.stdin, process.stdout
        process.stdin.close()
        rest = process.stdout.read()
    assert (rest, process.returncode) == ("", 0)


def _mixed_calls(answers: ExpectedAnswers) -> list[Call]:
    """Return the calls, the largest among the first so that none comes as a surprise."""
    chance = random.Random(20_261_121)  # noqa: S311  # the same calls on every run
    calls = [answers.list_dir("", offset=1, limit=1_000, depth=20)]
    calls += [answers.read_file(path, offset=1, limit=100) for path in answers.files[:_WARM_CALLS]]
    while len(calls) < _CALLS:
        if chance.random() < 0.05:
            calls += answers.missing(f"no-{chance.randrange(1_000)}")
        elif chance.random() < 0.5:
            path = chance.choice(answers.files)
            # A little past the end at times, which is an error of its own.
            offset = chance.randint(1, len(answers.lines_of(path)) + 20)
            calls.append(answers.read_file(path, offset=offset, limit=chance.randint(1, 100)))
        else:
            calls.append(
                answers.list_dir(
                    chance.choice(["", *answers.directories]),
                    offset=chance.randint(1, 60),
                    limit=chance.choice([1, 25, 200, 1_000]),
                    depth=chance.randint(1, 5),
                )
            )
    return calls[:_CALLS]


def test_ten_thousand_mixed_calls_are_all_answered_right(run: Run) -> None:
    assert (run.wrong, run.answer_count) == ([], _CALLS)


@pytest.mark.skipif(not CAN_MEASURE, reason="the system does not tell what a process holds")
def test_memory_after_ten_thousand_calls_is_that_after_two_thousand(run: Run) -> None:
    assert run.resident_when_warm is not None
    assert run.resident_at_the_end is not None
    grown = run.resident_at_the_end - run.resident_when_warm
    assert grown <= _MOST_GROWTH_BYTES, f"grew by {grown / MIB:.1f} MiB"
