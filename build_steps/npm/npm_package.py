"""The npm package in `dist/npm/`, ready to publish."""

from __future__ import annotations

import gzip
import json
import re
import shutil
from typing import TYPE_CHECKING, Any

from build_steps.folders import NPM, ROOT, WEB, WEB_SOURCES, project_version, tree_files
from build_steps.freshness import remake_folder
from build_steps.licenses import third_party
from build_steps.npm.client_bundles import add_workerd_client, bundle_beside_client
from build_steps.packaged_pages import (
    AGENT_PAGES,
    MCP_NAME,
    REPOSITORY,
    agent_page,
    npm_page,
    page_sources,
    project_addresses,
)
from build_steps.programs import find_program, run
from build_steps.runtime.assets import ASSETS, START_NAME, integrity
from build_steps.web.scripts import bundle_script

if TYPE_CHECKING:
    from pathlib import Path

ADAPTERS = (
    "ai-sdk",
    "anthropic",
    "gemini",
    "langchain",
    "mcp",
    "mcp-http",
    "openai",
    "prompt-api",
    "toolset",
    "webmcp",
    "window-transport",
)
"""The modules that are published as `treeglass/adapters/NAME`."""

_TRANSPORT = "window-transport"

_MODULES = {"element": "element/element", "review": "element/review/review", "edge": "edge"}
"""Published modules that import the client, and where they are in `web/src/`."""

PEERS = ("@langchain/core", "@modelcontextprotocol/server", "ai")
"""Libraries of hosts that an adapter imports; only users of that adapter need them.

Any version is a peer: with a range, npm refuses to install the package beside another
version, also for users of no adapter. An adapter says itself which versions it needs.
`web/package.json` names the tested ones.
"""

_COPIED = ("LICENSE",)


def make_npm_package() -> None:
    """Bring `dist/npm/` up to date; it holds the package alone.

    No file has a compressed sibling: `treeglass assets --compressed` makes them where they are
    served.
    """
    is_made = remake_folder(
        "npm package",
        NPM,
        inputs=[
            *tree_files(WEB_SOURCES),
            *WEB.glob("*.json"),
            *(ROOT / name for name in ("pyproject.toml", *_COPIED)),
            *page_sources().values(),
            *tree_files(ROOT / "docs" / "trees"),
            *tree_files(third_party.FOLDER),
            *tree_files(ASSETS),
        ],
        write=_write,
    )
    if is_made:
        for name, size_bytes in gzip_sizes(NPM).items():
            print(f"    {name:<30} {size_bytes:>6,} bytes by gzip")


_COUNTED = ("index.js", "element.js", "element-views.js", "review.js")


def gzip_sizes(package: Path) -> dict[str, int]:
    """Return the bytes by gzip of the client, the elements, and each adapter with its imports.

    An element counts without the client, which a demo fetches when it starts. An adapter counts
    without the client, which the page has already, and without the library of its host.
    """
    sizes = {name: _gzip_bytes(package / name) for name in _COUNTED}
    for name in ADAPTERS:
        module = package / "adapters" / f"{name}.js"
        shared = {module.parent / found for found in _imports_beside(module)}
        sizes[f"adapters/{name}.js"] = sum(map(_gzip_bytes, {module, *shared}))
    return sizes


def _imports_beside(module: Path) -> set[str]:
    # In esbuild's output every import of a neighbour looks like this.
    direct = set(re.findall(r'(?:from|import)"\./([^"]+)"', module.read_text(encoding="utf-8")))
    return direct.union(*(_imports_beside(module.parent / name) for name in direct))


def _gzip_bytes(file: Path) -> int:
    return len(gzip.compress(file.read_bytes(), 9, mtime=0))


def _write(staging: Path) -> None:
    bundle_script(WEB_SOURCES / "index.ts", staging / "index.js")
    # `element.js` loads the views for a demo's files, form or menu.
    views = {"element-views": WEB_SOURCES / "element" / "views.ts"}
    beside_client = {name: WEB_SOURCES / f"{module}.ts" for name, module in _MODULES.items()}
    for name, entry in {**beside_client, **views}.items():
        bundle_beside_client(
            {name: entry},
            staging,
            client="./index.js",
            beside=views,
            is_for_pages=name != "edge",
        )
    thread = WEB_SOURCES / "hosts" / "thread" / "worker" / "worker.ts"
    bundle_script(thread, staging / "edge-worker.js", platform="node", is_minified=False)
    # Bundled alone: it shares a few lines with the others, and these lines would be one more file
    # for every page.
    for names in ([name for name in ADAPTERS if name != _TRANSPORT], [_TRANSPORT]):
        bundle_beside_client(
            {name: WEB_SOURCES / "adapters" / f"{name}.ts" for name in names},
            staging / "adapters",
            client="../index.js",
        )
    write_types(staging / "types")
    _write_pages(staging)
    for name in _COPIED:
        shutil.copyfile(ROOT / name, staging / name)
    notices = third_party.third_party_markdown()
    (staging / "THIRD-PARTY.md").write_text(notices, encoding="utf-8", newline="\n")
    shutil.copytree(ASSETS, staging / "assets")
    _add_worker(staging / "assets")
    bundle_script(
        WEB_SOURCES / "command" / "command.ts",
        staging / "command.js",
        platform="node",
        external=["@modelcontextprotocol/server"],
        is_minified=False,
    )
    add_workerd_client(staging)
    manifest = json.dumps(package_manifest(), indent=2) + "\n"
    (staging / "package.json").write_text(manifest, encoding="utf-8", newline="\n")


def _add_worker(assets: Path) -> None:
    """Put the page's worker into the assets, and its hash into `start.json`."""
    worker = assets / "worker.js"
    bundle_script(WEB_SOURCES / "hosts" / "page" / "worker" / "worker.ts", worker)
    start = json.loads((assets / START_NAME).read_text(encoding="utf-8"))
    start["files"][worker.name] = integrity(worker)
    text = json.dumps(start, indent=1) + "\n"
    (assets / START_NAME).write_text(text, encoding="utf-8", newline="\n")


def _write_pages(staging: Path) -> None:
    for name, source in page_sources().items():
        page = staging / name
        page.parent.mkdir(parents=True, exist_ok=True)
        if page.suffix == ".md":
            page.write_text(npm_page(name), encoding="utf-8", newline="\n")
        else:
            shutil.copyfile(source, page)
    for name in AGENT_PAGES:
        page = staging / name
        page.parent.mkdir(parents=True, exist_ok=True)
        page.write_text(agent_page(name), encoding="utf-8", newline="\n")


def write_types(types: Path) -> None:
    """Write the declarations of every public module, and of all that they name."""
    run(
        [find_program("npm"), "run", "--silent", "types", "--", "--outDir", types],
        folder=WEB,
        otherwise="The types of web/src could not be written: "
        "correct what tsc says above and run again.",
    )


def package_manifest() -> dict[str, Any]:
    """Return the `package.json` of the package, some of it from `web/package.json`."""
    web: dict[str, Any] = json.loads((WEB / "package.json").read_text(encoding="utf-8"))
    addresses = project_addresses()
    return {
        "name": "treeglass",
        "version": project_version(),
        "description": web["description"],
        "keywords": ["agent", "filesystem", "llm", "mcp", "pyodide", "tools", "webassembly"],
        "mcpName": MCP_NAME,
        "homepage": addresses["Homepage"],
        "repository": {"type": "git", "url": f"git+{REPOSITORY}.git"},
        "bugs": {"url": addresses["Issues"]},
        "license": third_party.package_license(),
        "type": "module",
        "exports": {
            # A bundler for pages may know `node` too, so `browser` is asked before it.
            ".": {
                "types": _types("index"),
                "workerd": "./workerd.js",
                "browser": "./index.js",
                "node": "./edge.js",
                "default": "./index.js",
            },
            "./edge": {
                "types": _types("edge"),
                "workerd": "./workerd.js",
                "default": "./edge.js",
            },
            "./element": _entry("element"),
            "./review": _entry("review"),
            **{f"./adapters/{name}": _entry(f"adapters/{name}") for name in ADAPTERS},
            "./assets/*": "./assets/*",
            "./package.json": "./package.json",
        },
        "types": _types("index"),
        "bin": {"treeglass": "./command.js"},
        "jsdelivr": "./index.js",
        "unpkg": "./index.js",
        "files": [
            "index.js",
            "edge.js",
            "edge-worker.js",
            "element.js",
            "element-views.js",
            "review.js",
            "command.js",
            "workerd.js",
            "workerd",
            "adapters",
            "types",
            "assets",
            "docs",
            "skills",
            "AGENTS.md",
            "CHANGELOG.md",
            "CONTRIBUTING.md",
            "SECURITY.md",
            "THIRD-PARTY.md",
        ],
        # Loading these has an effect, so a bundler must not drop them.
        "sideEffects": [
            "./assets/worker.js",
            "./edge-worker.js",
            "./element.js",
            "./review.js",
        ],
        "engines": web["engines"],
        "peerDependencies": dict.fromkeys(PEERS, "*"),
        "peerDependenciesMeta": {name: {"optional": True} for name in PEERS},
    }


def _entry(module: str) -> dict[str, str]:
    # Types first: a resolver takes the first condition that suits.
    return {"types": _types(module), "default": f"./{module}.js"}


def _types(module: str) -> str:
    return f"./types/{_MODULES.get(module, module)}.d.ts"
