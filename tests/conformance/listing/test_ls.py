from collections.abc import Callable

import pytest

from tests.conformance.answers.envelope_answers import assert_envelope_answer
from tests.conformance.parametrise import each_host
from tests.conformance.suite_outcome import Judge


@pytest.mark.parametrize("host", each_host())
def test_ls_answers_as_the_original(
    host: str, assert_suite: Callable[[str, str, Judge], None]
) -> None:
    assert_suite(host, "ls", assert_envelope_answer)


@pytest.mark.parametrize("host", each_host())
def test_ls_answers_as_recommended_where_document_and_original_differ(
    host: str, assert_suite: Callable[[str, str, Judge], None]
) -> None:
    assert_suite(host, "ls_conflicts", assert_envelope_answer)
