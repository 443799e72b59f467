import inspect
from typing import Any

import pytest

import treeglass.errors
from treeglass import Config, ToolFailure, Workspace
from treeglass.call_arguments import decode_arguments
from treeglass.errors import (
    CallDenied,
    CallError,
    CallTimedOut,
    ChangeRefused,
    HostFault,
    InvalidArguments,
    LimitExceeded,
    OutputBudgetTooSmall,
    WorkspaceError,
)
from treeglass.tool import Tool, ToolContext
from treeglass.tools.codex.definitions import LIST_DIR, READ_FILE
from treeglass.tools.codex.errors import RespondToModel
from treeglass.tools.codex.text import cut_text

PARSING = "failed to parse function arguments: "
LIST_DIR_SHAPE = (
    '; expected for example {"dir_path": "/repo", "offset": 1, "limit": 25, "depth": 2}'
)
SLICE_SHAPE = '; expected for example {"file_path": "/repo/main.py", "offset": 1, "limit": 200}'
BLOCK_SHAPE = (
    '; expected for example {"file_path": "/repo/main.py", "mode": "indentation", '
    '"indentation": {"anchor_line": 10}}'
)
WHOLE = "must be a whole number between 0 and 18446744073709551615, without a decimal point"


def context() -> ToolContext:
    return ToolContext(
        workspace=Workspace({}),
        config=Config(),
        working_dir="/",
        arguments={},
        max_output_bytes=1000,
    )


def all_errors() -> list[Exception]:
    """Return one of each error that a call can end with, by introspection."""
    made: dict[type[Exception], Exception] = {
        InvalidArguments: InvalidArguments("the arguments must be a JSON object"),
        CallDenied: CallDenied("denylisted", "Tool 'x' is denylisted"),
        CallTimedOut: CallTimedOut(31.2),
        OutputBudgetTooSmall: OutputBudgetTooSmall(10, 20),
        LimitExceeded: LimitExceeded("max_walk_entries", 2000),
        HostFault: HostFault("EMFILE"),
        ChangeRefused: ChangeRefused("/repo/a", "it matches 'a' of tools.edit.deny"),
    }
    kinds = [
        kind
        for _, kind in inspect.getmembers(treeglass.errors, inspect.isclass)
        if issubclass(kind, (CallError, WorkspaceError)) and kind not in {CallError, WorkspaceError}
    ]
    return [made[kind] if kind in made else kind() for kind in kinds]


READ_DIRECTORY_WORDS = {
    "ChangeRefused": (
        "patch rejected: /repo/a may not be changed: it matches 'a' of tools.edit.deny"
    ),
    "InvalidArguments": PARSING + "the arguments must be a JSON object",
    "CallDenied": "Tool 'x' is denylisted",
    "CallTimedOut": (
        "Tool 'list_dir' timed out after 31s; "
        "ask for less, for example a smaller depth or one subdirectory"
    ),
    "CallCancelled": "Cancelled by user",
    "OutputBudgetTooSmall": (
        "output budget too small: the smallest answer takes 20 bytes, "
        "10 are left; call again with more room"
    ),
    "InternalFault": "internal error: this call cannot be answered; try another tool or path",
    "PathNotFound": "failed to read directory: No such file or directory (os error 2)",
    "PathEscapesWorkspace": "failed to read directory: No such file or directory (os error 2)",
    "NotADirectory": "failed to read directory: Not a directory (os error 20)",
    "IsADirectory": "failed to read directory: Is a directory (os error 21)",
    "NotARegularFile": "failed to read directory: not a regular file",
    "PermissionDenied": "failed to read directory: Permission denied (os error 13)",
    "SymlinkLoop": "failed to read directory: Too many levels of symbolic links (os error 40)",
    "NameTooLong": "failed to read directory: File name too long (os error 36)",
    "NulInPath": "failed to read directory: file name contained an unexpected NUL byte",
    "LimitExceeded": (
        "failed to read directory: max_walk_entries is 2,000; "
        "ask for less, for example a smaller depth or one subdirectory"
    ),
    "HostFault": "failed to read directory: Too many open files (os error 24)",
}


def test_list_dir_words_every_error_of_treeglass() -> None:
    answers = {
        type(error).__name__: LIST_DIR.report_error(error, context()) for error in all_errors()
    }

    assert {name: answer.content for name, answer in answers.items()} == READ_DIRECTORY_WORDS
    assert {name: answer.error for name, answer in answers.items()} == {
        name: ToolFailure("RespondToModel", message)
        for name, message in READ_DIRECTORY_WORDS.items()
    }


def test_read_file_words_every_error_of_treeglass() -> None:
    hint = "ask for less, for example a smaller limit, or use mode slice"
    expected = {
        name: message.replace("failed to read directory", "failed to read file")
        .replace("list_dir", "read_file")
        .replace("ask for less, for example a smaller depth or one subdirectory", hint)
        for name, message in READ_DIRECTORY_WORDS.items()
    }

    answers = {
        type(error).__name__: READ_FILE.report_error(error, context()) for error in all_errors()
    }

    assert {name: answer.content for name, answer in answers.items()} == expected
    assert {name: answer.error for name, answer in answers.items()} == {
        name: ToolFailure("RespondToModel", message) for name, message in expected.items()
    }


@pytest.mark.parametrize("tool", [LIST_DIR, READ_FILE], ids=["list_dir", "read_file"])
def test_a_refusal_of_the_tool_itself_is_passed_on_word_for_word(tool: Tool[Any]) -> None:
    answer = tool.report_error(RespondToModel("limit must be greater than zero"), context())

    assert answer.content == "limit must be greater than zero"


@pytest.mark.parametrize("tool", [LIST_DIR, READ_FILE], ids=["list_dir", "read_file"])
def test_a_foreign_exception_shows_nothing_of_itself(tool: Tool[Any]) -> None:
    answer = tool.report_error(OSError(2, "secret", "/home/someone"), context())

    assert answer.content == READ_DIRECTORY_WORDS["InternalFault"]


def refusal(tool: Tool[Any], text: str) -> str:
    with pytest.raises(InvalidArguments) as refused:
        tool.parse_arguments(decode_arguments(text), Config())
    return tool.report_error(refused.value, context()).content


@pytest.mark.parametrize(
    ("text", "faults"),
    [
        ('{"path": "/x"}', "`dir_path` is missing"),
        ('{"dir_path": ["/x"]}', '`dir_path` must be a string, not ["/x"]'),
        ('{"dir_path": "/x", "limit": 1.0}', f"`limit` {WHOLE}, not 1.0"),
        ('{"dir_path": "/x", "limit": 1e3}', f"`limit` {WHOLE}, not 1000.0"),
        ('{"dir_path": "/x", "limit": true}', f"`limit` {WHOLE}, not true"),
        (
            '{"dir_path": "/x", "limit": 18446744073709551616}',
            f"`limit` {WHOLE}, not 18446744073709551616",
        ),
        (
            '{"dir_path": null, "depth": -1}',
            f"`dir_path` must be a string, not null; `depth` {WHOLE}, not -1",
        ),
        ('{"dir_path": "/x", "dir_path": "/y"}', "`dir_path` is given twice"),
        (
            '{"dir_path": {"\u202e": "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"}}',
            '`dir_path` must be a string, not {"\\u202e": "' + "a" * 28 + "...",
        ),
    ],
)
def test_list_dir_says_which_argument_is_wrong_and_what_is_right(text: str, faults: str) -> None:
    assert refusal(LIST_DIR, text) == PARSING + faults + LIST_DIR_SHAPE


@pytest.mark.parametrize(
    ("text", "faults"),
    [
        ("{}", "`file_path` is missing" + SLICE_SHAPE),
        (
            '{"file_path": "/x", "mode": "block"}',
            '`mode` must be "slice" or "indentation", not "block"' + SLICE_SHAPE,
        ),
        (
            '{"file_path": "/x", "indentation": []}',
            "`indentation` must be an object or null, not []" + BLOCK_SHAPE,
        ),
        (
            '{"file_path": "/x", "indentation": {"include_header": null}}',
            "`indentation.include_header` must be true or false, not null" + BLOCK_SHAPE,
        ),
        (
            '{"file_path": "/x", "indentation": {"max_lines": 1, "max_lines": 2}}',
            "`max_lines` is given twice" + BLOCK_SHAPE,
        ),
        (
            '{"file_path": "/x", "mode": "slice", "indentation": {"max_levels": 0.5}}',
            f"`indentation.max_levels` {WHOLE}, not 0.5" + BLOCK_SHAPE,
        ),
    ],
)
def test_read_file_says_which_argument_is_wrong_and_what_is_right(text: str, faults: str) -> None:
    assert refusal(READ_FILE, text) == PARSING + faults


def test_unknown_arguments_are_ignored_even_if_repeated() -> None:
    text = '{"dir_path": "/x", "hint": 1, "hint": 2}'

    args = LIST_DIR.parse_arguments(decode_arguments(text), Config())

    assert args.model_dump() == {"dir_path": "/x", "offset": 1, "limit": 25, "depth": 2}


def test_the_largest_number_is_accepted() -> None:
    text = f'{{"dir_path": "/x", "limit": {2**64 - 1}}}'

    args = LIST_DIR.parse_arguments(decode_arguments(text), Config())

    assert args.limit == 2**64 - 1


@pytest.mark.parametrize(
    ("text", "cut"),
    [
        pytest.param("a" * 500, "a" * 500, id="500 bytes are whole"),
        pytest.param("a" * 501, "a" * 500, id="501 are not"),
        pytest.param("a" * 499 + "é", "a" * 499, id="no half code point"),
        pytest.param("e" * 499 + "e\u0301", "e" * 500, id="an accent can be cut off"),
    ],
)
def test_text_is_cut_at_500_bytes_of_whole_code_points(text: str, cut: str) -> None:
    assert cut_text(text) == cut
