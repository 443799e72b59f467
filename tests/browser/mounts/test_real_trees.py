"""Trees as visitors have them, in a browser: the same answers as on CPython, to the byte.

Drives the built npm package through its public API; only what the clock says
may differ, and times are set to one value on both sides before they compare.
"""

import json
import re
import zipfile
from collections.abc import Iterator
from itertools import starmap
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page

from tests.scale.bad_calls import LINKS_OUT, NO_JSON, WAYS_OUT, WRONG_TYPES
from tests.scale.refusals import PATH_KEYS, make_bad_tree
from tests.scale.standard_library import copy_standard_library
from tests.support.browser_support import Browsers, open_watched_page
from tests.support.served_directory import serve_directory
from treeglass.bridge import Bridge

Answers = list[dict[str, Any]]

_PACKAGE = Path(__file__).parent.parent.parent.parent / "dist" / "npm"
_PAGE = b"""<!doctype html><title>real trees</title><link rel="icon" href="data:,">
<input id="file" type="file"><input id="folder" type="file" webkitdirectory>"""
_SCRIPT = b"""
import { connect } from "/index.js";
const client = await connect();
const chosen = (id) => document.getElementById(id).files;
const sources = {
  archive: () => ({ archive: chosen("file")[0] }),
  file: () => ({ files: chosen("file") }),
  folder: () => ({ files: chosen("folder") }),
};
export async function mount({ path, kind, entries }) {
  const { elapsedMs, ...report } = await client.mount(path, sources[kind]?.() ?? { entries });
  return report;
}
export async function unmountAll() {
  for (const { path } of await client.mounts()) await client.unmount(path);
}
export async function answer(calls) {
  const answers = [];
  for (const [tool, args] of calls) answers.push(await client.callTool(tool, args));
  return JSON.stringify(answers);
}
"""

_CALLS_AT_A_TIME = 200
_CLOCK_KEYS = {"elapsedMs", "modified_epoch_ms", "time_ms"}
_CLOCK_TEXT = re.compile(r'("(?:modified_epoch_ms|time_ms)": ?)(?:\d+|null)')

Call = tuple[str, "dict[str, Any] | str"]


@pytest.fixture(scope="module")
def opened_page(browsers: Browsers) -> Iterator[Page]:
    """A page with a client of its own in it, for all stories."""
    pages = {"/trees.html": _PAGE, "/trees.mjs": _SCRIPT}
    with (
        serve_directory(_PACKAGE, pages=pages) as origin,
        open_watched_page(browsers.get("chromium")) as opened,
    ):
        opened.goto(f"{origin}/trees.html")
        opened.evaluate("async () => { await import('/trees.mjs') }")
        yield opened


@pytest.fixture
def page(opened_page: Page) -> Page:
    """The page, with nothing mounted."""
    _in_page(opened_page, "unmountAll()", None)
    return opened_page


def _mount(page: Page, path: str, kind: str, given: Path | dict[str, Any]) -> dict[str, Any]:
    """Mount a visitor's choice, or entries of the page; return the report without its time."""
    entries = None
    if isinstance(given, Path):
        field = "#folder" if kind == "folder" else "#file"
        page.locator(field).set_input_files(given)
    else:
        entries = given
    job = {"path": path, "kind": kind, "entries": entries}
    report: dict[str, Any] = _in_page(page, "mount(given)", job)
    return report


def _in_page(page: Page, expression: str, given: object) -> Any:
    return page.evaluate(f"async (given) => (await import('/trees.mjs')).{expression}", given)


def _browser_answers(page: Page, calls: list[Call]) -> Answers:
    answers: Answers = []
    for start in range(0, len(calls), _CALLS_AT_A_TIME):
        batch = calls[start : start + _CALLS_AT_A_TIME]
        answers += json.loads(_in_page(page, "answer(given)", batch))
    return [_timeless(answer) for answer in answers]


def _cpython_answers(path: str, folder: Path, calls: list[Call]) -> Answers:
    bridge = Bridge()

    def ask(method: str, params: dict[str, Any]) -> dict[str, Any]:
        said = json.loads(bridge.handle(json.dumps({"method": method, "params": params})))
        result: dict[str, Any] = said["result"]
        return result

    def call(name: str, arguments: dict[str, Any] | str) -> dict[str, Any]:
        text = arguments if isinstance(arguments, str) else json.dumps(arguments)
        answer: dict[str, Any] = _timeless(ask("callTool", {"name": name, "arguments": text}))
        return answer

    ask("mount", {"path": path, "host": str(folder)})
    return list(starmap(call, calls))


def _timeless(value: Any) -> Any:
    """Return a copy with every time at 0, also in JSON inside a text."""
    if isinstance(value, dict):
        return {key: 0 if key in _CLOCK_KEYS else _timeless(value[key]) for key in value}
    if isinstance(value, list):
        return [_timeless(member) for member in value]
    return _CLOCK_TEXT.sub(r"\g<1>0", value) if isinstance(value, str) else value


def _differences(calls: list[Call], ours: Answers, theirs: Answers) -> list[Any]:
    """Return the calls whose answers differ, with both answers."""
    return [
        (call, one, other)
        for call, one, other in zip(calls, ours, theirs, strict=True)
        if one != other
    ]


def _calls_on_everything(mount: str, folder: Path) -> list[Call]:
    """Return calls of all four tools that together show every entry and every file."""
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    directories = sorted(path for path in folder.rglob("*") if path.is_dir())
    count = len(files) + len(directories)
    calls: list[Call] = []
    for offset in range(1, count + 1, 500):
        paging = {"offset": offset, "limit": 500, "depth": 20}
        calls.append(("list_dir", {"dir_path": mount, **paging}))
    for index, path in enumerate(files):
        virtual = f"{mount}/{path.relative_to(folder).as_posix()}"
        calls.append(("read_file", {"file_path": virtual}))
        if index % 4 == 0:
            around = {"anchor_line": 10, "max_levels": 1}
            block = {"mode": "indentation", "indentation": around}
            calls.append(("read_file", {"file_path": virtual, **block}))
    for path in [folder, *directories]:
        inside = path.relative_to(folder).as_posix()
        calls += [
            ("LS", {"path": inside, "include_hidden": True, "limit": 200, "offset": offset})
            for offset in range(0, len(list(path.iterdir())) + 1, 200)
        ]
        calls.append(("list_directory", {"path": inside, "include_hidden": True}))
        calls.append(("list_directory", {"path": inside, "recursive": True, "max_entries": 50}))
    return calls


@pytest.mark.slow
def test_the_standard_library_as_a_zip_answers_as_on_cpython(page: Page, tmp_path: Path) -> None:
    library = copy_standard_library(tmp_path / "library")
    files = sorted(path for path in library.rglob("*") if path.is_file())
    archive = tmp_path / "library.zip"
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as zipped:
        for path in files:
            zipped.write(path, path.relative_to(library))
    calls = _calls_on_everything("/lib", library)
    report = _mount(page, "/lib", "archive", archive)
    ours = _browser_answers(page, calls)
    assert report == {
        "path": "/lib",
        "origin": None,
        "files": len(files),
        "directories": sum(path.is_dir() for path in library.rglob("*")),
        "symlinks": 0,
        "bytes": sum(path.stat().st_size for path in files),
        "skipped": [],
        "renamed": [],
        "converted": [],
    }
    assert _differences(calls, ours, _cpython_answers("/lib", library, calls)) == []


@pytest.mark.slow
def test_a_chosen_folder_of_five_thousand_files_answers_as_on_cpython(
    page: Page, tmp_path: Path
) -> None:
    folder = tmp_path / "many"
    for number in range(5_000):
        path = folder / f"group {number % 50:02}" / f"set-{number % 7}" / f"entry ü {number}.txt"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(b"".join(b"%d of %d\r\n" % (line, number) for line in range(number % 40)))
    calls = [
        call
        for index, call in enumerate(_calls_on_everything("/many", folder))
        if call[0] != "read_file" or index % 5 == 0
    ]
    report = _mount(page, "/many", "folder", folder)
    ours = _browser_answers(page, calls)
    counts = {name: report[name] for name in ("files", "directories", "symlinks", "skipped")}
    assert counts == {"files": 5_000, "directories": 400, "symlinks": 0, "skipped": []}
    assert _differences(calls, ours, _cpython_answers("/many", folder, calls)) == []


_ENTRIES = {
    "src/app.py": "x = 1\n",
    "out-absolute": {"symlink": "/outside"},
    "out-relative": {"symlink": "../outside"},
    "out-file": {"symlink": "../outside/secret.txt"},
    "round": {"symlink": "round"},
}
_GOOD_CALLS: list[Call] = [
    ("list_dir", {"dir_path": "/repo/src"}),
    ("read_file", {"file_path": "/repo/src/app.py"}),
    ("LS", {"path": "src"}),
    ("list_directory", {"path": "src"}),
]


def _bad_calls() -> list[Call]:
    paths = [
        *WAYS_OUT,
        *LINKS_OUT,
        *(f"/repo/{link}" for link in LINKS_OUT),
        *("round", "/repo/round", "src\0", "/repo/src\0/app.py", "no", "/repo/no"),
        *("a" * 5_000, "/repo/" + "a" * 5_000, "a/" * 2_500, "/repo/" + "a/" * 2_500),
        *("\\u{2E}\\u{2E}/x", "/repo/\\u{2E}\\u{2E}/x", "..\\..\\x", "~", "file:///etc/passwd", ""),
    ]
    calls: list[Call] = [("ls", {}), ("", {}), ("\x1b[31mLS", {})]
    calls += [(tool, text) for tool in PATH_KEYS for text, _ in NO_JSON.values()]
    calls += [(tool, arguments) for tool, arguments, _ in WRONG_TYPES]
    calls += [(tool, {key: path}) for tool, key in PATH_KEYS.items() for path in paths]
    return calls


def test_bad_input_is_refused_as_on_cpython_and_the_next_call_works(
    page: Page, tmp_path: Path
) -> None:
    # An object of JavaScript cannot say 2.0, so arguments travel as the text of a model.
    calls: list[Call] = [
        (tool, arguments if isinstance(arguments, str) else json.dumps(arguments))
        for bad in _bad_calls()
        for tool, arguments in (bad, *_GOOD_CALLS)
    ]
    _mount(page, "/repo", "entries", _ENTRIES)
    ours = _browser_answers(page, calls)
    theirs = _cpython_answers("/repo", make_bad_tree(tmp_path), calls)
    assert _differences(calls, ours, theirs) == []


@pytest.mark.slow
def test_three_hundred_megabytes_on_one_line_answer_as_on_cpython(
    page: Page, tmp_path: Path
) -> None:
    huge = tmp_path / "huge"
    with huge.open("wb") as file:
        file.truncate(300 * 1024 * 1024)
    calls: list[Call] = [
        ("read_file", {"file_path": "/repo/huge"}),
        ("read_file", {"file_path": "/repo/huge", "offset": 2}),
        ("read_file", {"file_path": "/repo/huge", "mode": "indentation"}),
        ("list_dir", {"dir_path": "/repo"}),
        ("list_dir", {"dir_path": "/repo/huge"}),
        ("LS", {"path": "."}),
        ("LS", {"path": "huge"}),
        ("list_directory", {"path": "."}),
        ("list_directory", {"path": "huge"}),
    ]
    _mount(page, "/repo", "file", huge)
    ours = _browser_answers(page, calls)
    assert _differences(calls, ours, _cpython_answers("/repo", tmp_path, calls)) == []


def test_a_file_that_vanished_from_the_visitor_s_disk_is_an_error_and_the_next_call_works(
    page: Page, tmp_path: Path
) -> None:
    gone = tmp_path / "gone.txt"
    gone.write_text("x\n", "utf-8")
    _mount(page, "/repo", "file", gone)
    gone.unlink()
    read, listed = _browser_answers(
        page,
        [("read_file", {"file_path": "/repo/gone.txt"}), ("list_dir", {"dir_path": "/repo"})],
    )
    message = "failed to read file: Input/output error (os error 5)"
    assert (read["content"], read["error"]) == (
        message,
        {"kind": "RespondToModel", "message": message},
    )
    assert (listed["content"], listed["isError"]) == ("Absolute path: /repo\ngone.txt", False)
