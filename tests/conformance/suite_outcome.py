"""The outcome of one suite on one host: each case judged by itself, in one report."""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from tests.conformance.answers.answer_book import AnswerBook
from tests.conformance.recorded import Case, failure_reason, suite
from tests.conformance.scenes import Answer

Judge: TypeAlias = "Callable[[Answer, Case], None]"
"""Raises `AssertionError` for an answer that differs from the recorded one."""


@dataclass(slots=True)
class SuiteOutcome:
    """The counts of a suite on a host, and a text for each case that fails."""

    passed: int = 0
    failures: list[str] = field(default_factory=list)
    excused: Counter[str] = field(default_factory=Counter)
    """By the capabilities that the host lacks."""
    expected_failures: Counter[str] = field(default_factory=Counter)
    """By the reason of the entry in `expected_failures.toml`."""

    def counts(self) -> dict[str, Any]:
        """Return the counts as plain data, which crosses from one process to another."""
        return {
            "passed": self.passed,
            "failed": len(self.failures),
            "excused": dict(self.excused),
            "expected_failures": dict(self.expected_failures),
        }


def judge_suite(host: str, suite_name: str, book: AnswerBook, judge: Judge) -> SuiteOutcome:
    """Judge every case of a suite that the host has the capabilities for.

    An entry of `expected_failures.toml` for a case that passes is stale, and fails the case.
    """
    outcome = SuiteOutcome()
    for case in suite(suite_name):
        if lacking := book.lacking(case):
            outcome.excused[" and ".join(lacking)] += 1
        else:
            _judge_case(host, case, book, judge, outcome)
    return outcome


def _judge_case(
    host: str, case: Case, book: AnswerBook, judge: Judge, outcome: SuiteOutcome
) -> None:
    reason = failure_reason(host, case)
    try:
        judge(book.answer(case), case)
    except AssertionError as difference:
        if reason is None:
            outcome.failures.append(f"{case.id} differs:\n{difference}")
        else:
            outcome.expected_failures[reason] += 1
    except Exception as error:  # noqa: BLE001  # one broken case must not hide the others
        outcome.failures.append(f"{case.id} has no answer: {type(error).__name__}: {error}")
    else:
        if reason is None:
            outcome.passed += 1
        else:
            outcome.failures.append(
                f"{case.id} passes, so this expected failure is stale: {reason}"
            )
