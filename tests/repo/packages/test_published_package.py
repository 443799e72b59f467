"""The package that npm would publish, as a program that installs it sees it."""

import json
import os
import re
import tarfile
from pathlib import Path

import pytest

from build_steps.folders import NODE_MODULES
from build_steps.npm.npm_package import ADAPTERS, PEERS, gzip_sizes
from build_steps.programs import find_node_tool, find_program
from tests.support.programs import (
    TYPES_OF_EXAMPLES,
    check_types,
    install_package,
    pack_npm,
    printed_by,
    run,
)

MAX_ADAPTER_GZIP_BYTES = 5_900
MAX_SERVER_ADAPTER_GZIP_BYTES = 8_700
MAX_ELEMENT_GZIP_BYTES = 15_500
MAX_REVIEW_GZIP_BYTES = 9_000
"""Of these, 2,500 are parts that `element.js` has too: the styles of the box, and marked names."""

SERVER_ADAPTER = "mcp-http"
"""No page loads it: it brings the gate that keeps foreign requests out of a server."""

_THROWN = """
import { TreeglassError } from "treeglass";
import * as edge from "treeglass/edge";
import { WindowTransport } from "treeglass/adapters/window-transport";

const client = { listTools: async () => [], configure: async () => null };
const window = { postMessage() {}, addEventListener() {} };
const attempts = {
  "edge assets": () => edge.connect({ assets: "\\0" }),
  "edge config": () => edge.connect({ config: { budgets: 1 } }),
  "edge folder": () => edge.connect().then((open) => open.mount("/a", { directory: "missing" })),
  "edge path": () => edge.connect().then((open) => open.mount("a", { entries: {} })),
  "window-transport": () => new WindowTransport({ peer: 1, origin: "a" }),
};
for (const name of %(adapters)s) {
  for (const [key, make] of Object.entries(await import(`treeglass/adapters/${name}`))) {
    if (make.length > 0 && !String(make).startsWith("class")) {
      attempts[`${name} ${key}`] = () => make(client, { unknown: 1 });
    }
  }
}
const thrown = {};
for (const [name, attempt] of Object.entries(attempts)) {
  const error = await (async () => attempt())().catch((error) => error);
  thrown[name] = [error instanceof TreeglassError, error instanceof edge.TreeglassError];
  thrown[name].push(error?.name ?? String(error));
}
process.stdout.write(JSON.stringify(thrown));
process.exit();
"""

_ENDS_BY_AN_ERROR = """
import { connect } from "treeglass";

const client = await connect();
await client.readFile("/none").catch(({ constructor }) => console.log(constructor.name));
await client.mount("repo", { entries: {} });
"""

_IMPORTS = re.compile(r'\bimport\s*\{([^}]*)\}\s*from\s*"(\.[^"]*\.js)"')
_CLASS_OF_ERRORS = re.compile(
    r'extends Error\s*\{\s*(?:/\*\*[^*]*\*/\s*)?name(?=;\s*constructor|="StartFailed")'
)

_NODE_OVER_LINKS = (find_program("node"), "--preserve-symlinks")
"""Node that looks for libraries beside the link to the package."""

_RENDERED_ON_A_SERVER = """
import * as element from "treeglass/element";
import * as review from "treeglass/review";

element.defineTreeglassDemo("other-demo");
review.defineTreeglassReview("other-review");
process.stdout.write(
  JSON.stringify({
    names: [...Object.keys(element), ...Object.keys(review)],
    areClasses: [element.TreeglassDemo, review.TreeglassReview].map((own) => typeof own),
    isDefined: "customElements" in globalThis,
  }),
);
"""


@pytest.fixture(scope="module")
def tarball() -> Path:
    """The archive that would be published."""
    return pack_npm()


def _run(*command: str | Path, folder: Path) -> str:
    # Some programs colour what a CI reads.
    plain = {**os.environ, "NO_COLOR": "1", "FORCE_COLOR": "0"}
    return printed_by(*command, folder=folder, env=plain)


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
    entries = {".", "./edge", "./element", "./review", "./package.json", "./assets/*", *adapters}
    assert set(analysis["entrypoints"]) == entries


def test_every_adapter_stays_small(package: Path) -> None:
    sizes = gzip_sizes(package)

    assert {name for name in sizes if name.startswith("adapters/")} == {
        f"adapters/{name}.js" for name in ADAPTERS
    }
    ceilings = {f"adapters/{name}.js": MAX_ADAPTER_GZIP_BYTES for name in ADAPTERS} | {
        f"adapters/{SERVER_ADAPTER}.js": MAX_SERVER_ADAPTER_GZIP_BYTES
    }
    large = {name: sizes[name] for name, ceiling in ceilings.items() if sizes[name] > ceiling}
    assert large == {}


def test_the_element_stays_small_and_leaves_the_client_to_its_first_start(package: Path) -> None:
    text = (package / "element.js").read_text("utf-8")

    late = (package / "element-views.js").read_text("utf-8")

    assert gzip_sizes(package)["element.js"] <= MAX_ELEMENT_GZIP_BYTES
    assert set(re.findall(r'import\("([^"]+)"\)', text)) == {"./index.js", "./element-views.js"}
    assert re.findall(r'(?:from|import)"([^"]+)"', text + late) == []
    assert re.findall(r'import\("([^"]+)"\)', late) == []
    assert "innerHTML" not in text + late


def test_the_review_stays_small_and_imports_nothing(package: Path) -> None:
    text = (package / "review.js").read_text("utf-8")

    assert gzip_sizes(package)["review.js"] <= MAX_REVIEW_GZIP_BYTES
    # A word in quotes is followed by a quotation mark, too.
    assert re.findall(r'(?<!")\b(?:from|import)\(?"([^"]+)"', text) == []
    assert "innerHTML" not in text


@pytest.mark.usefixtures("dist")
def test_the_elements_can_be_imported_without_a_document(tmp_path: Path) -> None:
    install_package(tmp_path)
    (tmp_path / "page.mjs").write_text(_RENDERED_ON_A_SERVER, "utf-8")

    exported = _run(find_program("node"), "page.mjs", folder=tmp_path)

    assert json.loads(exported) == {
        "names": [
            *("TreeglassDemo", "defineTreeglassDemo"),
            *("TreeglassReview", "defineTreeglassReview"),
        ],
        "areClasses": ["function", "function"],
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


@pytest.mark.usefixtures("dist")
def test_every_entry_throws_the_error_that_the_client_exports(tmp_path: Path) -> None:
    install_package(tmp_path, has_libraries=True)
    (tmp_path / "page.mjs").write_text(_THROWN % {"adapters": json.dumps(ADAPTERS)}, "utf-8")

    thrown = json.loads(_run(*_NODE_OVER_LINKS, "page.mjs", folder=tmp_path))

    assert {name.split()[0] for name in thrown} == {"edge", *ADAPTERS}
    names = {"edge config": "ConfigInvalid", "edge folder": "SourceUnreadable"}
    names["edge path"] = "WorkspaceInvalid"
    assert thrown == {name: [True, True, names.get(name, "BadRequest")] for name in thrown}


@pytest.mark.usefixtures("dist")
def test_a_program_that_ends_by_an_error_prints_names_and_the_line_that_threw(
    tmp_path: Path,
) -> None:
    install_package(tmp_path)
    (tmp_path / "program.mjs").write_text(_ENDS_BY_AN_ERROR, "utf-8")

    ended = run(find_program("node"), "program.mjs", folder=tmp_path)

    places = re.sub(r"\(?file://\S*/(\w+\.\w+)[\d:]+\)?", r"\1", ended.stderr)
    said = re.sub(r"(TreeglassError)\d+", r"\1", places).strip().splitlines()
    assert ended.stdout == "TreeglassError\n"
    assert said[:-1] == [
        "edge.js",
        "  return new TreeglassError(",
        "         ^",
        "",
        "WorkspaceInvalid: The mount path \"repo\" is not absolute; use a path such as '/repo'.",
        "    at invalid edge.js",
        "    at requireAbsolute edge.js",
        "    at toMountPath edge.js",
        "    at _TreeglassClient.mount edge.js",
        "    at program.mjs",
        "",
    ]


@pytest.mark.parametrize(
    ("condition", "module"),
    [
        ("node", "edge.js"),
        ("browser", "index.js"),
        ("workerd", "workerd.js"),
        ("import", "edge.js"),
    ],
)
def test_the_name_of_the_package_means_the_client_of_each_place(
    tmp_path: Path, condition: str, module: str
) -> None:
    install_package(tmp_path, has_libraries=True)
    (tmp_path / "asks.mjs").write_text('process.stdout.write(import.meta.resolve("treeglass"));')

    found = _run(*_NODE_OVER_LINKS, f"--conditions={condition}", "asks.mjs", folder=tmp_path)

    assert found.rpartition("/")[2] == module


def test_the_clients_of_all_places_export_the_same_names(package: Path) -> None:
    exported = {
        name: set(re.findall(r"(?:as )?(\w+)\s*[,}]", exports.group(1) + "}"))
        for name in ("index.js", "edge.js", "workerd.js")
        for exports in re.finditer(r"export\s*\{([^}]*)\};", (package / name).read_text("utf-8"))
    }

    names = {"TreeglassClient", "TreeglassError", "collectDrop", "connect", "preload"}
    assert exported == dict.fromkeys(("index.js", "edge.js", "workerd.js"), names)


def test_every_name_that_a_module_takes_from_another_is_exported_there(package: Path) -> None:
    # workerd alone links a module before it runs, and few tests run there.
    modules = {
        path: path.read_text("utf-8") for path in package.rglob("*.js") if "docs" not in path.parts
    }
    taken = {
        (path, (path.parent / source).resolve(), name)
        for path, text in modules.items()
        for names, source in _IMPORTS.findall(text)
        for name in re.findall(r"([\w$]+)(?: as [\w$]+)?\s*(?:,|$)", names)
    }
    missing = [
        (path.name, source.name, name)
        for path, source, name in sorted(taken)
        if not re.search(rf"export\s*\{{[^}}]*\b{name}\b\s*[,}}]", modules[source])
    ]

    assert missing == []
    assert (package / "workerd.js", package / "index.js", "TreeglassError") in taken


def test_the_class_of_errors_is_in_one_module_of_each_realm(package: Path) -> None:
    # The element imports no module before its first start, and has a class for that one failing.
    own = {"index.js", "edge-worker.js", "element.js", "assets/worker.js"}
    modules = [path for path in package.rglob("*.js") if "docs" not in path.parts]

    found = {
        path.relative_to(package).as_posix(): len(_CLASS_OF_ERRORS.findall(path.read_text("utf-8")))
        for path in modules
    }

    assert {name: number for name, number in found.items() if number} == dict.fromkeys(own, 1)


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


@pytest.mark.usefixtures("dist")
def test_every_example_of_the_documentation_fits_the_library_of_its_host(
    root: Path, tmp_path: Path
) -> None:
    install_package(tmp_path, has_libraries=True)
    text = (root / "docs" / "adapters.md").read_text("utf-8")
    examples = re.findall(r"^```ts\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    # The others continue the first one.
    for number, example in enumerate(examples):
        name = f"example-{number}.ts" if number else "client.ts"
        (tmp_path / name).write_text(example, "utf-8")
    (tmp_path / "package.json").write_text('{"type": "module"}', "utf-8")

    examples_here = sorted(path.name for path in tmp_path.glob("*.ts"))
    checked = check_types(*TYPES_OF_EXAMPLES, *examples_here, folder=tmp_path)

    assert (checked.stdout, checked.returncode) == ("", 0)
