"""The recorded calls of Forge's `Edit` and `Write`, through the registry and its overlay."""

from pathlib import Path
from typing import Any, NamedTuple

import pytest

from tests.conformance.edits.edit_cases import (
    EditCase,
    Session,
    contents_of,
    load,
    open_session,
    recorded_changes,
)

Json = dict[str, Any]

CASES = load("forge_edit")
CONFIG: Json = {
    "offered": ["forge.Read", "forge.Edit", "forge.Write"],
    "output": {"escape_names": False},
}


class Deviation(NamedTuple):
    """Why the calls of a case leave something else than was recorded."""

    reason: str


DEVIATIONS: dict[str, Deviation] = {}
"""By case; each is fixed by what a call is to be: whole, or not at all."""


@pytest.mark.parametrize("case", [pytest.param(case, id=case.id) for case in CASES])
def test_a_recorded_case_has_its_answers_and_changes(case: EditCase, tmp_path: Path) -> None:
    session = open_session(case, tmp_path, CONFIG)
    outside: Json = {}
    for call in case.recorded["calls"]:
        if "outside_change" in call:
            change = call["outside_change"]
            (session.folder / change["path"]).write_bytes(change["content"].encode())
            outside[change["path"]] = change["content"].encode()
        elif call["tool"] == "Read":
            _see(session, call)
        else:
            _assert_call(session, call)
    # The recorded difference has what was changed outside, too, unless a call changed it again.
    changes = session.changes()
    written = {**outside, **changes.get("written", {})}
    found = {**changes, **({"written": written} if written else {})}

    assert (found != _expected(case, outside)) == (case.id in DEVIATIONS)


def _expected(case: EditCase, outside: Json) -> Json:
    recorded = recorded_changes(case.recorded["changes"])
    # A new file keeps no mode of the process.
    recorded.pop("modes", None)
    if not any(call.get("expect", {}).get("ok") for call in case.recorded["calls"]):
        # The original may leave what it wrote before a fault; here a call is whole or nothing.
        return {"written": outside} if outside else {}
    return recorded


def _see(session: Session, call: Json) -> None:
    """Read the lines that were seen, and make sure that they are what is noted."""
    first, last = map(int, call["observed"].split("-"))
    result = session.call("Read", call["args"])
    assert not result.is_error
    noted = session.workspace.overlay.seen["forge"].get(f"/project/{call['args']['path']}")
    assert noted is None or noted[:2] == [first, last]


def _assert_call(session: Session, call: Json) -> None:
    before = contents_of(session.folder)
    result = session.call(call["tool"], call["args"])
    expect = call["expect"]
    if expect["ok"]:
        assert (result.error, result.content) == (None, expect["content"])
    elif "error_begins" in expect:
        assert result.is_error
        assert result.content.startswith(expect["error_begins"])
    else:
        assert (result.is_error, result.content) == (True, expect["error"])
    if not expect["ok"]:
        assert session.changes_of_last_call() == {}
    assert contents_of(session.folder) == before


def test_every_deviation_is_one_of_a_recorded_case() -> None:
    assert DEVIATIONS.keys() <= {case.id for case in CASES}
