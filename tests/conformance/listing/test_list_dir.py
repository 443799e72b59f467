from collections.abc import Callable

import pytest

from tests.conformance.answers.codex_answers import assert_codex_answer
from tests.conformance.parametrise import each_host
from tests.conformance.suite_outcome import Judge


@pytest.mark.parametrize("host", each_host())
def test_list_dir_answers_as_the_revision_that_sorts_and_then_pages(
    host: str, assert_suite: Callable[[str, str, Judge], None]
) -> None:
    assert_suite(host, "list_dir", assert_codex_answer)


@pytest.mark.parametrize("host", each_host())
def test_list_dir_answers_as_the_revision_that_pages_and_then_sorts(
    host: str, assert_suite: Callable[[str, str, Judge], None]
) -> None:
    assert_suite(host, "list_dir_paged_then_sorted", assert_codex_answer)
