"""The comparison of an answer with the recorded ones of codex's tools."""

from tests.conformance.answers.digests import assert_text
from tests.conformance.recorded import Case
from tests.conformance.scenes import Answer


def assert_codex_answer(answer: Answer, case: Case) -> None:
    """Compare byte for byte; of a parse failure only the prefix is firm."""
    expect = case.expect
    if expect["ok"]:
        assert not answer.is_error
        if case.recorded.get("compare") == "set":
            assert sorted(answer.content.split("\n")) == sorted(expect["content"].split("\n"))
        else:
            assert_text(answer.content, expect["content"])
        return
    assert (answer.is_error, answer.error_kind) == (True, "RespondToModel")
    assert answer.error_message == answer.content
    if "error_prefix" in expect:
        prefix = expect["error_prefix"]
        assert answer.content[: len(prefix)] == prefix
        assert answer.content != prefix
    else:
        assert answer.content == expect["error"]
