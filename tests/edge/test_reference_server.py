"""Side by side with the reference filesystem server: one client, one folder, whole answers.

A fact of this page that changes with another version of that server is to be changed in
`docs/mcp-server.md` too.
"""

import json
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from build_steps.programs import find_program
from tests.edge.mcp.mcp_sessions import Call, Session, python_session, treeglass_server

MANY = 20_000
NO_FILE = "failed to read file: No such file or directory (os error 2)"
UNDECODED = "\N{REPLACEMENT CHARACTER}"


class Case(NamedTuple):
    """The calls for both servers, and the answers; an error begins with `! `.

    `{folder}` stands for the folder's path on this machine.
    """

    ours: Call
    theirs: Call
    answers: tuple[str, str] = ("", "")


def _listed(name: str, *answers: str) -> Case:
    theirs = ("list_directory", {"path": f"{{folder}}/repo/{name}"})
    ours, their_answer = answers or ("", "")
    return Case(("list_dir", {"dir_path": f"/repo/{name}"}), theirs, (ours, their_answer))


def _read(path: str, ours: str, theirs: str, *, our: Any = (), their: Any = ()) -> Case:
    """Return the case of a path, with further arguments for each."""
    real = path.replace("/repo", "{folder}/repo")
    return Case(
        ("read_file", {"file_path": path, **dict(our)}),
        ("read_text_file", {"path": real, **dict(their)}),
        (ours, theirs),
    )


_OUTSIDE = "{folder}/secret.txt not in {folder}/repo"

CASES: dict[str, Case] = {
    "a directory": _listed(
        "src", "Absolute path: /repo/src\napp.py\nlib/\n  x.py", "[FILE] app.py\n[DIR] lib"
    ),
    "a text file": _read("/repo/src/app.py", "L1: x = 1\nL2: y = 2", "x = 1\ny = 2\n"),
    "the beginning of a file": _read(
        *("/repo/lines.txt", "L1: line 1\nL2: line 2", "line 1\nline 2"),
        our={"limit": 2},
        their={"head": 2},
    ),
    "lines from the middle, for which theirs has no argument": _read(
        *("/repo/lines.txt", "L50: line 50\nL51: line 51", "line 100\n"),
        our={"offset": 50, "limit": 2},
        their={"tail": 2},
    ),
    "a path that is not there": _read(
        *("/repo/nope", f"! {NO_FILE}"),
        "! ENOENT: no such file or directory, open '{folder}/repo/nope'",
    ),
    "a path outside": _read(
        *("{folder}/secret.txt", f"! {NO_FILE}"),
        f"! Access denied - path outside allowed directories: {_OUTSIDE}",
    ),
    "a link that leads outside": _read(
        *("/repo/out.txt", f"! {NO_FILE}"),
        f"! Access denied - symlink target outside allowed directories: {_OUTSIDE}",
    ),
    "a binary file": _read(
        "/repo/pixel.png",
        f"L1: {UNDECODED}PNG\nL2: \x1a\nL3: \0{UNDECODED}",
        f"{UNDECODED}PNG\r\n\x1a\n\0{UNDECODED}",
    ),
    "a file in UTF-16": _read(
        "/repo/utf-16.txt",
        f"L1: {UNDECODED * 2}h\0{UNDECODED}\0\nL2: \0",
        f"{UNDECODED * 2}h\0{UNDECODED}\0\n\0",
    ),
    "a name with a line break": _listed(
        *("names", "Absolute path: /repo/names\na\\u{A}[FILE] forged.txt"),
        "[FILE] a\n[FILE] forged.txt",
    ),
    "arguments that are wrong": Case(
        ("read_file", {"file_path": 1}),
        ("read_text_file", {"path": 1}),
        (
            (
                "! failed to parse function arguments: `file_path` must be a string, not 1; "
                'expected for example {"file_path": "/repo/main.py", "offset": 1, "limit": 200}'
            ),
            (
                "! MCP error -32602: Input validation error: Invalid arguments for tool "
                "read_text_file: Invalid input: expected string, received number at path"
            ),
        ),
    ),
}
OTHERS = (
    _listed("many"),
    Case(("LS", {"path": "many"}), ("list_allowed_directories", {})),
    Case(("rm", {}), ("rm", {})),
)


class Sessions(NamedTuple):
    """One session with each, over one folder."""

    folder: Path
    ours: Session
    theirs: Session


@pytest.fixture(scope="module")
def sessions(reference_server: Path, tmp_path_factory: pytest.TempPathFactory) -> Sessions:
    folder = tmp_path_factory.mktemp("side-by-side").resolve()
    write_tree(folder)
    ours, theirs = (
        [(tool, named(arguments, folder)) for tool, arguments in calls]
        for calls in zip(*(case[:2] for case in (*CASES.values(), *OTHERS)), strict=True)
    )
    reference = [find_program("node"), str(reference_server), f"{folder}/repo"]
    return Sessions(
        folder,
        python_session(
            treeglass_server("--mount", f"/repo={folder}/repo", "--family", "all"),
            ours,
            mode="auto",
        ),
        python_session(reference, theirs, mode="auto"),
    )


def write_tree(folder: Path) -> None:
    repo = folder / "repo"
    for name in ("src/lib", "names", "many"):
        (repo / name).mkdir(parents=True)
    (folder / "secret.txt").write_text("secret")
    (repo / "out.txt").symlink_to(folder / "secret.txt")
    (repo / "src/app.py").write_text("x = 1\ny = 2\n")
    (repo / "src/lib/x.py").touch()
    (repo / "lines.txt").write_text("".join(f"line {number}\n" for number in range(1, 101)))
    (repo / "pixel.png").write_bytes(b"\x89PNG\r\n\x1a\n\x00\xff")
    (repo / "utf-16.txt").write_bytes(b"\xff\xfe" + "hé\n".encode("utf-16-le"))
    (repo / "names/a\n[FILE] forged.txt").touch()
    for number in range(MANY):
        (repo / "many" / f"{number:05}.txt").touch()


def named(value: Any, folder: Path) -> Any:
    """Return JSON in which `{folder}` is the folder."""
    return json.loads(json.dumps(value).replace("{folder}", str(folder)))


def said(answer: dict[str, Any]) -> str:
    (block,) = answer["content"]
    return ("! " if answer["isError"] else "") + str(block["text"])


@pytest.mark.parametrize("case", CASES)
def test_each_answers_in_its_own_way(sessions: Sessions, case: str) -> None:
    place = list(CASES).index(case)

    answers = [said(given.answers[place]) for given in sessions[1:]]

    assert answers == named(CASES[case].answers, sessions.folder)


def test_of_a_large_directory_ours_gives_a_page_and_theirs_all_of_it_twice(
    sessions: Sessions,
) -> None:
    first = len(CASES)
    ours, envelope, _ = sessions.ours.answers[first:]
    theirs = sessions.theirs.answers[first]

    pages = "\n".join(f"{number:05}.txt" for number in range(25))
    assert said(ours) == f"Absolute path: /repo/many\n{pages}\nMore than 25 entries found"
    assert json.loads(said(envelope))["text"].split("\n\n")[0] == (
        "Listed 100 entries in 'many'\n(Total: 20000 items - 0 dirs, 20000 files, 0 links)\n"
        "[Truncated: Showing 0-100 of 20000. 19900 more items available.]\n"
        "Use offset=100 to view next page."
    )
    everything = "\n".join(f"[FILE] {number:05}.txt" for number in range(MANY))
    assert theirs == {
        "content": [{"type": "text", "text": everything}],
        "structuredContent": {"content": everything},
        "isError": False,
    }
    assert [sent_bytes(answer) for answer in (ours, theirs)] == [
        sum([len("Absolute path: /repo/many"), len("\\n00000.txt") * 25, 28]),
        len(everything.replace("\n", "\\n")) * 2,
    ]


def sent_bytes(answer: dict[str, Any]) -> int:
    """Return the bytes of all texts in an answer, as JSON."""
    data = (answer["structuredContent"] or {}).values()
    return sum(
        len(json.dumps(text)) - 2
        for text in [*(block["text"] for block in answer["content"]), *data]
    )


def test_an_unknown_tool_is_an_error_of_the_protocol_to_ours_alone(sessions: Sessions) -> None:
    message = (
        'There is no tool "rm"; the tools are: '
        "Glob, Grep, LS, Read, Search, grep_files, list_dir, list_directory, read_file."
    )

    assert (sessions.ours.answers[-1], said(sessions.theirs.answers[-1])) == (
        {"code": -32602, "message": message},
        "! MCP error -32602: Tool rm not found",
    )


def test_ours_has_no_tool_that_writes(sessions: Sessions) -> None:
    assert [writing_tools(given) for given in sessions[1:]] == [
        [],
        ["write_file", "edit_file", "create_directory", "move_file"],
    ]


def writing_tools(session: Session) -> list[str]:
    return [tool["name"] for tool in session.tools if not tool["annotations"]["readOnlyHint"]]


def test_ours_starts_in_silence_and_speaks_the_newer_protocol_too(sessions: Sessions) -> None:
    folder, ours, theirs = sessions
    complaints = (
        "Secure MCP Filesystem Server running on stdio\n"
        "Client does not support MCP Roots, using allowed directories set from server args: "
        f"[ '{folder}/repo' ]\n"
    )

    assert [(given.protocol, given.complaints) for given in (ours, theirs)] == [
        ("2026-07-28", ""),
        ("2025-11-25", complaints),
    ]


def test_no_answer_of_ours_names_a_place_on_the_machine(sessions: Sessions) -> None:
    folder, ours, theirs = sessions

    named_in = [
        [case for case, given in zip(CASES, answers, strict=False) if str(folder) in said(given)]
        for answers in (ours.answers, theirs.answers)
    ]

    assert named_in == [
        [],
        ["a path that is not there", "a path outside", "a link that leads outside"],
    ]
