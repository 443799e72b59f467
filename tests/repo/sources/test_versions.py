"""Every version and every pin says the same thing wherever it is written."""

import importlib.metadata
import json
import re
import tomllib
from pathlib import Path
from typing import Any

import treeglass
from build_steps.packaged_pages import MCP_NAME, REPOSITORY
from build_steps.wheels.pinned_wheels import REQUIREMENTS
from treeglass.__main__ import _parser
from treeglass.command.mcp import run_mcp


def _pyproject(root: Path) -> dict[str, Any]:
    return tomllib.loads((root / "pyproject.toml").read_text("utf-8"))


def _json(path: Path) -> dict[str, Any]:
    content: dict[str, Any] = json.loads(path.read_text("utf-8"))
    return content


def _mcp_version(root: Path) -> str:
    (said,) = re.findall(
        r'\bversion: "([^"]+)"', (root / "web/src/adapters/mcp-server.ts").read_text("utf-8")
    )
    return str(said)


def _program_version(root: Path) -> str:
    (said,) = re.findall(
        r'\bVERSION = "([^"]+)"',
        (root / "web/src/playground/share/programs.ts").read_text("utf-8"),
    )
    return str(said)


def _server(root: Path) -> dict[str, Any]:
    return _json(root / "server.json")


def test_every_place_names_the_same_version(root: Path, dist: Path) -> None:
    changelog = (root / "CHANGELOG.md").read_text("utf-8")
    released = re.findall(r"^## \[?([0-9][^\s\]]*)", changelog, re.MULTILINE)
    said = {
        "pyproject.toml": _pyproject(root)["project"]["version"],
        "treeglass.__version__": treeglass.__version__,
        "installed metadata": importlib.metadata.version("treeglass"),
        "web/package.json": _json(root / "web" / "package.json")["version"],
        "web/package-lock.json": _json(root / "web" / "package-lock.json")["version"],
        "dist/npm/package.json": _json(dist / "npm" / "package.json")["version"],
        "CHANGELOG.md, top entry": released[0],
        "what the MCP server says": _mcp_version(root),
        "what the playground's programs fetch": _program_version(root),
        "server.json": _server(root)["version"],
        **{
            f"server.json, {package['registryType']}": package["version"]
            for package in _server(root)["packages"]
        },
    }

    assert said == dict.fromkeys(said, treeglass.__version__)


def test_registry_of_mcp_servers_finds_one_name_and_one_repository(root: Path, dist: Path) -> None:
    (in_readme,) = re.findall(r"<!-- mcp-name: (\S+) -->", (root / "README.md").read_text("utf-8"))
    server = _server(root)

    assert [in_readme, server["name"], _json(dist / "npm" / "package.json")["mcpName"]] == (
        [MCP_NAME] * 3
    )
    assert server["repository"]["url"] == REPOSITORY
    assert len(server["description"]) <= 100


def test_server_json_starts_the_command_with_the_extra_that_it_needs(root: Path) -> None:
    (package,) = _server(root)["packages"]
    needed = _pyproject(root)["project"]["optional-dependencies"]["mcp"]
    given = [argument["value"] for argument in package["runtimeArguments"]]
    words = []
    for argument in package["packageArguments"]:
        words += [argument["name"]] if argument["type"] == "named" else []
        words.append(argument["value"].replace("{folder}", str(root)))

    asked = _parser().parse_args(words)
    assert (given, asked.run, asked.mount) == (needed, run_mcp, [("/repo", str(root))])


def test_pyodide_gets_the_packages_that_cpython_is_tested_with(root: Path) -> None:
    pyproject = _pyproject(root)
    everything = [*pyproject["dependency-groups"]["dev"]]
    everything += pyproject["tool"]["uv"]["constraint-dependencies"]
    here = dict(pin.split("==") for pin in everything)
    there = dict(re.findall(r"^([a-z-]+)==(\S+)", REQUIREMENTS.read_text("utf-8"), re.MULTILINE))

    assert there == {name: here.get(name) for name in there}


def test_biome_typescript_and_all_other_web_tools_are_pinned_exactly(root: Path) -> None:
    loose = {
        name: version
        for name, version in _json(root / "web" / "package.json")["devDependencies"].items()
        if not re.fullmatch(r"\d+\.\d+\.\d+", version)
    }

    assert loose == {}
