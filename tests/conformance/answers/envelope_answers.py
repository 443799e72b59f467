"""The comparison of an answer with the recorded envelopes."""

import copy
import json
import re
from typing import Any

from tests.conformance.answers.digests import assert_text
from tests.conformance.recorded import Case
from tests.conformance.scenes import Answer
from tests.conformance.trees import Json

# What the specification has for calls that the originals let an exception out of.
_ANSWERS_TO_RAISES = {
    ("Glob", "GLB-171"): ("INVALID_PARAM", "pattern must be a string."),
    ("Glob", "GLB-172"): ("INVALID_PARAM", "path must be a string."),
    ("Grep", "GRP-436"): ("NOT_FOUND", "Search root 'loop' does not exist."),
}

_DURATION = re.compile(r"^(\(.*?)\d+(ms\))$", re.MULTILINE)


def assert_envelope_answer(answer: Answer, case: Case) -> None:
    """Compare an envelope with the recorded one, less the time that the call took."""
    envelope = without_time(answer.structured_content)
    assert_says_the_same_thrice(answer)
    expect = copy.deepcopy(case.expect)
    if "raises" in expect:
        code, message = _ANSWERS_TO_RAISES[case.suite, case.id]
        assert (envelope["status"], envelope["text"]) == ("error", message)
        assert envelope["error"] == {"code": code, "message": message}
        return
    for key in case.recorded.get("optional_context", []):
        envelope["context"].pop(key, None)
        expect["context"].pop(key, None)
    if case.recorded.get("compare") == "code_only":
        assert without_wording(envelope) == without_wording(expect)
        text, message = envelope["text"], envelope["error"]["message"]
        assert message
        assert text == message
    elif "data" in expect:
        assert envelope == expect
    else:
        assert_digested_envelope(envelope, expect)


def assert_digested_envelope(envelope: Json, expect: Json) -> None:
    """Compare with an envelope of which only the long parts' digests were recorded."""
    data = envelope["data"]
    long_parts: dict[str, Any] = {"text": envelope["text"]}
    if "content" in expect:
        long_parts["content"] = data["content"]
    if "data_paths" in expect:
        long_parts["data_paths"] = "\n".join(data["paths"])
    for name, text in long_parts.items():
        assert_text(text, expect[name])
    short_parts = {"status": envelope["status"], "stats": envelope["stats"]}
    if "truncated" in expect:
        short_parts["truncated"] = data["truncated"]
    assert {**short_parts, **{name: expect[name] for name in long_parts}} == expect


def without_time(recorded: Json) -> Json:
    """Return an envelope without what no two runs share: the time of the call."""
    envelope = copy.deepcopy(recorded)
    time_ms = envelope["stats"].pop("time_ms")
    assert isinstance(time_ms, int)
    assert time_ms >= (0 if envelope["status"] == "error" else 1)
    envelope["text"] = _DURATION.sub(r"\1$MS\2", envelope["text"], count=1)
    if "error" in envelope:
        message = envelope["error"]["message"]
        envelope["error"]["message"] = _DURATION.sub(r"\1$MS\2", message, count=1)
    return envelope


def assert_says_the_same_thrice(answer: Answer) -> None:
    """The text, the object and the fields around them are one answer."""
    envelope = answer.structured_content
    assert answer.content == json.dumps(envelope, indent=2, ensure_ascii=False)
    error = envelope.get("error", {"code": None, "message": None})
    assert (answer.error_kind, answer.error_message) == (error["code"], error["message"])
    assert answer.is_error == (envelope["status"] == "error")
    assert answer.truncated == (is_incomplete(envelope) and not is_said_to_be_whole(answer))


def is_said_to_be_whole(answer: Answer) -> bool:
    """Tell whether a warning says that the design counts a complete answer as truncated."""
    return "Exactly as many paths match as the limit; none is left out." in answer.warnings


def is_incomplete(envelope: Json) -> bool:
    """Tell whether an answer has less than there is: `partial` may say something else."""
    data = envelope["data"]
    return data.get("truncated", False) or "aborted_reason" in data


def without_wording(envelope: Json) -> Json:
    """Return the envelope less its sentences, which the documents leave open."""
    error = {key: value for key, value in envelope["error"].items() if key != "message"}
    rest = {key: value for key, value in envelope.items() if key not in {"text", "error"}}
    return {**rest, "error": error}
