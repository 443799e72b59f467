"""Every version and every pin says the same thing wherever it is written."""

from __future__ import annotations

import importlib.metadata
import json
import re
import tomllib
from typing import TYPE_CHECKING, Any

import treeglass
from build_steps.wheels.pinned_wheels import REQUIREMENTS

if TYPE_CHECKING:
    from pathlib import Path


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
    }

    assert said == dict.fromkeys(said, treeglass.__version__)


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
