"""A host whose program dies or hangs reports it, and later requests fail at once."""

import sys
from contextlib import closing

import pytest

from tests.conformance.hosts.job_program import JobProgram, ProgramEnded

_ANSWERS_ONCE = """\
import sys
print(sys.stdin.readline(), end="", flush=True)
sys.stdin.readline()
print("out of memory", file=sys.stderr)
sys.exit(7)
"""
_HANGS = """\
import signal, sys
print("waiting", file=sys.stderr, flush=True)
signal.pause()
"""


def test_the_error_of_a_program_that_ends_has_its_exit_code_and_its_output() -> None:
    said = []
    with closing(JobProgram("host", [sys.executable, "-c", _ANSWERS_ONCE])) as program:
        assert program.ask({"some": "job"}) == {"some": "job"}
        for _ in range(3):
            with pytest.raises(ProgramEnded) as ended:
                program.ask("another")
            said.append(str(ended.value))

    expected = "host ended with exit code 7; its standard error: 'out of memory\\n'"
    assert said == [expected] * 3


def test_a_program_that_hangs_is_ended_and_told_once() -> None:
    said = []
    hanging = [sys.executable, "-c", _HANGS]
    with closing(JobProgram("host", hanging, patience_s=1.5)) as program:
        for _ in range(3):
            with pytest.raises(ProgramEnded) as ended:
                program.ask("job")
            said.append(str(ended.value))

    expected = "host gave no answer in 1.5 s; its standard error: 'waiting\\n'"
    assert said == [expected] * 3


def test_a_program_that_complains_at_its_end_fails_there() -> None:
    complaining = "import sys; sys.stdin.read(); sys.stderr.write('leaked')"
    program = JobProgram("host", [sys.executable, "-c", complaining])

    with pytest.raises(AssertionError) as raised:
        program.close()

    told = "host ended with exit code 0; its standard error: 'leaked'"
    assert str(raised.value).split("\n")[0] == told
