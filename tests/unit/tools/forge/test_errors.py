import inspect
from typing import get_args

import pytest

from treeglass import errors
from treeglass.tool import ToolFailure, ToolResult
from treeglass.tools.forge import errors as forge_errors
from treeglass.tools.forge.changes.errors import ChangeErrorKind, PatchFailed, StaleFile
from treeglass.tools.forge.errors import ExecutionFailed, SandboxViolation, ToolErrorKind

CHOOSE = "choose another directory"
FAILED = "list_directory failed: "
BUDGET = (
    "output budget too small: the smallest answer takes 111 bytes, 5 are left; "
    "call again with more room"
)
INTERNAL = "internal error: this call cannot be answered; try another tool or path"
TIMED_OUT = "Tool 'list_directory' timed out after 30s"
OUTSIDE = "Path outside sandbox (attempted: a/b, resolved: outside of every mount)"
NOT_A_DIRECTORY = "path is not a directory: a/b; list the directory that holds it"
TOO_MANY = "max_walk_entries is 2,000; ask for less, for example one subdirectory"
CANNOT_READ = "cannot read directory: a/b"

WORDED: list[tuple[Exception, str, str, str]] = [
    (errors.CallError(), "Panic", INTERNAL, f"Tool panicked: {INTERNAL}"),
    (errors.InvalidArguments("path is 7"), "BadArgs", "path is 7", "Bad args: path is 7"),
    (errors.CallDenied("disabled", "off"), "SandboxViolation", "off", "off"),
    (errors.CallTimedOut(30.4), "Timeout", TIMED_OUT, TIMED_OUT),
    (errors.CallCancelled(), "Cancelled", "Cancelled by user", "Cancelled by user"),
    (errors.OutputBudgetTooSmall(5, 111), "ExecutionFailed", BUDGET, FAILED + BUDGET),
    (ExecutionFailed("too large"), "ExecutionFailed", "too large", FAILED + "too large"),
    (errors.InternalFault(), "Panic", INTERNAL, f"Tool panicked: {INTERNAL}"),
    (SandboxViolation("the reason"), "SandboxViolation", "the reason", "the reason"),
    (errors.PathEscapesWorkspace(), "SandboxViolation", OUTSIDE, OUTSIDE),
    (
        errors.NulInPath(),
        "BadArgs",
        "path contains invalid control characters",
        "Bad args: path contains invalid control characters",
    ),
    *(
        (error, "ExecutionFailed", message, FAILED + message)
        for error, message in [
            (errors.WorkspaceError(), f"{CANNOT_READ} (Input/output error); {CHOOSE}"),
            (
                errors.PathNotFound(),
                "path does not exist: a/b; list its parent directory to see what is there",
            ),
            (errors.NotADirectory(), NOT_A_DIRECTORY),
            (errors.IsADirectory(), f"{CANNOT_READ} (Is a directory); {CHOOSE}"),
            (errors.NotARegularFile(), NOT_A_DIRECTORY),
            (errors.PermissionDenied(), f"{CANNOT_READ} (Permission denied); {CHOOSE}"),
            (
                errors.ChangeRefused("/a", "it may not"),
                f"{CANNOT_READ} (Permission denied); {CHOOSE}",
            ),
            (
                errors.SymlinkLoop(),
                f"cannot follow path: a/b (too many levels of symbolic links); {CHOOSE}",
            ),
            (
                errors.NameTooLong(),
                "path is too long: a/b; a name has at most 255 bytes and a path 4,095",
            ),
            (
                errors.LimitExceeded("max_walk_entries", 2000),
                f"cannot list directory: a/b ({TOO_MANY})",
            ),
            (errors.HostFault("EBUSY"), f"{CANNOT_READ} (Device or resource busy); {CHOOSE}"),
        ]
    ),
]


def error_classes() -> set[type[Exception]]:
    """Every exception that a call of this family can meet."""
    return {
        found
        for module in (errors, forge_errors)
        for _, found in inspect.getmembers(module, inspect.isclass)
        if issubclass(found, errors.CallError | errors.WorkspaceError)
    }


def test_every_error_of_a_call_is_worded_here() -> None:
    assert {type(error) for error, *_ in WORDED} == error_classes()


@pytest.mark.parametrize(
    ("error", "kind", "message", "text"), WORDED, ids=lambda value: type(value).__name__
)
def test_error_has_its_kind_and_words(error: Exception, kind: str, message: str, text: str) -> None:
    found = forge_errors.failed_call(error, tool="list_directory", path="a/b")

    assert found == ToolResult(content=text, error=ToolFailure(kind, message))


def test_every_kind_is_the_answer_to_an_error() -> None:
    kinds = {kind for _, kind, *_ in WORDED} | {"UserDenied"}

    assert kinds == set(get_args(ToolErrorKind))


def test_errors_of_a_patch_name_the_file_in_quotes() -> None:
    failed, stale = PatchFailed('/a\\b"c', "no"), StaleFile("/a\nb", "no")

    assert {failed.kind: str(failed), stale.kind: str(stale)} == {
        "PatchFailed": 'Patch failed for "/a\\\\b\\"c": no',
        "StaleFile": 'Stale file: "/a\\u{A}b": no',
    }
    assert {failed.kind, stale.kind} == set(get_args(ChangeErrorKind))


@pytest.mark.parametrize("kind", ["disabled", "denylisted", "limits_exceeded"])
def test_policy_denial_is_its_reason_alone(kind: str) -> None:
    found = forge_errors.failed_call(errors.CallDenied(kind, "why"), tool="t", path=".")

    assert found == ToolResult(content="why", error=ToolFailure("SandboxViolation", "why"))


def test_refusal_of_a_person_has_its_own_kind() -> None:
    denied = errors.CallDenied("user_denied", "Tool call denied by user")

    found = forge_errors.failed_call(denied, tool="t", path=".")

    text = "Tool call denied by user"
    assert found == ToolResult(content=text, error=ToolFailure("UserDenied", text))


def test_path_in_an_error_is_spelled_out_and_shortened() -> None:
    path = "a\u200b" + "b" * 300
    found = forge_errors.failed_call(errors.NotADirectory(), tool="t", path=path)

    shown = r"a\u{200B}" + "b" * 197 + "…"
    assert found.content == (
        f"t failed: path is not a directory: {shown}; list the directory that holds it"
    )


@pytest.mark.parametrize(
    ("reason", "text"),
    [
        (
            forge_errors.path_outside_sandbox("../a", "/a"),
            "Path outside sandbox (attempted: ../a, resolved: /a)",
        ),
        (
            forge_errors.denied_pattern_matched("/p/a.key", "**/*.key"),
            "Path '/p/a.key' matched denied pattern '**/*.key'",
        ),
    ],
)
def test_the_reason_of_a_refusal_has_the_words_of_the_taxonomy(reason: str, text: str) -> None:
    assert reason == text
