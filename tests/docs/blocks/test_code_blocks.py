"""Every block of code of the documentation is run, or says that it cannot be."""

import json
import re
from pathlib import Path

import pytest

from build_steps.programs import find_program
from tests.docs.blocks.code_blocks import (
    ENDS_WITH,
    GOES_ON_FROM,
    Block,
    blocks_of,
    compile_typed,
    documentation_pages,
    faults_of,
    fill_folder,
)
from tests.support.browser_support import Browsers, open_watched_page
from tests.support.programs import install_package, run
from tests.support.served_directory import serve_directory

# Its examples continue the first one, so they are checked together.
_CHECKED_TOGETHER = {("docs/adapters.md", "ts")}

_BLOCKS = [block for page in documentation_pages() for block in blocks_of(page)]
_RUN = [
    block for block in _BLOCKS if block.is_run and (block.page, block.tag) not in _CHECKED_TOGETHER
]


@pytest.mark.usefixtures("dist")
@pytest.mark.parametrize("block", _RUN, ids=lambda block: block.place)
def test_block_matches_its_tag_and_does_what_it_shows(block: Block, tmp_path: Path) -> None:
    fill_folder(tmp_path, block.page)

    assert faults_of(block, tmp_path) == []


@pytest.mark.parametrize(
    ("block", "faults"),
    [
        (
            Block("README.md", 1, "sh", "python build.py test tests/nowhere\n"),
            ["tests/nowhere is no path here"],
        ),
        (
            Block("README.md", 1, "sh", "treeglass record README.md > record.txt\n"),
            ["treeglass record README.md > record.txt: says nothing"],
        ),
        (
            Block(
                "README.md",
                1,
                "html",
                """<treeglass-demo tool="list_dir" arguments='{"dir_path": "/repo"}'>
<script type="application/json">{"a.txt": ""}</script>
<pre data-recorded>
  a.txt</pre>
</treeglass-demo>
""",
            ),
            [
                """--- block.html
+++ block.html (recorded)
@@ -1,5 +1,5 @@
 <treeglass-demo tool="list_dir" arguments='{"dir_path": "/repo"}'>
 <script type="application/json">{"a.txt": ""}</script>
-<pre data-recorded>
-  a.txt</pre>
+<pre data-recorded>Absolute path: /repo
+a.txt</pre>
 </treeglass-demo>
block.html: 1 stale
"""
            ],
        ),
    ],
    ids=["path", "silence", "recording"],
)
def test_block_with_a_wrong_claim_has_faults(
    block: Block, faults: list[str], tmp_path: Path
) -> None:
    fill_folder(tmp_path, "CHANGELOG.md")

    assert faults_of(block, tmp_path) == faults


_IMPORTS_THE_CLIENT = re.compile(r"""^import .* from ["']treeglass["'];$""", re.MULTILINE)
_CONNECTS = re.compile(r"(?<![.\w])(?:connect|preload)\((?:[^()]|\([^()]*\))*\)")
_SHOWN = re.compile(r"^(?P<expression>\S.*);\n(?P<comments>(?:// ?.*\n)+)", re.MULTILINE)

# The icon keeps the browser from asking for one.
_PAGE = b"""<!doctype html><title>Block</title><link rel="icon" href="data:,">
<script type="importmap">{"imports": {
  "treeglass": "/node_modules/treeglass/index.js",
  "treeglass/adapters/openai": "/node_modules/treeglass/adapters/openai.js",
  "treeglass/adapters/toolset": "/node_modules/treeglass/adapters/toolset.js",
  "treeglass/adapters/webmcp": "/node_modules/treeglass/adapters/webmcp.js",
  "treeglass/element": "/node_modules/treeglass/element.js",
  "treeglass/review": "/node_modules/treeglass/review.js"
}}</script>
<treeglass-demo src="/shop.zip" tool="list_dir" arguments='{"dir_path": "/repo"}'></treeglass-demo>
"""


def test_each_script_of_a_page_names_its_assets_as_a_bundled_page_must() -> None:
    scripts = [
        block
        for block in _BLOCKS
        if block.tag in {"js", "ts"} and '"treeglass/edge"' not in block.text
    ]
    calls = {
        f"{block.place}: {found[0]}"
        for block in scripts
        for found in _CONNECTS.finditer(block.text)
        if "assets" not in found[0]
    }

    assert calls == set()


def test_the_headers_of_static_hosts_name_the_folder_that_the_command_makes() -> None:
    text = "".join(block.text for block in _BLOCKS if block.page == "docs/hosting.md")

    copied = set(re.findall(r"npx treeglass assets public/(\S+)", text))
    cached = set(re.findall(r"^/(\S+)/(?:pyodide|treeglass)-\*$", text, re.MULTILINE))
    assert copied == cached == {"treeglass"}


_SCRIPTS = [block for block in _BLOCKS if block.tag == "js"]
_TYPED_SHOWN = [block for block in _BLOCKS if block.tag == "ts" and _SHOWN.search(block.text)]


@pytest.mark.usefixtures("dist")
@pytest.mark.parametrize(
    "block", [script for script in _SCRIPTS if not script.is_program], ids=lambda block: block.place
)
def test_script_runs_in_a_browser_and_gives_what_its_comments_say(
    block: Block, browsers: Browsers, tmp_path: Path
) -> None:
    module = f"{_before(block)}{showing(block)}{ENDS_WITH.get(block.page, '')}"
    fill_folder(tmp_path, block.page)
    install_package(tmp_path)

    assert shown_in_a_page(module, tmp_path, browsers) == said_in(block)


@pytest.mark.usefixtures("dist")
@pytest.mark.parametrize("block", _TYPED_SHOWN, ids=lambda block: block.place)
def test_typed_script_gives_what_its_comments_say(
    block: Block, browsers: Browsers, tmp_path: Path
) -> None:
    fill_folder(tmp_path, block.page)
    module = compile_typed(block, _before(block) + showing(block), tmp_path)

    assert shown_in_a_page(module, tmp_path, browsers) == said_in(block)


# Such a comment behind a statement would look like what a test has read.
def test_no_output_is_shown_where_no_test_reads_it() -> None:
    unread = re.compile(r"""[;)] // ?(?:->|[\[{"'])""")

    assert [block.place for block in _BLOCKS if unread.search(block.text)] == []


def _before(block: Block) -> str:
    is_whole = _IMPORTS_THE_CLIENT.search(block.text) is not None
    return "" if is_whole else GOES_ON_FROM.get(block.page, "")


def shown_in_a_page(module: str, folder: Path, browsers: Browsers) -> object:
    """Run a module in Chromium beside the files of a folder, and return its export `shown`."""
    with (
        serve_directory(
            folder, pages={"/block.html": _PAGE, "/block.js": module.encode()}
        ) as origin,
        open_watched_page(browsers.get("chromium")) as page,
    ):
        page.goto(f"{origin}/block.html")
        return page.evaluate("async () => (await import('/block.js')).shown")


@pytest.mark.usefixtures("dist")
@pytest.mark.parametrize(
    "block", [script for script in _SCRIPTS if script.is_program], ids=lambda block: block.place
)
def test_script_for_a_program_gives_what_its_comments_say(block: Block, tmp_path: Path) -> None:
    fill_folder(tmp_path, block.page)
    install_package(tmp_path)
    module = f"{showing(block)}console.log(JSON.stringify(shown));\n"
    (tmp_path / "block.mjs").write_text(module, "utf-8")

    ran = run(find_program("node"), "block.mjs", folder=tmp_path)

    assert (ran.returncode, ran.stderr) == (0, "")
    assert json.loads(ran.stdout) == said_in(block)


def showing(block: Block) -> str:
    """A module that exports the values of the lines that a comment follows."""
    return "export const shown = [];\n" + _SHOWN.sub(
        r"shown.push(String(\g<expression>));\n", block.text
    )


def said_in(block: Block) -> list[str]:
    return [
        re.sub(r"^// ?", "", shown["comments"].removesuffix("\n"), flags=re.MULTILINE)
        for shown in _SHOWN.finditer(block.text)
    ]
