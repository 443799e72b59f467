from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.conformance.codex_answers import assert_codex_answer
from tests.conformance.parametrise import each_case

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.conformance.recorded import Case
    from tests.conformance.scenes import Answer


@pytest.mark.parametrize(("host", "case"), each_case("read_file"))
def test_read_file_answers_as_the_original_with_the_original_defaults(
    host: str, case: Case, answer: Callable[[str, Case], Answer]
) -> None:
    assert_codex_answer(answer(host, case), case.expect)


@pytest.mark.parametrize(("host", "case"), each_case("read_file_documented_defaults"))
def test_read_file_answers_as_documented_with_the_documented_defaults(
    host: str, case: Case, answer: Callable[[str, Case], Answer]
) -> None:
    assert_codex_answer(answer(host, case), case.expect)
