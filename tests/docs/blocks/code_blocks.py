"""The code blocks of Markdown pages, each run in the way that its tag says.

- `python`: as a script. What it prints is compared with its comments `# -> ...`, one comment
  a line.
- `sh`, `console`: line by line; see `shell_blocks`.
- `js`: bundled against the built npm package, so that it parses and every name that it imports
  is there. Then it is run in Chromium, behind what `GOES_ON_FROM` says of its page: what a line
  `expression;` gives is compared with the comment lines `// ...` that follow it. A script that
  imports `treeglass/edge` is run by Node.js instead, where nothing stands behind it.
- `ts`: checked by TypeScript against the built npm package. If it has such comment lines, it is
  run in Chromium, too, beside the first block of its page, as `client.ts`.
- `css`, `html`, `md`, `rst`: parsed, and recorded answers recorded anew; see `markup_blocks`.
- `json`, `yaml`: parsed.
- `toml`: parsed, and read as a configuration where it has the table `tools`.
- `text`: is not run, since it is no code or cannot run; the page says why, or it is plain.
- `{name}`: a directive, which Sphinx runs when the documentation is built.
- Every other tag fails: teach it to this module.

Each block runs in a new folder that holds `SAMPLE_TREE` and what `SETTINGS` says of its page.
"""

import json
import os
import re
import sys
import tomllib
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from subprocess import CompletedProcess
from typing import NamedTuple

import yaml  # type: ignore[import-untyped]  # it has no types
from markdown_it import MarkdownIt

from build_steps.folders import NPM
from build_steps.programs import find_node_tool
from tests.bundlers.bundlers import PROJECTS
from tests.docs.blocks.markup_blocks import run_html, run_markdown, run_rst
from tests.docs.blocks.shell_blocks import run_shell
from tests.support.programs import TYPES_OF_EXAMPLES, check_types, install_package, run
from treeglass import Config, Workspace
from treeglass.pack import pack_zip

ROOT = Path(__file__).resolve().parents[3]
DOCS = ROOT / "docs"

SAMPLE_TREE: Mapping[str, str | Path] = {
    "README.md": "# Sample\n",
    "calls.jsonl": '{"id": 1, "tool": "list_dir", "arguments": {"dir_path": "/repo"}}\n',
    "src/app.py": "def main():\n    print('hello')\n",
}

FOLLOWED = (
    *sorted((DOCS / "start").glob("*.md")),
    DOCS / "python-agents.md",
    DOCS / "recipes" / "react-chat.md",
)
"""The pages that a reader follows from their first step to the last, in an empty folder."""

_SHOP = DOCS / "trees" / "shop"

_EDIT_TOML = """[tools]
experimental_supported_tools = ["list_dir", "read_file", "grep_files", "apply_patch"]
offered = []
"""

_ADDED_PLAN = "*** Begin Patch\n*** Add File: plan.md\n+# Plan\n*** End Patch\n"

_SCHEMA_OF_ENVELOPES = "standard-envelope.schema.json"

_PAGE_OF_A_DEMO = """<treeglass-demo tool="list_dir" arguments='{"dir_path": "/repo"}'>
<script type="application/json">{"README.md": "# Shop"}</script>
</treeglass-demo>
"""

_RECORDED_PAGE = _PAGE_OF_A_DEMO.replace(
    "</treeglass-demo>",
    "<pre data-recorded>Absolute path: /repo\nREADME.md</pre>\n</treeglass-demo>",
)

SETTINGS: Mapping[str, Mapping[str, str | Path]] = {
    "docs/adapters.md": {"treeglass": NPM / "assets"},
    "docs/bundlers.md": {"treeglass": NPM / "assets"},
    "docs/client.md": {"treeglass": NPM / "assets"},
    "docs/editing.md": {
        "treeglass": NPM / "assets",
        "edit.toml": _EDIT_TOML,
        "patch.json": json.dumps({"input": _ADDED_PLAN}),
        "edits.jsonl": '{"changes": true}\n{"discard": true}\n',
    },
    "docs/element.md": {"shop": _SHOP, "shop.zip": _SHOP, "older": NPM},
    "docs/faq.md": {"treeglass": NPM / "assets"},
    "docs/hosting.md": {
        "public/treeglass/start.json": "{}\n",
        "public/treeglass/start.json.br": "not looked into",
        "treeglass": NPM / "assets",
    },
    "docs/index.md": {"treeglass": NPM / "assets"},
    "docs/integrations.md": {"shop": _SHOP, "trees/shop": _SHOP},
    "README.md": {"treeglass": NPM / "assets"},
    "docs/coding-agents.md": {"treeglass": NPM / "assets"},
    "docs/reference/envelope.md": {
        _SCHEMA_OF_ENVELOPES: (DOCS / _SCHEMA_OF_ENVELOPES).read_text("utf-8"),
    },
    "docs/recipes/approval.md": {"treeglass": NPM / "assets"},
    "docs/recipes/docs-assistant.md": {
        "treeglass": NPM / "assets",
        "docs/rounding.md": "# Rounding\n",
        "docs.zip": _SHOP / "docs",
        "public/index.html": "",
    },
    "docs/recipes/reload.md": {"treeglass": NPM / "assets", "shop.zip": _SHOP},
    "docs/recording.md": {"shop": _SHOP, "trees/shop": _SHOP},
    "docs/reference/command-line.md": {
        "docs/index.html": _PAGE_OF_A_DEMO,
        "docs/guide.md": _PAGE_OF_A_DEMO,
    },
    "docs/single-file.md": {"shop": _SHOP, "trees/shop": _SHOP},
    "docs/sources.md": {"shop.zip": _SHOP},
    "docs/tools/Search.md": {"treeglass": NPM / "assets"},
    "docs/troubleshooting.md": {"treeglass": NPM / "assets"},
    "docs/versions.md": {"docs/index.html": _RECORDED_PAGE},
}
"""The other files that the blocks of a page find.

A text; the folder that is linked there; or, under a name in `.zip`, the folder that is packed.
"""

_CONNECTED = """import { connect } from "treeglass";
const client = await connect();
"""

_OFFERED = ("list_dir", "read_file", "grep_files", "apply_patch")

_EDITING = {
    "tools": {
        "experimental_supported_tools": _OFFERED,
        "offered": [],
        "approval": {"allowlist": ["apply_patch"]},
    }
}

_SHOP_FILE = """currency = "EUR"
tax = 0.19
opens = "09:00"
closes = "18:00"
street = "High Street 1"
city = "Springfield"
phone = "555 0100"
web = "shop.example"
till = 2
mail = "hello@shop.example"
"""

_TAX = """*** Begin Patch
*** Update File: shop.toml
@@
-tax = 0.19
+tax = 0.21
*** End Patch"""

GOES_ON_FROM: Mapping[str, str] = {
    "docs/editing.md": f"""import {{ connect }} from "treeglass";
        const client = await connect({{ config: {json.dumps(_EDITING)} }});
        const entries = {{ "shop.toml": {json.dumps(_SHOP_FILE)} }};
        await client.mount("/repo", {{ entries }});
        await client.callTool("apply_patch", {{ input: {json.dumps(_TAX)} }});
    """,
    "docs/adapters.md": """import { initializeWebMCPPolyfill } from "@mcp-b/webmcp-polyfill";
        initializeWebMCPPolyfill();
    """,
    "docs/client.md": f"""{_CONNECTED}
        await client.mount("/repo", {{ entries: {{ "README.md": "# Hi" }} }});
        const {{ signal }} = new AbortController();
    """,
    "docs/element.md": 'import "treeglass/element";\n',
    "docs/sources.md": f"""{_CONNECTED}
        const file = new File([await (await fetch("/shop.zip")).arrayBuffer()], "shop.zip");
        const controller = new AbortController();
    """,
}
"""The lines before each script of a page that imports nothing from `treeglass`."""

ENDS_WITH: Mapping[str, str] = {
    "docs/element.md": 'await document.querySelector("treeglass-demo").run();\n',
}
"""The lines after each script of a page, so that its preparations take effect."""


_IMPORTS_EDGE = re.compile(r"""^import .* from ["']treeglass/edge["'];$""", re.MULTILINE)


class Block(NamedTuple):
    """A block of code."""

    page: str
    line: int
    tag: str
    """The first word after the fence; empty if it is missing, or if there is no fence."""
    text: str

    @property
    def is_run(self) -> bool:
        """True if this module runs it; Sphinx runs some blocks, and some are not run."""
        return self.tag != "text" and not self.tag.startswith("{")

    @property
    def is_program(self) -> bool:
        """True if it is a script for Node.js, and not for a page."""
        return self.tag == "js" and bool(_IMPORTS_EDGE.search(self.text))

    @property
    def place(self) -> str:
        """The page and the line."""
        return f"{self.page} line {self.line}"


def documentation_pages() -> Iterator[str]:
    """Yield the names of the pages, except those that are followed as a whole."""
    yield from ("CHANGELOG.md", "CONTRIBUTING.md", "README.md", "SECURITY.md")
    for path in sorted(DOCS.rglob("*.md")):
        if path not in FOLLOWED and path.relative_to(DOCS).parts[0] != "trees":
            yield path.relative_to(ROOT).as_posix()


def blocks_of(page: str) -> list[Block]:
    """Return the blocks of a page, by its name below the root of the repository."""
    tokens = MarkdownIt("commonmark").parse((ROOT / page).read_text("utf-8"))
    return [
        Block(page, token.map[0] + 1, next(iter(token.info.split()), ""), token.content)
        for token in tokens
        if token.type in {"fence", "code_block"} and token.map
    ]


def fill_folder(folder: Path, page: str) -> None:
    """Fill a new folder with the files that a block of a page finds."""
    for name, content in {**SAMPLE_TREE, **SETTINGS.get(page, {})}.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if isinstance(content, str):
            path.write_text(content, "utf-8", newline="")
        elif path.suffix == ".zip":
            with path.open("wb") as archive:
                pack_zip(Workspace({"/repo": content}), "/repo", archive)
        else:
            path.symlink_to(content, target_is_directory=True)


def faults_of(block: Block, folder: Path) -> list[str]:
    """Run a block in its folder and return its faults; none if it is true."""
    run = _RUNNERS.get(block.tag)
    if run is None:
        return [f"{block.tag!r} is no tag that is known: say in {__name__} how it is run"]
    return run(block.text, folder)


def _run_python(text: str, folder: Path) -> list[str]:
    said = re.findall(r"^\s*# -> ?(.*)$", text, re.MULTILINE)
    utf_8 = os.environ | {"PYTHONIOENCODING": "utf-8"}
    ran = run(sys.executable, "-W", "error", "-c", text, folder=folder, env=utf_8)
    printed = ran.stdout.splitlines()
    faults = [f"it prints {printed}, and its comments say {said}"] if printed != said else []
    return [*faults, *filter(None, [ran.stderr])]


def _faults_of(ran: CompletedProcess[str]) -> list[str]:
    said = (ran.stdout, ran.stderr)
    return [] if (*said, ran.returncode) == ("", "", 0) else [*said]


def bundle(text: str, folder: Path, *, suffix: str = "mjs") -> list[str]:
    """Have esbuild read a script or a style sheet with all that it imports."""
    install_package(folder)
    (folder / f"block.{suffix}").write_text(text, "utf-8")
    command = (find_node_tool("esbuild"), f"block.{suffix}", "--bundle", "--format=esm")
    options = ("--target=es2022", "--log-level=warning", "--external:node:*", "--outdir=bundled")
    return _faults_of(run(*command, *options, folder=folder))


def compile_typed(block: Block, text: str, folder: Path) -> str:
    """Return a block of TypeScript as a module for a page; treeglass stays outside of it."""
    install_package(folder, has_libraries=True)
    (folder / "client.ts").write_text(_first_typed_of(block.page), "utf-8")
    (folder / "block.ts").write_text(text, "utf-8")
    options = (
        "--bundle",
        "--format=esm",
        "--target=es2022",
        "--external:treeglass",
        "--log-level=error",
    )
    ran = run(
        find_node_tool("esbuild"), "block.ts", *options, "--external:treeglass/*", folder=folder
    )
    assert (ran.returncode, ran.stderr) == (0, "")
    return ran.stdout


def _first_typed_of(page: str) -> str:
    return next(block.text for block in blocks_of(page) if block.tag == "ts")


def _run_typescript(text: str, folder: Path) -> list[str]:
    install_package(folder, has_libraries=True)
    (folder / "block.ts").write_text(text, "utf-8")
    (folder / "package.json").write_text('{"type": "module"}', "utf-8")
    return _faults_of(check_types(*TYPES_OF_EXAMPLES, "block.ts", folder=folder))


def _run_toml(text: str, _folder: Path) -> list[str]:
    document = tomllib.loads(text)
    if "tools" not in document:
        return []
    config = Config.from_toml(text).model_dump(mode="json", exclude_unset=True)
    return [] if config == document else [f"it configures {config}"]


def _parsed_by(parse: Callable[[str], object]) -> Callable[[str, Path], list[str]]:
    def run_parser(text: str, _folder: Path) -> list[str]:
        parse(text)
        return []

    return run_parser


def _find_project_file(text: str, _folder: Path) -> list[str]:
    files = [path for path in PROJECTS.rglob("*") if path.is_file()]
    is_built = any(path.read_bytes() == text.encode() for path in files)
    return [] if is_built else ["no project in tests/bundlers has this file"]


_RUNNERS: Mapping[str, Callable[[str, Path], list[str]]] = {
    "console": run_shell,
    "css": lambda text, folder: bundle(text, folder, suffix="css"),
    "html": lambda text, folder: run_html(text, folder, lambda script: bundle(script, folder)),
    "js": bundle,
    "json": _parsed_by(json.loads),
    "jsx": _find_project_file,
    "markdown": run_markdown,
    "md": run_markdown,
    "python": _run_python,
    "rst": run_rst,
    "sh": run_shell,
    "svelte": _find_project_file,
    "toml": _run_toml,
    "ts": _run_typescript,
    "vue": _find_project_file,
    "yaml": _parsed_by(yaml.safe_load),
}
