"""A suite on a host is one report, in which each case counts by itself."""

from typing import cast

from tests.conformance.answers.answer_book import AnswerBook
from tests.conformance.recorded import Case, failure_reason, suite
from tests.conformance.scenes import Answer, Capability
from tests.conformance.suite_outcome import judge_suite

CASES = suite("read_file_documented_defaults")
DIFFERS, BREAKS, LACKS = (case.id for case in CASES[:3])
DEVIATION = "s-dev-null"


class Book:
    """Answers with the id of the case, except for one that breaks and one that is not asked."""

    def lacking(self, case: Case) -> list[Capability]:
        return [Capability.PIPES, Capability.RAW_NAMES] if case.id == LACKS else []

    def answer(self, case: Case) -> Answer:
        if case.id == BREAKS:
            raise RuntimeError("the worker is gone")
        return Answer(
            content=case.id,
            structured_content=None,
            is_error=False,
            error_kind=None,
            error_message=None,
            truncated=False,
            next_arguments=None,
            warnings=(),
        )


BOOK = cast("AnswerBook", Book())


def agree(answer: Answer, case: Case) -> None:
    assert answer.content == case.id


def differ(answer: Answer, _case: Case) -> None:
    if answer.content in {DIFFERS, DEVIATION}:
        raise AssertionError("two lines, not one")


def test_each_case_that_fails_is_named_with_its_difference() -> None:
    outcome = judge_suite("cpython", "read_file_documented_defaults", BOOK, differ)

    assert outcome.failures == [
        f"{DIFFERS} differs:\ntwo lines, not one",
        f"{BREAKS} has no answer: RuntimeError: the worker is gone",
    ]
    assert outcome.counts() == {
        "passed": len(CASES) - 3,
        "failed": 2,
        "excused": {"pipes and bytes in names that are no UTF-8": 1},
        "expected_failures": {},
    }


def test_a_deviation_that_is_meant_counts_under_its_reason() -> None:
    outcome = judge_suite("cpython", "read_file", BOOK, differ)

    assert outcome.failures == []
    assert outcome.counts() == {
        "passed": len(suite("read_file")) - 1,
        "failed": 0,
        "excused": {},
        "expected_failures": {reason_of_the_deviation(): 1},
    }


def test_a_deviation_that_no_longer_differs_fails() -> None:
    outcome = judge_suite("cpython", "read_file", BOOK, agree)

    stale = f"{DEVIATION} passes, so this expected failure is stale: {reason_of_the_deviation()}"
    assert outcome.failures == [stale]
    assert outcome.counts()["failed"] == 1


def reason_of_the_deviation() -> str:
    (case,) = (case for case in suite("read_file") if case.id == DEVIATION)
    reason = failure_reason("cpython", case)
    assert reason is not None
    return reason
