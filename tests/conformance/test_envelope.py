from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from jsonschema import Draft202012Validator  # type: ignore[import-untyped]  # ships no types
from tests.conformance.parametrise import each_case
from tests.conformance.recorded import read_cases

from treeglass.tools.envelope.envelope_schema import ENVELOPE_SCHEMA
from treeglass.tools.envelope.standard_envelope import validate_envelope

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.conformance.recorded import Case
    from tests.conformance.scenes import Answer
    from tests.conformance.trees import Json

RECORDED_SCHEMA = read_cases("envelope_schema")
VERDICTS = [pytest.param(case, id=case["id"]) for case in read_cases("envelope")["cases"]]


@pytest.mark.parametrize("case", VERDICTS)
def test_recorded_schema_gives_the_recorded_verdict(case: Json) -> None:
    assert Draft202012Validator(RECORDED_SCHEMA).is_valid(case["envelope"]) == case["valid"]


@pytest.mark.parametrize("case", VERDICTS)
def test_our_schema_gives_the_recorded_verdict(case: Json) -> None:
    assert Draft202012Validator(ENVELOPE_SCHEMA).is_valid(case["envelope"]) == case["valid"]


@pytest.mark.parametrize("case", VERDICTS)
def test_our_validator_gives_the_recorded_verdict(case: Json) -> None:
    faults = validate_envelope(case["envelope"])

    assert (faults == []) == case["valid"], faults


@pytest.mark.parametrize(("host", "case"), each_case("ls", "ls_conflicts"))
def test_every_answer_of_ls_is_a_valid_envelope(
    host: str, case: Case, answer: Callable[[str, Case], Answer]
) -> None:
    validator = Draft202012Validator(
        {**RECORDED_SCHEMA, "$ref": "#/$defs/ls_envelope"},
    )

    assert list(validator.iter_errors(answer(host, case).structured)) == []
