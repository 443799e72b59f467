from collections.abc import Callable

import pytest

from tests.conformance.answers.codex_answers import assert_codex_answer
from tests.conformance.parametrise import each_host
from tests.conformance.suite_outcome import Judge


@pytest.mark.parametrize("host", each_host())
def test_read_file_answers_as_the_original_with_the_original_defaults(
    host: str, assert_suite: Callable[[str, str, Judge], None]
) -> None:
    assert_suite(host, "read_file", assert_codex_answer)


@pytest.mark.parametrize("host", each_host())
def test_read_file_answers_as_documented_with_the_documented_defaults(
    host: str, assert_suite: Callable[[str, str, Judge], None]
) -> None:
    assert_suite(host, "read_file_documented_defaults", assert_codex_answer)
