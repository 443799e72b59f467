"""The search tools and those that came with them."""

from collections.abc import Callable

import pytest

from tests.conformance.answers.codex_answers import assert_codex_answer
from tests.conformance.answers.envelope_answers import assert_envelope_answer
from tests.conformance.answers.forge_answers import assert_forge_answer
from tests.conformance.parametrise import each_host
from tests.conformance.recorded import SEARCH_SUITES
from tests.conformance.suite_outcome import Judge

JUDGES: dict[str, Judge] = {
    "codex": assert_codex_answer,
    "envelope": assert_envelope_answer,
    "forge": assert_forge_answer,
}


@pytest.mark.parametrize("suite_name", SEARCH_SUITES)
@pytest.mark.parametrize("host", each_host())
def test_search_tool_answers_as_the_original(
    host: str, suite_name: str, assert_suite: Callable[[str, str, Judge], None]
) -> None:
    assert_suite(host, suite_name, JUDGES[SEARCH_SUITES[suite_name].family])
