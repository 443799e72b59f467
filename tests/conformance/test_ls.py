from __future__ import annotations

import copy
import json
from typing import TYPE_CHECKING

import pytest

from tests.conformance.parametrise import each_host

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.conformance.recorded import Case
    from tests.conformance.scenes import Answer
    from tests.conformance.suite_outcome import Judge
    from tests.conformance.trees import Json


@pytest.mark.parametrize("host", each_host())
def test_ls_answers_as_the_original(
    host: str, assert_suite: Callable[[str, str, Judge], None]
) -> None:
    assert_suite(host, "ls", assert_ls_answer)


@pytest.mark.parametrize("host", each_host())
def test_ls_answers_as_recommended_where_document_and_original_differ(
    host: str, assert_suite: Callable[[str, str, Judge], None]
) -> None:
    assert_suite(host, "ls_conflicts", assert_ls_answer)


def assert_ls_answer(answer: Answer, case: Case) -> None:
    envelope = copy.deepcopy(answer.structured)
    assert_says_the_same_thrice(answer, envelope)
    # The one field that no two runs share.
    time_ms = envelope["stats"].pop("time_ms")
    assert isinstance(time_ms, int)
    assert time_ms >= 0
    expect = copy.deepcopy(case.expect)
    for key in case.recorded.get("optional_context", []):
        envelope["context"].pop(key, None)
        expect["context"].pop(key, None)
    if case.recorded.get("compare") == "code_only":
        assert without_wording(envelope) == without_wording(expect)
        text, message = envelope["text"], envelope["error"]["message"]
        assert message
        assert text == message
    else:
        assert envelope == expect


def assert_says_the_same_thrice(answer: Answer, envelope: Json) -> None:
    """The text, the object and the fields around them are one answer."""
    assert answer.content == json.dumps(envelope, indent=2, ensure_ascii=False)
    error = envelope.get("error", {"code": None, "message": None})
    assert (answer.error_kind, answer.error_message) == (error["code"], error["message"])
    assert answer.is_error == (envelope["status"] == "error")
    assert answer.truncated == (envelope["status"] == "partial")


def without_wording(envelope: Json) -> Json:
    """The envelope less its sentences, which the documents leave open."""
    error = {key: value for key, value in envelope["error"].items() if key != "message"}
    rest = {key: value for key, value in envelope.items() if key not in {"text", "error"}}
    return {**rest, "error": error}
