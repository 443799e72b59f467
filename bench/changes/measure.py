"""The part of the report on proposed changes: what they cost calls, and how fast they are shown."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from bench.page import in_page, lay_out
from bench.report import cell, ratio, render_part, table
from bench.runner import Job, Part, run_rounds, say

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from bench.facts import Facts, Round
    from bench.runner import Bench

_SCRIPT = Path(__file__).with_name("changes.mjs")

_FOLDERS = 500
_FILES_IN_FOLDER = 20
_LINES = 100
_EDITED_IN_FOLDER = 4
_EDITS_IN_CALL = 100
_LONG_LINES = 10_000
_LONG_EDITS = 200
_REPEATS = 60
_REQUEST_REPEATS = 20

_CALLS = {
    "list 20 files, 4 of them changed": ("list_dir", {"dir_path": "/repo/folder_007", "depth": 1}),
    "read 100 lines of a changed file": ("read_file", {"file_path": "/repo/folder_007/file_00.py"}),
    "read 100 lines of another file": ("read_file", {"file_path": "/repo/folder_007/file_19.py"}),
}
_REQUESTS = {
    "`client.changes()`": ("changes", []),
    "`client.diff()` of the long file": ("diff", ["/repo/long.py"]),
}

_EDITED_FILES = _FOLDERS * _EDITED_IN_FOLDER - 1
"""One less than as many as there may be: the long file is changed too."""

_METHOD = (
    f"A tree of {_FOLDERS * _FILES_IN_FOLDER:,} files of {_LINES} lines is mounted for two "
    f"clients. The agent of one changes a line in {_EDITED_FILES:,} of them, and "
    f"{_LONG_EDITS} lines of a file of {_LONG_LINES:,}.\n"
    "Both clients answer each call in turn, from the page and back to it."
)


def _measure(bench: Bench) -> list[Round]:
    site = lay_out(bench.folder / "site", _SCRIPT)
    return run_rounds([[Job("changes", partial(_visit, bench, site))]], bench.run_count)


def _visit(bench: Bench, site: Path) -> Round:
    found: Round = {}
    with bench.open_page(site) as page:
        elapsed_ms = in_page(page, _SCRIPT.name, "open(...given)", [[*_files()], [*_patches()]])
        found["all edits"] = {"changed": {"taken_ms": elapsed_ms}}
        for case, call in _CALLS.items():
            said = in_page(page, _SCRIPT.name, "compare(...given)", [*call, _REPEATS])
            found[case] = {which: {"taken_ms": taken} for which, taken in said.items()}
        for case, request in _REQUESTS.items():
            said = in_page(page, _SCRIPT.name, "ask(...given)", [*request, _REQUEST_REPEATS])
            expected = {"entries": _EDITED_FILES + 1, "hunks": 0}
            if request[0] == "diff":
                expected = {"entries": 0, "hunks": _LONG_EDITS}
            assert said["counts"] == expected, said["counts"]
            found[case] = {"changed": {"taken_ms": said["takenMs"]}}
    say(f"  {found}")
    return found


def _text(name: str, count: int) -> list[str]:
    return [f"{name}_{number:05} = {number}\n" for number in range(count)]


def _files() -> Iterator[tuple[str, str]]:
    for folder in range(_FOLDERS):
        for file in range(_FILES_IN_FOLDER):
            yield f"folder_{folder:03}/file_{file:02}.py", "".join(_text("line", _LINES))
    yield "long.py", "".join(_text("long", _LONG_LINES))


def _patches() -> Iterator[str]:
    paths = [
        f"/repo/folder_{folder:03}/file_{file:02}.py"
        for folder in range(_FOLDERS)
        for file in range(_EDITED_IN_FOLDER)
    ][:_EDITED_FILES]
    for at in range(0, len(paths), _EDITS_IN_CALL):
        yield _patch([(path, ["line_00050 = 50\n"]) for path in paths[at : at + _EDITS_IN_CALL]])
    step = _LONG_LINES // _LONG_EDITS
    yield _patch([("/repo/long.py", _text("long", _LONG_LINES)[::step])])


def _patch(changed: Sequence[tuple[str, Sequence[str]]]) -> str:
    sections = [
        f"*** Update File: {path}\n" + "".join(f"@@\n-{line}+{line[:-1]}0\n" for line in lines)
        for path, lines in changed
    ]
    return f"*** Begin Patch\n{''.join(sections)}*** End Patch\n"


def _render(facts: Facts) -> str:
    rows = [
        [
            case,
            cell(facts, case, "changed", "taken_ms"),
            cell(facts, case, "unchanged", "taken_ms"),
            ratio(facts, (case, "changed", "taken_ms"), (case, "unchanged", "taken_ms")),
        ]
        for case in (*_CALLS, *_REQUESTS, "all edits")
    ]
    head = ["What", "with changes", "without", "ratio"]
    return render_part(facts, _METHOD, table(head, rows))


CHANGES = Part("Proposed changes", 5, _measure, _render)
