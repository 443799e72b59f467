"""The README is true: what it shows is run, and says what it is said to say.

How each block is run, by its tag:

- `python`: as a script, in a folder that holds `SAMPLE_TREE`. What it prints is
  compared with its comments `# -> ...`, one comment a line.
- `sh`, `console`: line by line, comments and a leading `$ ` taken off.
  `treeglass ...` runs in a folder that holds `SAMPLE_TREE` and must exit with 0
  and say nothing on stderr; `uv run build.py ...` must name a command of the
  build, and is not run from here, since two of them run these tests.
- `js`: bundled against the built npm package, so that it parses and every name
  that it imports is there. A block that imports treeglass is also run as it
  stands, in Chromium: what a line `expression;` gives is compared with the
  comment lines `// ...` that follow it.
- `toml`: read as a configuration, which must hold what the block says.
- Every other tag fails: teach it to this module.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import pytest

import build
from build_steps.programs import find_node_tool
from tests.browser_support import open_watched_page, serve_directory
from treeglass import Config

if TYPE_CHECKING:
    from tests.browser_support import Browsers

ROOT = Path(__file__).resolve().parent.parent.parent

SAMPLE_TREE = {
    "README.md": "# Sample\n",
    "calls.jsonl": '{"id": 1, "tool": "list_dir", "arguments": {"dir_path": "/repo"}}\n',
    "src/app.py": "def main():\n    print('hello')\n",
}

_FENCED = re.compile(r"^```(?P<tag>\w*)\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL)


class Block(NamedTuple):
    """A fenced block of the README."""

    line: int
    tag: str
    text: str


def _blocks() -> list[Block]:
    readme = (ROOT / "README.md").read_text("utf-8")
    return [
        Block(readme.count("\n", 0, found.start()) + 1, found["tag"], found["text"])
        for found in _FENCED.finditer(readme)
    ]


def _tagged(*tags: str) -> pytest.MarkDecorator:
    blocks = [block for block in _blocks() if block.tag in tags]
    ids = [f"README.md line {block.line}" for block in blocks]
    return pytest.mark.parametrize("block", blocks, ids=ids)


@pytest.fixture
def sample_folder(tmp_path: Path) -> Path:
    """A folder with the sample tree, to run a block in."""
    for name, text in SAMPLE_TREE.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8", newline="")
    return tmp_path


def test_every_block_has_a_tag_that_is_run_here() -> None:
    known = {"python", "sh", "console", "js", "toml"}

    assert [block for block in _blocks() if block.tag not in known] == []


def test_readme_shows_python_a_shell_and_javascript() -> None:
    assert {block.tag for block in _blocks()} >= {"python", "sh", "js"}


@_tagged("python")
def test_python_block_prints_what_its_comments_say(block: Block, sample_folder: Path) -> None:
    said = re.findall(r"^\s*# -> ?(.*)$", block.text, re.MULTILINE)

    ran = subprocess.run(
        [sys.executable, "-W", "error", "-c", block.text],
        cwd=sample_folder,
        env=os.environ | {"PYTHONIOENCODING": "utf-8"},
        capture_output=True,
        encoding="utf-8",
        check=False,
    )

    assert (ran.stderr, ran.stdout.splitlines()) == ("", said)


@_tagged("sh", "console")
def test_every_shell_line_runs(block: Block, sample_folder: Path) -> None:
    for line in block.text.splitlines():
        words = shlex.split(line.removeprefix("$ "), comments=True)
        match words:
            case []:
                pass
            case ["uv", "run", "build.py", command, *_]:
                assert command in build.COMMANDS
            case ["treeglass", *arguments]:
                _run_treeglass(arguments, sample_folder)
            case _:
                pytest.fail(f"say in this module how to run {line!r}")


def _run_treeglass(arguments: list[str], folder: Path) -> None:
    treeglass = shutil.which("treeglass", path=Path(sys.executable).parent)
    assert treeglass is not None, "treeglass is not installed beside this Python"
    stdin = ""
    if "<" in arguments:
        at = arguments.index("<")
        stdin = (folder / arguments[at + 1]).read_text("utf-8")
        arguments = arguments[:at] + arguments[at + 2 :]

    ran = subprocess.run(
        [treeglass, *arguments],
        cwd=folder,
        input=stdin,
        capture_output=True,
        encoding="utf-8",
        check=False,
    )

    assert (ran.stderr, ran.returncode, bool(ran.stdout)) == ("", 0, True), arguments


@_tagged("js")
def test_js_block_bundles_against_the_built_package(
    block: Block, dist: Path, sample_folder: Path
) -> None:
    (sample_folder / "block.mjs").write_text(block.text, "utf-8")

    bundled = subprocess.run(
        [
            *(find_node_tool("esbuild"), "block.mjs", "--bundle", "--format=esm"),
            *("--target=es2022", "--log-level=warning", "--outfile=bundled.js"),
            *(f"--alias:treeglass={dist / 'npm' / 'index.js'}", "--external:node:*"),
        ],
        cwd=sample_folder,
        capture_output=True,
        encoding="utf-8",
        check=False,
    )

    assert (bundled.stderr, bundled.returncode) == ("", 0)


_WHOLE = re.compile(r"""^import .* from ["']treeglass["'];$""", re.MULTILINE)
_SHOWN = re.compile(r"^(?P<expression>\S.*);\n(?P<comments>(?:// ?.*\n)+)", re.MULTILINE)

# The icon keeps the browser from asking for one.
_PAGE = b"""<!doctype html><title>README</title><link rel="icon" href="data:,">
<script type="importmap">{"imports": {"treeglass": "/index.js"}}</script>"""


@pytest.mark.browser
@pytest.mark.parametrize(
    "text", [block.text for block in _blocks() if block.tag == "js" and _WHOLE.search(block.text)]
)
def test_js_block_gives_in_a_browser_what_its_comments_say(
    text: str, dist: Path, browsers: Browsers
) -> None:
    said = [
        re.sub(r"^// ?", "", shown["comments"].removesuffix("\n"), flags=re.MULTILINE)
        for shown in _SHOWN.finditer(text)
    ]
    module = "export const shown = [];\n" + _SHOWN.sub(
        r"shown.push(String(\g<expression>));\n", text
    )
    pages = {"/readme.html": _PAGE, "/block.js": module.encode()}

    with (
        serve_directory(dist / "npm", pages=pages) as origin,
        open_watched_page(browsers.get("chromium")) as page,
    ):
        page.goto(f"{origin}/readme.html")
        shown = page.evaluate("async () => (await import('/block.js')).shown")

    assert shown == said


@_tagged("toml")
def test_toml_block_configures_what_it_says(block: Block) -> None:
    config = Config.from_toml(block.text)

    assert config.model_dump(mode="json", exclude_unset=True) == tomllib.loads(block.text)
