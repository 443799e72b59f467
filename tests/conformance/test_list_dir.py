from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.conformance.codex_answers import assert_codex_answer
from tests.conformance.parametrise import each_case

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.conformance.recorded import Case
    from tests.conformance.scenes import Answer


@pytest.mark.parametrize(("host", "case"), each_case("list_dir"))
def test_list_dir_answers_as_the_revision_that_sorts_and_then_pages(
    host: str, case: Case, answer: Callable[[str, Case], Answer]
) -> None:
    assert_codex_answer(answer(host, case), case.expect)


@pytest.mark.parametrize(("host", "case"), each_case("list_dir_paged_then_sorted"))
def test_list_dir_answers_as_the_revision_that_pages_and_then_sorts(
    host: str, case: Case, answer: Callable[[str, Case], Answer]
) -> None:
    assert_codex_answer(answer(host, case), case.expect)
