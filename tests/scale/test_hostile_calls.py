"""Hostile calls end on CPython soon after their limit, and take bounded memory."""

import importlib.util
import json
import sys

import pytest

from build_steps.folders import ROOT
from tests.support.hostile_calls import (
    LIMIT_SECONDS,
    MAX_GROWTH_BYTES,
    hostile_calls,
)
from tests.support.programs import run

pytestmark = pytest.mark.slow

PROCESSOR_GRACE_SECONDS = 0.4
"""What a call may use of the processor beyond its limit."""


@pytest.mark.skipif(
    importlib.util.find_spec("resource") is None, reason="this system does not tell a peak"
)
def test_each_hostile_call_ends_in_time_and_in_bounded_memory() -> None:
    # In a process of its own, whose memory no other test has taken.
    done = run(sys.executable, "-m", "tests.scale.hostile_run", folder=ROOT)

    assert (done.returncode, done.stderr) == (0, "")
    found = json.loads(done.stdout)
    assert [*found["seconds"]] == [call.name for call in hostile_calls()]
    late = {
        name: seconds
        for name, seconds in found["seconds"].items()
        if seconds > LIMIT_SECONDS + PROCESSOR_GRACE_SECONDS
    }
    assert late == {}
    assert found["grown_bytes"] < MAX_GROWTH_BYTES
