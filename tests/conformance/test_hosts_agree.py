import dataclasses
import json
from collections.abc import Callable

import pytest

from tests.conformance.answers.answer_book import AnswerBook
from tests.conformance.answers.envelope_answers import without_time
from tests.conformance.parametrise import each_other_host
from tests.conformance.recorded import HOSTS, SUITES, suite
from tests.conformance.scenes import Answer
from tests.conformance.trees import Json

REFERENCE = HOSTS[0]


@pytest.mark.parametrize("suite_name", SUITES)
@pytest.mark.parametrize("host", each_other_host())
def test_host_gives_the_same_bytes_as_cpython(
    host: str, suite_name: str, books: Callable[[str], AnswerBook]
) -> None:
    here, there = books(REFERENCE), books(host)
    both = [c for c in suite(suite_name) if not here.lacking(c) and not there.lacking(c)]

    found = {case.id: comparable(there.answer(case)) for case in both}

    assert both != []
    assert found == {case.id: comparable(here.answer(case)) for case in both}


def comparable(answer: Answer) -> Json:
    """The whole answer, next call and warnings included, less the time it took."""
    fields = dataclasses.asdict(answer)
    if answer.structured_content is not None and "stats" in answer.structured_content:
        envelope = without_time(answer.structured_content)
        fields["structured_content"] = envelope
        fields["content"] = json.dumps(envelope)
        fields["error_message"] = envelope.get("error", {}).get("message")
    return fields
