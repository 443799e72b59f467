"""The wheel in a plain Pyodide: its own loader, no image, and folders that it has."""

import json
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page

from build_steps.programs import find_program
from tests.browser.notebooks import notebook_calls
from tests.browser.pyodide_stand_ins import (
    INDEX_HOST,
    PYODIDE,
    answer_index,
    pyodide_distribution,
)
from tests.support.browser_support import Browsers, open_watched_page
from tests.support.import_watch import WATCHED_IMPORT
from tests.support.served_directory import serve_directory

pytestmark = pytest.mark.slow


_BLANK = b'<!doctype html><title>plain Pyodide</title><link rel="icon" href="data:,">'
_CALLS = Path(notebook_calls.__file__).read_text("utf-8")

_START = """\
async () => {
  const { loadPyodide } = await import("/pyodide.mjs");
  globalThis.pyodide = await loadPyodide();
}"""
_INSTALL_BY_MICROPIP = """\
async () => {
  await pyodide.loadPackage("micropip");
  await pyodide.pyimport("micropip").install("treeglass");
}"""
_INSTALL_BY_LOAD_PACKAGE = """\
async (wheel) => {
  await pyodide.loadPackage(["pydantic", wheel]);
}"""
_PRINTED = """\
(script) => {
  const lines = [];
  pyodide.setStdout({ batched: (line) => lines.push(line) });
  pyodide.runPython(script, { globals: pyodide.toPy({}) });
  return lines.join("\\n");
}"""
_MOUNT_SAVED = """\
async () => {
  pyodide.FS.mkdirTree("saved");
  pyodide.FS.mount(pyodide.FS.filesystems.IDBFS, {}, "saved");
  await new Promise((resolve, reject) => {
    pyodide.FS.syncfs(true, (error) => (error ? reject(error) : resolve()));
  });
}"""
_SAVE = """\
() => new Promise((resolve, reject) => {
  pyodide.FS.syncfs(false, (error) => (error ? reject(error) : resolve()));
})"""
_MOUNT_HANDLE = """\
async (tree) => {
  const root = await navigator.storage.getDirectory();
  const handle = await root.getDirectoryHandle("picked", { create: true });
  for (const [path, text] of Object.entries(tree)) {
    const names = path.split("/");
    const name = names.pop();
    let folder = handle;
    for (const step of names) {
      folder = await folder.getDirectoryHandle(step, { create: true });
    }
    const writable = await (await folder.getFileHandle(name, { create: true })).createWritable();
    await writable.write(text);
    await writable.close();
  }
  await pyodide.mountNativeFS(`${pyodide.FS.cwd()}/picked`, handle);
}"""


@pytest.fixture(scope="module")
def wheel(dist: Path) -> Path:
    """The built wheel."""
    (found,) = (dist / "wheels").glob("treeglass-*.whl")
    return found


@pytest.fixture(scope="module")
def origin(wheel: Path) -> Iterator[str]:
    """Where a whole Pyodide distribution is served, with the wheel and a blank page beside it."""
    files = pyodide_distribution() | {"blank.html": _BLANK, wheel.name: wheel.read_bytes()}
    pages = {f"/{name}": content for name, content in files.items()}
    with serve_directory(PYODIDE, pages=pages) as served:
        yield served


@pytest.fixture(scope="module")
def expected(tmp_path_factory: pytest.TempPathFactory) -> list[Any]:
    """CPython's answers over the tree of the calls."""
    folder = str(tmp_path_factory.mktemp("tree"))
    notebook_calls.write_tree(folder)
    answers: list[Any] = json.loads(notebook_calls.answers(folder))
    return answers


@contextmanager
def _plain_page(browsers: Browsers, browser_name: str, origin: str, wheel: Path) -> Iterator[Page]:
    hosts = frozenset({INDEX_HOST})
    with open_watched_page(browsers.get(browser_name), answered_hosts=hosts) as page:
        answer_index(page.context, wheel)
        page.goto(f"{origin}/blank.html")
        page.evaluate(_START)
        yield page


def _answers(page: Page, folder: str, *, before: str) -> list[Any]:
    """Return the tools' answers in the page over a folder of its Pyodide."""
    script = f"{_CALLS}\n{before}({folder!r})\nprint(answers({folder!r}))"
    answers: list[Any] = json.loads(page.evaluate(_PRINTED, script))
    return answers


_SHOWN = """\
- figure "The tool answered.":
  - strong: The tool answered
  - text: ". L1: </pre><script>document.title = 'taken'</script>\""""


def test_the_wheel_installs_and_answers_over_folders_that_are_there(
    browsers: Browsers, origin: str, wheel: Path, expected: list[Any], browser_name: str
) -> None:
    requests: list[str] = []
    with _plain_page(browsers, browser_name, origin, wheel) as page:
        page.evaluate(_INSTALL_BY_MICROPIP)
        page.context.on("request", lambda request: requests.append(request.url))
        seen = page.evaluate(_PRINTED, WATCHED_IMPORT.replace("{after}", ""))
        asked_at_import = list(requests)
        in_memory = _answers(page, "project", before="write_tree")
        page.evaluate(_MOUNT_SAVED)
        in_database = _answers(page, "saved", before="write_tree")
        page.evaluate(_SAVE)
        page.evaluate(_MOUNT_HANDLE, notebook_calls.TREE)
        behind_handle = _answers(page, "picked", before="set_times")

        page.reload()
        page.evaluate(_START)
        page.evaluate(_INSTALL_BY_LOAD_PACKAGE, f"{origin}/{wheel.name}")
        page.evaluate(_MOUNT_SAVED)
        after_reload = _answers(page, "saved", before="set_times")

    assert json.loads(seen) == []
    assert asked_at_import == []
    assert in_memory == expected
    assert in_database == expected
    assert behind_handle == expected
    assert after_reload == expected


_IN_NODE = """\
const [distribution, wheel, folder, script] = process.argv.slice(1);
const { loadPyodide } = await import(`${distribution}/pyodide.mjs`);
const said = [];
const pyodide = await loadPyodide();
await pyodide.loadPackage(["pydantic", wheel], { messageCallback: () => {} });
pyodide.FS.mkdirTree("project");
pyodide.FS.mount(pyodide.FS.filesystems.NODEFS, { root: folder }, "project");
pyodide.setStdout({ batched: (line) => said.push(line) });
pyodide.runPython(script);
console.log(said.join("\\n"));
"""


def test_it_answers_over_a_folder_of_node_s(
    wheel: Path, expected: list[Any], tmp_path: Path
) -> None:
    distribution, folder = tmp_path / "pyodide", tmp_path / "tree"
    distribution.mkdir()
    for name, content in pyodide_distribution().items():
        (distribution / name).write_bytes(content)
    folder.mkdir()
    notebook_calls.write_tree(str(folder))
    script = f"{_CALLS}\nprint(answers('project'))"

    ran = subprocess.run(
        [
            *(find_program("node"), "--input-type=module", "--eval", _IN_NODE),
            *(distribution, wheel, folder, script),
        ],
        capture_output=True,
        encoding="utf-8",
        check=True,
    )

    assert json.loads(ran.stdout) == expected


def test_what_an_answer_shows_is_text_in_a_page(
    browsers: Browsers, origin: str, expected: list[Any]
) -> None:
    html = next(answer[-1] for answer in expected if "taken" in answer[0])
    with open_watched_page(browsers.get("chromium")) as page:
        page.goto(f"{origin}/blank.html")
        # As a page that is read, whose scripts would run.
        page.set_content(f"<title>a notebook</title>{html}")
        shown = page.locator("body").aria_snapshot()
        title = page.title()

    assert shown == _SHOWN
    assert title == "a notebook"
