import inspect
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator  # type: ignore[import-untyped]  # ships no types

import treeglass.errors
from treeglass import Config, Workspace
from treeglass.errors import CallError, PathNotFound, TreeglassError, WorkspaceError
from treeglass.tool import ToolContext, ToolFailure
from treeglass.tools.envelope.definitions import LS
from treeglass.tools.envelope.envelope_schema import LS_OUTPUT_SCHEMA
from treeglass.tools.envelope.errors import CallFailed

MISSING = "Path 'a\\u{A}b' does not exist."
TOO_SMALL = (
    "output budget too small: the smallest answer takes 7 bytes, 7 are left; "
    "call again with more room"
)

# Each exception of `treeglass.errors`, made of 7 and "seven" if it takes arguments.
ANSWERS = {
    "CallError": ("INTERNAL_ERROR", "seven"),
    "InvalidArguments": ("INVALID_PARAM", "seven"),
    "CallDenied": ("ACCESS_DENIED", "seven"),
    "CallTimedOut": (
        "TIMEOUT",
        "Listing 'a\\u{A}b' timed out after 7s. Try one of its subdirectories.",
    ),
    "CallCancelled": ("INTERNAL_ERROR", "Cancelled by user"),
    "OutputBudgetTooSmall": ("INTERNAL_ERROR", TOO_SMALL),
    "InternalFault": (
        "INTERNAL_ERROR",
        "internal error: this call cannot be answered; try another tool or path",
    ),
    "WorkspaceError": (
        "INTERNAL_ERROR",
        "Failed to list directory - Input/output error (os error 5)",
    ),
    "PathNotFound": ("NOT_FOUND", MISSING),
    "PathEscapesWorkspace": (
        "ACCESS_DENIED",
        "Access denied. Path must be within the project root.",
    ),
    "NotADirectory": (
        "INVALID_PARAM",
        "'a\\u{A}b' is a file, not a directory. Use 'Read' tool to view its content.",
    ),
    "IsADirectory": ("INTERNAL_ERROR", "Failed to list directory - Is a directory (os error 21)"),
    "NotARegularFile": ("INTERNAL_ERROR", "Failed to list directory - not a regular file"),
    "PermissionDenied": ("ACCESS_DENIED", "Permission denied accessing 'a\\u{A}b'."),
    "ChangeRefused": ("ACCESS_DENIED", "Permission denied accessing 'a\\u{A}b'."),
    "SymlinkLoop": ("NOT_FOUND", MISSING),
    "NameTooLong": (
        "INTERNAL_ERROR",
        "Failed to list directory - File name too long (os error 36)",
    ),
    "NulInPath": ("INVALID_PARAM", "path must not hold a NUL character."),
    "LimitExceeded": (
        "INTERNAL_ERROR",
        "Failed to list directory - seven is 7; ask for less, for example one subdirectory",
    ),
    "HostFault": ("INTERNAL_ERROR", "Failed to list directory - Input/output error (os error 5)"),
}

KINDS = {
    name: kind
    for name, kind in vars(treeglass.errors).items()
    if isinstance(kind, type) and issubclass(kind, CallError | WorkspaceError)
}


def make(kind: type[TreeglassError]) -> TreeglassError:
    """Return an exception with a 7 or a "seven" for each argument it demands."""
    values = {"str": "seven", "int": 7, "float": 7.0}
    demanded = [
        values[parameter.annotation]
        for parameter in inspect.signature(kind.__init__).parameters.values()
        if parameter.annotation in values and parameter.default is parameter.empty
    ]
    takes_any_text = kind.__init__ is Exception.__init__ and issubclass(kind, CallError)
    return kind(*demanded, *(["seven"] if takes_any_text else []))


@pytest.fixture
def context(make_tree: Callable[..., Path]) -> ToolContext:
    return ToolContext(
        workspace=Workspace({"/repo": make_tree({"src": None})}),
        config=Config(),
        working_dir="/repo/src",
        arguments={"path": "a\nb"},
        max_output_bytes=100_000,
    )


def test_every_exception_of_treeglass_has_an_expected_answer() -> None:
    assert sorted(ANSWERS) == sorted(KINDS)


@pytest.mark.parametrize("name", sorted(KINDS))
def test_every_exception_becomes_an_envelope(context: ToolContext, name: str) -> None:
    code, message = ANSWERS[name]

    result = LS.report_error(make(KINDS[name]), context)

    envelope = {
        "status": "error",
        "data": {},
        "text": message,
        "error": {"code": code, "message": message},
        "stats": {"time_ms": 0},
        "context": {"cwd": "src", "params_input": {"path": "a\nb"}},
    }
    assert result.structured_content == envelope
    assert result.content == json.dumps(envelope, ensure_ascii=False, indent=2)
    assert result.error == ToolFailure(code, message)
    assert (result.truncated, result.next_arguments, result.warnings) == (False, None, ())
    assert Draft202012Validator(LS_OUTPUT_SCHEMA).is_valid(envelope)


def test_an_exception_of_others_keeps_its_words_to_itself(context: ToolContext) -> None:
    result = LS.report_error(OSError("/host/path"), context)

    assert result.error == ToolFailure(*ANSWERS["InternalFault"])


def test_a_path_that_was_resolved_is_told(context: ToolContext) -> None:
    result = LS.report_error(CallFailed(PathNotFound(), "src/caf\udce9"), context)

    assert result.error == ToolFailure("NOT_FOUND", MISSING)
    assert result.structured_content is not None
    assert result.structured_content["context"] == {
        "cwd": "src",
        "params_input": {"path": "a\nb"},
        "path_resolved": "src/caf\ufffd",
    }


def with_fields(context: ToolContext, **fields: Any) -> ToolContext:
    values = {name: getattr(context, name) for name in ToolContext.__slots__}
    return ToolContext(**values | fields)


def test_names_are_shown_raw_if_escaping_is_off(context: ToolContext) -> None:
    config = Config.from_object({"tools": {"output": {"escape_names": False}}})

    result = LS.report_error(PathNotFound(), with_fields(context, config=config))

    assert result.error == ToolFailure("NOT_FOUND", "Path 'a\nb' does not exist.")


@pytest.mark.parametrize(
    ("arguments", "echo"),
    [
        pytest.param("{no json \udce9", "{no json \ufffd", id="text"),
        pytest.param({"path": 5}, {"path": 5}, id="no path"),
        pytest.param({}, {}, id="nothing"),
    ],
)
def test_a_call_without_a_path_means_the_default(
    context: ToolContext, arguments: object, echo: object
) -> None:
    result = LS.report_error(PathNotFound(), with_fields(context, arguments=arguments))

    assert result.error == ToolFailure("NOT_FOUND", "Path '.' does not exist.")
    assert result.structured_content is not None
    assert result.structured_content["context"] == {"cwd": "src", "params_input": echo}


def test_an_echo_over_the_budget_is_left_out(context: ToolContext) -> None:
    result = LS.report_error(
        PathNotFound(), with_fields(context, arguments="x" * 1000, max_output_bytes=500)
    )

    assert len(result.content) <= 500
    assert result.structured_content is not None
    assert result.structured_content["context"] == {"cwd": "src", "params_input": None}
    assert result.error == ToolFailure("NOT_FOUND", "Path '.' does not exist.")


@pytest.mark.parametrize(
    "working_dir", ["/repo/../elsewhere", "/repository", "/repo/src/\0"], ids=repr
)
def test_a_working_directory_outside_the_root_is_told_as_the_root(
    context: ToolContext, working_dir: str
) -> None:
    result = LS.report_error(PathNotFound(), with_fields(context, working_dir=working_dir))

    assert result.structured_content is not None
    assert result.structured_content["context"]["cwd"] == "."
