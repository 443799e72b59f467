from collections.abc import Callable

import pytest
from jsonschema import Draft202012Validator  # type: ignore[import-untyped]  # ships no types

from tests.conformance.answers.answer_book import AnswerBook
from tests.conformance.parametrise import each_host
from tests.conformance.recorded import read_cases, suite
from tests.conformance.trees import Json
from treeglass.tools.envelope.envelope_schema import ENVELOPE_SCHEMA

RECORDED_SCHEMA = read_cases("envelope_schema")
LS_VALIDATOR = Draft202012Validator(
    {"$ref": f"{RECORDED_SCHEMA['$id']}#/$defs/ls_envelope", "$defs": {"any": RECORDED_SCHEMA}}
)
VERDICTS = [pytest.param(case, id=case["id"]) for case in read_cases("envelope")["cases"]]


@pytest.mark.parametrize("case", VERDICTS)
def test_recorded_schema_gives_the_recorded_verdict(case: Json) -> None:
    assert Draft202012Validator(RECORDED_SCHEMA).is_valid(case["envelope"]) == case["valid"]


@pytest.mark.parametrize("case", VERDICTS)
def test_our_schema_gives_the_recorded_verdict(case: Json) -> None:
    assert Draft202012Validator(ENVELOPE_SCHEMA).is_valid(case["envelope"]) == case["valid"]


@pytest.mark.parametrize("host", each_host())
def test_every_answer_of_ls_is_a_valid_envelope(
    host: str, books: Callable[[str], AnswerBook]
) -> None:
    book = books(host)
    asked = [case for case in (*suite("ls"), *suite("ls_conflicts")) if not book.lacking(case)]

    faults = {
        case.id: [
            fault.message
            for fault in LS_VALIDATOR.iter_errors(book.answer(case).structured_content)
        ]
        for case in asked
    }

    assert faults == {case.id: [] for case in asked}
