"""The page of the hosts says of each host what the tests require of it."""

import json
from typing import Any

from build_steps.testing.matrix import (
    FACTS,
    PAGE,
    Facts,
    counts_of,
    differences,
    facts_of,
    render_table,
    with_table,
)
from tests.conformance.recorded import HOSTS, Case, all_cases, failure_reason
from tests.conformance.scenes import Capability
from tests.conformance.test_expectations import EXCUSED

MEANT, DIFFERS = "it is meant", "it differs"


def _counts(
    cases: int, passed: int, failed: int, excused: dict[str, int], expected: dict[str, int]
) -> dict[str, Any]:
    counts = {"cases": cases, "passed": passed, "failed": failed, "excused": excused}
    return {**counts, "expected_failures": expected}


SMALL_RUN = {
    "hosts": {
        "cpython": {"version": "CPython 3.13.0", "start_ms": 200.0},
        "here": {"version": "Here 1.0", "start_ms": 50.0},
    },
    "rows": [
        {"host": "cpython", "suite": "ls", **_counts(4, 3, 0, {}, {MEANT: 1})},
        {"host": "here", "suite": "ls", **_counts(4, 1, 0, {"pipes": 2}, {MEANT: 1})},
        {"host": "here", "suite": "list_dir", **_counts(2, 0, 1, {}, {DIFFERS: 1})},
    ],
}


def test_facts_are_what_every_host_is_held_to() -> None:
    expected = facts_of({"hosts": {}, "rows": [held_to(host) for host in HOSTS]})

    told = json.loads(FACTS.read_text("utf-8"))

    assert {host: counts_of(facts) for host, facts in told.items()} == {
        host: counts_of(facts) for host, facts in expected.items()
    }, "run `python build.py matrix`"


def test_page_holds_the_table_of_these_facts() -> None:
    page = PAGE.read_text("utf-8")

    assert with_table(page, render_table(json.loads(FACTS.read_text("utf-8")))) == page


def test_table_has_hosts_excuses_and_reasons() -> None:
    assert render_table(facts_of(SMALL_RUN), {"there": "put There on the PATH"}) == (
        "| Host | Version | Cases | Passed | Failed | Excused | Expected to fail | Start |\n"
        "| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: |\n"
        "| `cpython` | CPython 3.13.0 | 4 | 3 | 0 | 0 | 1 | 1.0 |\n"
        "| `here` | Here 1.0 | 6 | 1 | 1 | 2 | 2 | 0.2 |\n"
        "| `there` | not on this machine: put There on the PATH |  |  |  |  |  |  |\n"
        "\n"
        "Excused, by what the case needs:\n"
        "\n"
        "| Host | pipes |\n"
        "| --- | ---: |\n"
        "| `here` | 2 |\n"
        "\n"
        "Expected to fail, and why:\n"
        "\n"
        "| Reason | Cases | Hosts |\n"
        "| --- | ---: | --- |\n"
        "| it is meant | 1 | all |\n"
        "| it differs | 1 | `here` |\n"
    )


def test_facts_of_a_host_add_up_those_of_its_suites() -> None:
    assert facts_of(SMALL_RUN) == {
        "cpython": {
            "version": "CPython 3.13.0",
            "start": 1.0,
            **_counts(4, 3, 0, {}, {MEANT: 1}),
        },
        "here": {
            "version": "Here 1.0",
            "start": 0.2,
            **_counts(6, 1, 1, {"pipes": 2}, {MEANT: 1, DIFFERS: 1}),
        },
    }


def test_a_difference_from_the_facts_is_named_and_so_is_a_missing_host() -> None:
    seen = facts_of(SMALL_RUN)
    told: Facts = {
        "cpython": {**seen["cpython"], "passed": 4, "start": 9.0},
        "there": seen["here"],
    }
    del seen["here"]["excused"]["pipes"]

    assert differences(told, seen) == [
        "of cpython, passed: 4; it is 3.",
        "of here, cases: nothing; it is 6.",
        "of here, passed: nothing; it is 1.",
        "of here, failed: nothing; it is 1.",
        "of here, excused: nothing; it is {}.",
        "of here, expected_failures: nothing; it is {'it is meant': 1, 'it differs': 1}.",
        "of there what was not tried: it is not here.",
    ]


def held_to(host: str) -> dict[str, Any]:
    """The record of a run on a host that matches the constants of the tests."""
    excused: dict[str, int] = {}
    expected: dict[str, int] = {}
    for case in all_cases():
        if lacking := lacking_of(host, case):
            excused[lacking] = excused.get(lacking, 0) + 1
        elif reason := failure_reason(host, case):
            expected[reason] = expected.get(reason, 0) + 1
    cases = len(all_cases())
    passed = cases - sum(excused.values()) - sum(expected.values())
    return {"host": host, **_counts(cases, passed, 0, excused, expected)}


def lacking_of(host: str, case: Case) -> str:
    # The library folder is that of the Python that runs the tests, which no host provides.
    return " and ".join(sorted(case.needs & (EXCUSED[host] | {Capability.LIBRARY})))
