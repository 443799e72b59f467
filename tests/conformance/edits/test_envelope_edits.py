"""The recorded calls of `Write`, `Edit` and `MultiEdit`, through the registry and its overlay."""

import json
import tempfile
from collections.abc import Iterator
from contextlib import nullcontext
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from jsonschema import Draft202012Validator  # type: ignore[import-untyped]  # ships no types

from tests.conformance.answers.envelope_answers import without_time, without_wording
from tests.conformance.edits.edit_cases import (
    EditCase,
    Session,
    contents_of,
    load,
    open_session,
    recorded_changes,
)
from tests.support.hosts.privileges_support import without_privileges
from treeglass.tools.envelope import definitions
from treeglass.tools.envelope.changes import definitions as change_definitions
from treeglass.tools.envelope.changes import edit, multi_edit, write

Json = dict[str, Any]

SUITES = ("Write", "Edit", "MultiEdit")
# The user of some cases may not import what lies in our folder.
LATE = (write, edit, multi_edit)
CASES = [(suite, case) for suite in SUITES for case in load(suite)]
VALIDATORS = {
    tool.name: Draft202012Validator(tool.output_schema)
    for tool in (*definitions.TOOLS, *change_definitions.TOOLS)
}

AS_RECORDED: Json = {
    "offered": ["Read", *SUITES],
    "output": {"escape_names": False},
    # The original's next change of a file is a conflict until the file is read again.
    "edit": {"refresh_reads": False},
}


class Deviation(NamedTuple):
    """Why calls are answered in another way than they were recorded, and how."""

    reason: str
    error: tuple[str, str] | None = None
    """The code and the message; None if the call succeeds."""


_NAME = 256 * "n"
_TOO_LONG = Deviation(
    "a call never raises",
    (
        "EXECUTION_ERROR",
        f"Disk full or IO error: [Errno 36] File name too long: '/project/{_NAME}'",
    ),
)
_NO_UTF_8 = "bytes that are no UTF-8 are not replaced far from the edit"

DEVIATIONS = {
    "WR-097": Deviation("nothing is written, so that rights to write have no meaning"),
    "WR-127": _TOO_LONG,
    "ED-099": Deviation(
        _NO_UTF_8,
        ("BINARY_FILE", "File 'l.txt' appears to be binary. Cannot edit binary files."),
    ),
}
"""By case; each is fixed by the specification's section on overlays."""


@pytest.fixture
def base() -> Iterator[Path]:
    # Not pytest's temporary directory, which is closed to the user of some cases.
    with tempfile.TemporaryDirectory(prefix="treeglass-edits-") as folder:
        path = Path(folder)
        path.chmod(0o755)
        yield path


def _marked(suite: str, case: EditCase) -> Any:
    return pytest.param(case, suite, id=case.id)


@pytest.mark.parametrize(("case", "suite"), [_marked(suite, case) for suite, case in CASES])
def test_a_recorded_case_has_its_answers_and_changes(
    case: EditCase, suite: str, base: Path
) -> None:
    session = open_session(case, base, AS_RECORDED)
    before = contents_of(base)
    is_unprivileged = case.recorded.get("requires_nonroot", False)
    with without_privileges() if is_unprivileged else nullcontext():
        for call in case.recorded["calls"]:
            _assert_call(session, case, {"tool": case.recorded.get("tool", suite), **call})

    assert contents_of(base) == before


def _assert_call(session: Session, case: EditCase, call: Json) -> None:
    working_dir = case.recorded["working_dir"]
    result = session.call(
        call["tool"],
        call["args"],
        working_dir="/project" if working_dir == "." else _virtual(working_dir),
    )
    envelope, expect = result.structured_content, call["expect"]
    assert envelope is not None
    assert result.content == json.dumps(envelope, indent=2, ensure_ascii=False)
    faults = VALIDATORS[call["tool"]].iter_errors(envelope)
    assert [fault.message for fault in faults] == []
    changes = session.changes_of_last_call()
    deviation = DEVIATIONS.get(case.id)
    if deviation is not None:
        error = envelope.get("error")
        assert (error and (error["code"], error["message"])) == deviation.error
        assert envelope != expect
        assert bool(changes) == (deviation.error is None)
        return
    envelope = without_time(envelope)
    if case.recorded.get("compare") == "code_only":
        assert without_wording(envelope) == without_wording(expect)
    else:
        assert envelope == expect
        # The order of all members too, except those at the top of some recorded errors.
        assert json.dumps(envelope) == json.dumps({**envelope, **expect})
    recorded = recorded_changes(call.get("changes", {}))
    # A file keeps its mode, which the original loses by way of its temporary file.
    recorded.pop("modes", None)
    assert changes == recorded


def _virtual(working_dir: str) -> str:
    return "/outside" if working_dir == "../outside" else f"/project/{working_dir}"


def test_every_deviation_is_one_of_a_recorded_case() -> None:
    assert DEVIATIONS.keys() <= {case.id for _, case in CASES}
