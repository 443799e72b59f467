"""The package that npm would publish, as a program that installs it sees it."""

from __future__ import annotations

import json
import os
import re
import subprocess
import tarfile
from typing import TYPE_CHECKING

import pytest

from build_steps.folders import NODE_MODULES
from build_steps.npm.npm_package import ADAPTERS, PEERS, gzip_sizes
from build_steps.programs import find_node_tool, find_program

if TYPE_CHECKING:
    from pathlib import Path

MAX_ADAPTER_GZIP_BYTES = 5_600
MAX_SERVER_ADAPTER_GZIP_BYTES = 8_500
MAX_ELEMENT_GZIP_BYTES = 13_000

SERVER_ADAPTERS = ("http", "mcp-http")
"""No page loads these: they bring the gate that keeps foreign requests out of a server."""

_THROWN = """
import { TreeglassError } from "treeglass";
import { createToolset } from "treeglass/adapters/toolset";

const client = { listTools: async () => [] };
const thrown = await createToolset(client, { allow: ["none"] }).catch((error) => error);
process.stdout.write(JSON.stringify([thrown instanceof TreeglassError, thrown.kind]));
"""

_RENDERED_ON_A_SERVER = """
import * as element from "treeglass/element";

element.defineTreeglassDemo("other-demo");
process.stdout.write(
  JSON.stringify({
    names: Object.keys(element),
    isClass: typeof element.TreeglassDemo === "function",
    isDefined: "customElements" in globalThis,
  }),
);
"""


@pytest.fixture(scope="module")
def package(dist: Path) -> Path:
    """The npm package, unpacked as it is published."""
    return dist / "npm"


@pytest.fixture(scope="module")
def tarball(package: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The archive that would be published."""
    folder = tmp_path_factory.mktemp("packed")
    _run(find_program("npm"), "pack", "--silent", "--pack-destination", folder, folder=package)
    (packed,) = folder.iterdir()
    return packed


def _run(*command: str | Path, folder: Path) -> str:
    # Some programs colour what a CI reads.
    plain = {**os.environ, "NO_COLOR": "1", "FORCE_COLOR": "0"}
    ran = subprocess.run(
        command, cwd=folder, env=plain, capture_output=True, encoding="utf-8", check=False
    )
    assert ran.returncode == 0, ran.stdout + ran.stderr
    return ran.stdout


@pytest.mark.rebuild
def test_npm_would_publish_every_file_that_was_built(package: Path, tarball: Path) -> None:
    with tarfile.open(tarball) as archive:
        published = {name.removeprefix("package/") for name in archive.getnames()}

    built = {path.relative_to(package).as_posix() for path in package.rglob("*") if path.is_file()}
    assert published == built


@pytest.mark.rebuild
def test_publint_has_nothing_to_say(tarball: Path) -> None:
    said = _run(find_node_tool("publint"), "run", "--strict", tarball, folder=tarball.parent)

    assert said.splitlines()[-1] == "All good!"


@pytest.mark.rebuild
def test_typescript_finds_the_types_of_every_entry(tarball: Path) -> None:
    # The worker is never imported: a page starts it by its address.
    answer = _run(
        *(find_node_tool("attw"), "--profile", "esm-only", "--format", "json"),
        tarball,
        folder=tarball.parent,
    )

    analysis = json.loads(answer)["analysis"]
    adapters = {f"./adapters/{name}" for name in ADAPTERS}
    entries = {".", "./edge", "./element", "./package.json", "./assets/*", *adapters}
    assert set(analysis["entrypoints"]) == entries


def test_every_adapter_stays_small(package: Path) -> None:
    sizes = gzip_sizes(package)

    assert {name for name in sizes if name.startswith("adapters/")} == {
        f"adapters/{name}.js" for name in ADAPTERS
    }
    ceilings = {f"adapters/{name}.js": MAX_ADAPTER_GZIP_BYTES for name in ADAPTERS} | {
        f"adapters/{name}.js": MAX_SERVER_ADAPTER_GZIP_BYTES for name in SERVER_ADAPTERS
    }
    large = {name: sizes[name] for name, ceiling in ceilings.items() if sizes[name] > ceiling}
    assert large == {}


def test_the_element_stays_small_and_leaves_the_client_to_its_first_start(package: Path) -> None:
    text = (package / "element.js").read_text("utf-8")

    assert gzip_sizes(package)["element.js"] <= MAX_ELEMENT_GZIP_BYTES
    assert re.findall(r'import\("([^"]+)"\)', text) == ["./index.js"]
    assert re.findall(r'(?:from|import)"([^"]+)"', text) == []
    assert "innerHTML" not in text


def test_the_element_can_be_imported_without_a_document(package: Path, tmp_path: Path) -> None:
    modules = tmp_path / "node_modules"
    modules.mkdir()
    (modules / "treeglass").symlink_to(package, target_is_directory=True)
    (tmp_path / "page.mjs").write_text(_RENDERED_ON_A_SERVER, "utf-8")

    exported = _run(find_program("node"), "page.mjs", folder=tmp_path)

    assert json.loads(exported) == {
        "names": ["TreeglassDemo", "defineTreeglassDemo"],
        "isClass": True,
        "isDefined": False,
    }


def _imports_of(module: Path) -> set[str]:
    """Return the imports of a module, and of the parts that it shares with others."""
    found = set(re.findall(r'(?:from|import)"([^"]+)"', module.read_text("utf-8")))
    shared = {specifier for specifier in found if specifier.startswith("./")}
    return (found - shared).union(*(_imports_of(module.parent / name) for name in shared))


def test_adapters_import_the_libraries_of_their_hosts_and_nothing_else(package: Path) -> None:
    imported = {name: _imports_of(package / "adapters" / f"{name}.js") for name in ADAPTERS}

    outside = {name: found - {"../index.js"} for name, found in imported.items()}
    assert {name: found for name, found in outside.items() if found} == {
        "ai-sdk": {"ai"},
        "langchain": {"@langchain/core/messages/tool", "@langchain/core/tools"},
        "mcp": {"@modelcontextprotocol/server"},
        "mcp-http": {"@modelcontextprotocol/server"},
    }


def test_what_an_adapter_throws_is_the_error_that_the_client_exports(
    package: Path, tmp_path: Path
) -> None:
    modules = tmp_path / "node_modules"
    modules.mkdir()
    (modules / "treeglass").symlink_to(package, target_is_directory=True)
    (tmp_path / "page.mjs").write_text(_THROWN, "utf-8")

    thrown = _run(find_program("node"), "page.mjs", folder=tmp_path)

    assert json.loads(thrown) == [True, "BadRequest"]


def test_the_documentation_names_the_versions_that_the_adapters_are_tested_with(
    root: Path,
) -> None:
    text = (root / "docs" / "adapters.md").read_text("utf-8")
    web = json.loads((root / "web" / "package.json").read_text("utf-8"))

    (sentence,) = re.findall(r"; the tests use (.*)\.$", text, re.MULTILINE)
    tested = dict(re.findall(r"`([^`]+)` ([\d.]+\d)", sentence))
    assert tested == {name: web["devDependencies"][name] for name in PEERS}


def test_the_documentation_names_no_model_that_is_about_to_be_switched_off(root: Path) -> None:
    sdk = NODE_MODULES / "@anthropic-ai" / "sdk" / "resources" / "messages" / "messages.js"
    (listed,) = re.findall(r"DEPRECATED_MODELS = \{(.*?)\}", sdk.read_text("utf-8"), re.DOTALL)
    retired = set(re.findall(r"'(claude-[^']+)':", listed))
    pages = list((root / "docs").rglob("*.md"))

    named = {
        name for page in pages for name in re.findall(r"claude-[\w-]+", page.read_text("utf-8"))
    }

    assert retired != set()
    assert named & retired == set()
    assert "claude-sonnet-5-5" in named


def test_every_example_of_the_documentation_fits_the_library_of_its_host(
    root: Path, package: Path, tmp_path: Path
) -> None:
    modules = tmp_path / "node_modules"
    modules.mkdir()
    for installed in NODE_MODULES.iterdir():
        (modules / installed.name).symlink_to(installed, target_is_directory=True)
    (modules / "treeglass").symlink_to(package, target_is_directory=True)
    text = (root / "docs" / "adapters.md").read_text("utf-8")
    examples = re.findall(r"^```ts\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    # The others continue the first one.
    for number, example in enumerate(examples):
        name = f"example-{number}.ts" if number else "client.ts"
        (tmp_path / name).write_text(example, "utf-8")
    (tmp_path / "package.json").write_text('{"type": "module"}', "utf-8")
    shown = {name for name in ADAPTERS if f'"treeglass/adapters/{name}"' in text}

    checked = subprocess.run(
        [
            *(find_node_tool("tsc"), "--noEmit", "--strict", "--target", "es2022"),
            *("--module", "esnext", "--moduleResolution", "bundler", "--types", ""),
            # A link would lead to a place without a library beside the package.
            *("--lib", "es2023,dom,dom.iterable", "--skipLibCheck", "--preserveSymlinks"),
            *("--allowImportingTsExtensions", "--exactOptionalPropertyTypes"),
            *sorted(path.name for path in tmp_path.glob("*.ts")),
        ],
        cwd=tmp_path,
        capture_output=True,
        encoding="utf-8",
        check=False,
    )

    assert (checked.stdout, checked.returncode) == ("", 0)
    assert shown == set(ADAPTERS)
