"""The recorded calls of `apply_patch`: the agent's through the registry and its overlay, and the
parse errors of the command through the parser."""

import tempfile
from collections.abc import Iterator
from contextlib import nullcontext
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
    with_long_contents_hashed,
)
from tests.support.hosts.privileges_support import without_privileges
from treeglass.tools.codex.changes.patch_text import PatchInvalid, parse_patch

Json = dict[str, Any]

CASES = load("apply_patch")
CONFIG: Json = {"experimental_supported_tools": ["apply_patch"], "offered": []}

_SUCCESS = "Exit code: 0\nWall time: 0 seconds\nOutput:\nSuccess. Updated the following files:\n"
_FAILURE = "Exit code: 1\nWall time: 0 seconds\nOutput:\n"
_NOT_VERIFIED = "apply_patch verification failed: "


class Deviation(NamedTuple):
    """Why a call is answered in another way than it was recorded, and how."""

    reason: str
    content: str
    changes: Json


_OUTSIDE = "what is in no mount does not exist, and nothing is written there"
_RIGHTS = "nothing is written, so that rights to write have no meaning"

DEVIATIONS = {
    "AP-116": Deviation(
        "the directory above the only mount is `/`", f"{_FAILURE}Failed to write file /\n", {}
    ),
    "AP-377": Deviation(
        "a file that is moved keeps its permissions",
        f"{_SUCCESS}M go.sh\n",
        {"written": {"go.sh": b"ONE\n"}, "deleted": ["run.sh"], "modes": {"go.sh": "755"}},
    ),
    "AP-420": Deviation(_OUTSIDE, f"{_FAILURE}Failed to write file /outside/new.txt\n", {}),
    "AP-422": Deviation(
        _OUTSIDE,
        f"{_NOT_VERIFIED}Failed to read /outside/secret.txt: "
        "No such file or directory (os error 2)",
        {},
    ),
    "AP-427": Deviation(
        _OUTSIDE,
        f"{_NOT_VERIFIED}Failed to read file to update /project/out: "
        "No such file or directory (os error 2)",
        {},
    ),
    "AP-430": Deviation(_RIGHTS, f"{_SUCCESS}M a.txt\n", {"written": {"a.txt": b"ONE\n"}}),
    "AP-432": Deviation(_RIGHTS, f"{_SUCCESS}A d/n.txt\n", {"written": {"d/n.txt": b"x\n"}}),
}
"""By case; each is fixed by the specification's section on overlays (apply_patch.md 8)."""

WITHOUT_A_CALL = {
    "AP-073": "the patch comes from the command's standard input",
    "AP-074": "the command's standard input is empty",
    "AP-079": "the command has two arguments",
}
"""Cases that no call of a tool has."""


@pytest.fixture
def base() -> Iterator[Path]:
    # Not pytest's temporary directory, which is closed to the user of some cases.
    with tempfile.TemporaryDirectory(prefix="treeglass-patches-") as folder:
        path = Path(folder)
        path.chmod(0o755)
        yield path


@pytest.mark.parametrize(
    "case", [pytest.param(case, id=case.id) for case in CASES if case.id not in WITHOUT_A_CALL]
)
def test_a_recorded_case_has_its_answers_and_changes(case: EditCase, base: Path) -> None:
    session = open_session(case, base, CONFIG)
    before = contents_of(base)
    is_unprivileged = case.recorded.get("requires_nonroot", False)
    with without_privileges() if is_unprivileged else nullcontext():
        for call in case.recorded["calls"]:
            _assert_call(session, case, call)

    assert contents_of(base) == before


def _assert_call(session: Session, case: EditCase, call: Json) -> None:
    # A text alone, as a host with custom tools sends it.
    result = session.call("apply_patch", call["patch"])
    recorded = _recorded(call)
    changes = with_long_contents_hashed(session.changes_of_last_call(), recorded["changes"])
    found = {"content": result.content, "changes": changes}

    deviation = DEVIATIONS.get(case.id)
    if deviation is not None:
        assert found == {"content": deviation.content, "changes": deviation.changes}
        assert found != recorded
    else:
        assert found == recorded
    assert result.is_error == (not result.content.startswith("Exit code: 0\n"))
    assert result.error is None or result.error.message == result.content


def _recorded(call: Json) -> Json:
    """Return what the agent was answered, or the command where it has no agent's answer."""
    if "agent" in call:
        agent = call["agent"]
        content = agent["output"].replace("$T", "0")
        return {"content": content, "changes": recorded_changes(agent.get("changes", {}))}
    expect = call["expect"]
    content = f"Exit code: {expect['exit_code']}\nWall time: 0 seconds\nOutput:\n"
    content += expect["stdout"] + expect["stderr"]
    return {"content": content, "changes": recorded_changes(call["changes"])}


PARSED = [
    pytest.param(call["patch"], call["expect"]["stderr"], id=f"{case.id}-{number}")
    for case in CASES
    if case.id not in WITHOUT_A_CALL
    for number, call in enumerate(case.recorded["calls"])
]


@pytest.mark.parametrize(("patch", "stderr"), PARSED)
def test_the_parser_refuses_what_the_command_refuses(patch: str, stderr: str) -> None:
    said = ""
    try:
        hunks = parse_patch(patch, lambda: None).hunks
        said = "" if hunks else "No files were modified.\n"
    except PatchInvalid as error:
        where = "" if error.line_number is None else f" hunk on line {error.line_number}"
        said = f"Invalid patch{where}: {error.fault}\n"

    is_about_text = stderr.startswith(("Invalid patch", "No files were modified."))
    assert said == (stderr if is_about_text else "")


def test_every_deviation_is_one_of_a_recorded_case() -> None:
    assert DEVIATIONS.keys() | WITHOUT_A_CALL.keys() <= {case.id for case in CASES}
