"""The npm package is what its manifest says, to npm, to a bundler and to TypeScript."""

import json
import re
from pathlib import Path

import pytest

import treeglass
from build_steps.folders import NODE_MODULES
from build_steps.npm.npm_package import ADAPTERS
from build_steps.packaged_pages import MCP_NAME, REPOSITORY
from tests.support.programs import check_types, install_package

ROOT_FILES = {
    *("CHANGELOG.md", "CONTRIBUTING.md", "LICENSE", "README.md", "SECURITY.md", "THIRD-PARTY.md"),
    *("AGENTS.md", "adapters", "assets", "docs", "package.json", "skills", "types", "workerd"),
    *("command.js", "edge-worker.js", "edge.js", "element-views.js", "element.js", "index.js"),
    *("review.js", "workerd.js"),
}


def _names_below(folder: Path) -> set[str]:
    return {path.relative_to(folder).as_posix() for path in folder.rglob("*") if not path.is_dir()}


def test_package_json_is_ready_to_publish(package: Path) -> None:
    assert json.loads((package / "package.json").read_text("utf-8")) == {
        "name": "treeglass",
        "version": treeglass.__version__,
        "description": (
            "Filesystem tools for an LLM agent that lives in a web page: they read a tree, and "
            "propose changes that no mount receives."
        ),
        "keywords": ["agent", "filesystem", "llm", "mcp", "pyodide", "tools", "webassembly"],
        "mcpName": MCP_NAME,
        "homepage": f"{REPOSITORY}#readme",
        "repository": {"type": "git", "url": f"git+{REPOSITORY}.git"},
        "bugs": {"url": f"{REPOSITORY}/issues"},
        "license": "MIT AND Apache-2.0 AND Apache-2.0 WITH LLVM-exception AND BSD-2-Clause AND "
        "BSD-3-Clause AND CC0-1.0 AND HPND AND MPL-2.0 AND PSF-2.0 AND Python-2.0.1 AND "
        "Unicode-3.0 AND Unicode-DFS-2016 AND Zlib AND blessing AND bzip2-1.0.6 AND dtoa",
        "type": "module",
        "exports": {
            ".": {
                "types": "./types/index.d.ts",
                "workerd": "./workerd.js",
                "browser": "./index.js",
                "node": "./edge.js",
                "default": "./index.js",
            },
            "./edge": {
                "types": "./types/edge.d.ts",
                "workerd": "./workerd.js",
                "default": "./edge.js",
            },
            "./element": {"types": "./types/element/element.d.ts", "default": "./element.js"},
            "./review": {
                "types": "./types/element/review/review.d.ts",
                "default": "./review.js",
            },
            **{
                f"./adapters/{name}": {
                    "types": f"./types/adapters/{name}.d.ts",
                    "default": f"./adapters/{name}.js",
                }
                for name in ADAPTERS
            },
            "./assets/*": "./assets/*",
            "./package.json": "./package.json",
        },
        "types": "./types/index.d.ts",
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
        "sideEffects": [
            "./assets/worker.js",
            "./edge-worker.js",
            "./element.js",
            "./review.js",
        ],
        "engines": {"node": ">=20"},
        "peerDependencies": {
            "@langchain/core": "*",
            "@modelcontextprotocol/server": "*",
            "ai": "*",
        },
        "peerDependenciesMeta": {
            "@langchain/core": {"optional": True},
            "@modelcontextprotocol/server": {"optional": True},
            "ai": {"optional": True},
        },
    }


def test_package_holds_these_and_nothing_else(package: Path) -> None:
    types = package / "types"
    adapters = {path.name for path in (package / "adapters").iterdir()}

    assert {path.name for path in package.iterdir()} == ROOT_FILES
    pictures = {name for name in _names_below(package / "docs") if not name.endswith(".md")}
    assert pictures == {"pictures/playground.png"}
    assert {name for name in _names_below(types) if not name.endswith(".d.ts")} == set()
    unshared = {name for name in adapters if not re.fullmatch(r"shared-\w{8}\.js", name)}
    assert unshared == {f"{name}.js" for name in ADAPTERS}


@pytest.mark.usefixtures("dist")
@pytest.mark.parametrize("resolution", ["bundler", "nodenext"])
def test_typescript_finds_the_types_of_every_name_and_all_they_refer_to(
    tmp_path: Path, resolution: str
) -> None:
    install_package(tmp_path)
    (tmp_path / "package.json").write_text('{"type": "module"}')
    (tmp_path / "page.ts").write_text(
        'import { connect } from "treeglass";\n'
        'import { TreeglassDemo, defineTreeglassDemo } from "treeglass/element";\n'
        'defineTreeglassDemo("other-demo");\n'
        'const demo = document.createElement("treeglass-demo");\n'
        'demo.arguments = { dir_path: "/repo" };\n'
        'demo.addEventListener("treeglass-result", ({ detail }) => detail.result.content);\n'
        "export const run: Promise<{ content: string }> = new TreeglassDemo().run();\n"
        "// @ts-expect-error  there is no such state\n"
        'export const isBusy = demo.state === "busy";\n'
        "const client = await connect();\n"
        'const { content } = await client.callTool("list_dir", { dir_path: "/repo" });\n'
        "export const text: string = content;\n"
        "// @ts-expect-error  content is a text: were the types not found, it would be anything\n"
        "export const notText: number = content;\n"
    )
    module = "nodenext" if resolution == "nodenext" else "es2022"
    checked = check_types(
        *("--module", module, "--moduleResolution", resolution, "--types", ""),
        *("--lib", "es2022,dom,dom.iterable", "--skipLibCheck", "false", "page.ts"),
        folder=tmp_path,
    )

    assert (checked.stdout, checked.returncode) == ("", 0)


@pytest.mark.usefixtures("dist")
@pytest.mark.parametrize("entry", ["treeglass", "treeglass/edge"])
def test_a_program_of_node_checks_all_types_without_those_of_a_browser(
    tmp_path: Path, entry: str
) -> None:
    install_package(tmp_path)
    # Not linked: what it imports is found from where it really is.
    types_of_node = NODE_MODULES / "@types" / "node"
    (tmp_path / "package.json").write_text('{"type": "module"}')
    (tmp_path / "program.ts").write_text(
        'import { readFileSync } from "node:fs";\n'
        "import { connect, TreeglassClient, TreeglassError, type TreeSource } from"
        f' "{entry}";\n'
        "const signal = AbortSignal.timeout(1000);\n"
        "const client: TreeglassClient = await connect({ shared: true, signal });\n"
        "const sources: TreeSource[] = [\n"
        '  { directory: "." },\n'
        '  { directory: new URL("file:///srv/") },\n'
        '  { archive: readFileSync("tree.zip") },\n'
        '  { archive: new Blob(["x"]) },\n'
        '  { entries: { "a.txt": "x" } },\n'
        "];\n"
        'export const reports = sources.map((source) => client.mount("/repo", source));\n'
        'const { content } = await client.callTool("list_dir", { dir_path: "/repo" });\n'
        "export const text: string = content;\n"
        "export const isOurs = (error: unknown) => error instanceof TreeglassError && error.name;\n"
        "// @ts-expect-error  content is a text: were the types not found, it would be anything\n"
        "export const notText: number = content;\n"
        "// @ts-expect-error  only connect makes one\n"
        "new TreeglassClient();\n"
    )
    checked = check_types(
        *("--module", "nodenext", "--types", types_of_node, "--lib", "es2022"),
        *("--skipLibCheck", "false", "program.ts"),
        folder=tmp_path,
    )

    assert (checked.stdout, checked.returncode) == ("", 0)
