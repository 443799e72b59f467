"""The measurements are kept as they were taken, and the report is made from them."""

from pathlib import Path

import pytest

from bench import facts as facts_module
from bench.demos.measure import DEMOS
from bench.facts import Facts, Round, read_facts, write_facts
from bench.report import cell, p95, ratio, table
from bench.runner import Answers, Job, run_rounds

FACTS = Facts(
    command="python build.py bench --part made-up --runs 2",
    about=["Chromium 1.0"],
    cores=2,
    loads=[0.5, 1.0],
    rounds=[
        {"a call": {"ours": {"taken_ms": [1.0, 3.0, 2.0]}, "theirs": {"taken_ms": 4.0}}},
        {"a call": {"ours": {"taken_ms": 6.0}, "theirs": {"taken_ms": "no answer: a|b"}}},
    ],
)


def test_what_was_measured_is_read_as_it_was_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(facts_module, "RAW", tmp_path / "raw")

    write_facts("made-up", FACTS)

    assert read_facts("made-up") == FACTS
    assert read_facts("another") is None


def test_a_figure_is_the_median_of_the_rounds_or_the_reason_why_it_is_missing() -> None:
    assert cell(FACTS, "a call", "ours", "taken_ms") == "4.00 ms [2.00-6.00]"
    assert cell(FACTS, "a call", "theirs", "taken_ms") == r"no answer: a\|b, in 1 of 2 runs"
    assert cell(FACTS, "a call", "ours", "peak_bytes") == ""


def test_a_ratio_is_of_two_figures_of_the_same_round() -> None:
    ours, theirs = (("a call", by, "taken_ms") for by in ("ours", "theirs"))

    assert ratio(FACTS, ours, theirs) == "0.50 x"


@pytest.mark.parametrize(
    ("count", "expected"), [(1, 1.0), (2, 2.0), (19, 19.0), (20, 19.0), (100, 95.0)]
)
def test_95th_percentile_is_that_of_the_nearest_rank(count: int, expected: float) -> None:
    assert p95([float(number) for number in range(count, 0, -1)]) == expected


def test_a_row_without_figures_is_left_out() -> None:
    assert table(["What", "Time"], [["a", "1 ms"], ["b", ""]]) == [
        "| What | Time |",
        "|---|---|",
        "| a | 1 ms |",
    ]
    assert table(["What", "Time"], [["b", ""]]) == []


def test_rounds_run_every_job_and_keep_the_order_of_the_report() -> None:
    ran: list[str] = []

    def job(name: str) -> Job:
        def measure() -> Round:
            ran.append(name)
            return {"a call": {name: {"taken_ms": 1.0}}}

        return Job(name, measure)

    rounds = run_rounds([[job("a"), job("b")], [job("c")]], 4)

    assert [list(each["a call"]) for each in rounds] == [["a", "b", "c"]] * 4
    assert sorted(ran) == sorted("abc" * 4)
    assert "acb" not in {"".join(ran[start : start + 3]) for start in range(0, 12, 3)}


def test_another_answer_ends_the_measurement() -> None:
    answers = Answers()
    answers.require_same("a call", "ours", "x")
    answers.require_same("a call", "theirs", "x")

    with pytest.raises(AssertionError, match="a call: ours gave 'x', another 'y'"):
        answers.require_same("a call", "another", "y")


def test_a_part_is_rendered_from_its_facts() -> None:
    bare = "a bare `loadPyodide()` in a worker"
    click = "from a click on the first demo to its answer"
    round_: Round = {
        click: {"element": {"taken_ms": 300.0}},
        bare: {bare: {"taken_ms": 2000.0}},
    }

    assert DEMOS.render(FACTS._replace(rounds=[round_])) == (
        "Made by `python build.py bench --part made-up --runs 2`.\n"
        "\n"
        "Chromium 1.0; 2 cores, load 0.5 and 1.0 before and after.\n"
        "Each figure is of one run.\n"
        "Every visit is a new browser process; a ratio is to the bare start of the same run.\n"
        "\n"
        "| What | Time | of bare |\n"
        "|---|---|---|\n"
        f"| {click} | 300 ms | 0.15 x |\n"
        f"| {bare} | 2,000 ms |  |"
    )
