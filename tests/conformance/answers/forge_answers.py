"""The comparison of an answer with the recorded ones of Forge's `Search`, `Glob` and `Read`."""

import json

from tests.conformance.answers.digests import assert_text
from tests.conformance.recorded import Case
from tests.conformance.scenes import Answer
from tests.conformance.trees import Json


def assert_forge_answer(answer: Answer, case: Case) -> None:
    """Compare byte for byte, except what `compare` leaves open."""
    compare = case.recorded.get("compare")
    expect = case.expect
    if not expect["ok"]:
        assert (answer.is_error, answer.error_kind) == (True, expect["kind"])
        message = answer.error_message or ""
        assert message.strip()
        assert message in answer.content
        if compare != "kind_only":
            assert answer.content == expect["error"]
        return
    assert not answer.is_error
    if compare == "subset":
        assert_some_of(answer.content, expect)
    elif compare == "matches_as_set":
        assert matches_sorted(answer.content) == matches_sorted(expect["content"])
    else:
        assert_text(answer.content, expect["content"])


def assert_some_of(content: str, expect: Json) -> None:
    """The original took as many paths as it may in the disk's order; the last line is firm."""
    *paths, blank, notice = content.split("\n")
    *recorded, _, recorded_notice = expect["content"].split("\n")
    assert (blank, notice) == ("", recorded_notice)
    assert paths == sorted(paths)
    assert len(paths) == len(set(paths)) == len(recorded)
    assert set(paths) <= set(expect["all"])


def matches_sorted(content: str) -> Json:
    """Return the answer with its matches in one order."""
    answer: Json = json.loads(content)
    return {**answer, "matches": sorted(answer["matches"], key=json.dumps)}
