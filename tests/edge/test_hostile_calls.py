"""Hostile calls end in Node in time and in bounded memory, and the next call is answered."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.support.hostile_calls import (
    EMPTY,
    GRACE_SECONDS,
    IGNORE_FILE,
    MAX_GROWTH_BYTES,
    NODE_LIMIT_SECONDS,
    TREE,
    config_for,
    hostile_calls,
)
from tests.support.hosts.edge_support import PACKAGE, command_of, environment
from tests.support.programs import run

_DRIVER = Path(__file__).with_name("hostile_calls.mjs")


@pytest.mark.skipif(
    not Path("/proc/self/clear_refs").exists(), reason="this system does not forget a peak"
)
def test_each_hostile_call_ends_in_time_and_in_bounded_memory(
    make_tree: Callable[..., Path],
) -> None:
    calls = [
        {
            "name": each.name,
            "config": config_for(each.family),
            "ignoreContent": each.ignore_file,
            "first": each.first,
            "call": [each.tool, each.arguments],
        }
        for each in hostile_calls()
    ]
    given = {
        "limitMs": NODE_LIMIT_SECONDS * 1000,
        "graceMs": GRACE_SECONDS * 1000,
        "ignoreFile": IGNORE_FILE,
        "empty": EMPTY,
        "calls": calls,
    }

    done = run(
        *command_of("node", _DRIVER),
        (PACKAGE / "edge.js").as_uri(),
        make_tree(TREE),
        env=environment(),
        given=json.dumps(given),
    )

    assert (done.returncode, done.stderr) == (0, "")
    found = json.loads(done.stdout)
    assert [*found] == [each["name"] for each in calls]
    assert {name: end for name, end in found.items() if not end["isReady"]} == {}
    assert {end["end"] for end in found.values()} <= {"answered", "TimedOut"}, found
    over = {name: end for name, end in found.items() if end["grownBytes"] > MAX_GROWTH_BYTES}
    assert over == {}
