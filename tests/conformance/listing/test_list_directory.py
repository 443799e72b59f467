import json
from collections.abc import Callable

import pytest

from tests.conformance.parametrise import each_host
from tests.conformance.recorded import Case
from tests.conformance.scenes import Answer
from tests.conformance.suite_outcome import Judge
from tests.conformance.trees import Json

LOOSE_ERROR = "entries[].error"
LOOSE_TIME = "entries[error_code=read_dir_failed].modified_epoch_ms"


@pytest.mark.parametrize("host", each_host())
def test_list_directory_answers_as_required(
    host: str, assert_suite: Callable[[str, str, Judge], None]
) -> None:
    assert_suite(host, "list_directory", assert_answer)


def assert_answer(found: Answer, case: Case) -> None:
    if case.expect["ok"]:
        assert_listing(found, case)
    else:
        assert_failure(found, case.expect)


def assert_listing(found: Answer, case: Case) -> None:
    listing = json.loads(found.content)
    assert found.content == canonical(listing)
    assert found.structured_content == listing
    assert (found.is_error, found.truncated) == (False, listing["truncated"])
    loose = case.recorded.get("loose", [])
    if not loose:
        assert found.content == case.expect["json"]
        return
    # A budget that cuts would depend on the wording; no such case is loose.
    expect = json.loads(case.expect["json"])
    assert canonical(loosened(listing, loose)) == canonical(loosened(expect, loose))


def assert_failure(found: Answer, expect: Json) -> None:
    assert (found.is_error, found.error_kind) == (True, expect["error"])
    message = found.error_message or ""
    assert message.strip()
    assert expect["message_contains"].casefold() in message.casefold()
    assert message in found.content


def canonical(listing: Json) -> str:
    return json.dumps(listing, ensure_ascii=False, separators=(",", ":"))


def loosened(listing: Json, loose: list[str]) -> Json:
    """The listing, with one value for everything that the requirements leave open."""
    entries = []
    for entry in listing["entries"]:
        kept = dict(entry)
        if LOOSE_ERROR in loose and entry["error"] is not None:
            assert entry["error"].strip()
            kept["error"] = "..."
        if LOOSE_TIME in loose and entry["error_code"] == "read_dir_failed":
            kept["modified_epoch_ms"] = None
        entries.append(kept)
    return {**listing, "entries": entries}
