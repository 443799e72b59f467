"""The configuration lines of `docs/mcp-server.md`, each run as an MCP client would."""

import json
import re
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from build_steps.folders import ROOT
from tests.edge.mcp.mcp_sessions import Call, python_session
from tests.support.programs import pack_npm

_FROM_PYPI = ["uvx", "treeglass[mcp]"]
_FROM_NPM = ["npx", "-y", "-p", "treeglass", "-p", "@modelcontextprotocol/server@2", "treeglass"]
_LISTING: Call = ("list_dir", {"dir_path": "/repo"})


def _commands() -> list[list[str]]:
    """Return the commands of the blocks on the page, in their order."""
    text = (ROOT / "docs" / "mcp-server.md").read_text("utf-8")
    blocks = re.findall(r"^```(json|toml)\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    commands = []
    for language, block in blocks:
        read = json.loads if language == "json" else tomllib.loads
        commands += [[found["command"], *found["args"]] for found in _servers(read(block))]
    return commands


def _servers(value: Any) -> Iterator[dict[str, Any]]:
    if isinstance(value, dict):
        if "command" in value:
            yield value
        else:
            for nested in value.values():
                yield from _servers(nested)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    tree = tmp_path / "tree"
    tree.mkdir()
    (tree / "README.md").write_text("")
    return tree


def test_each_block_starts_a_published_command() -> None:
    starts = [command[: command.index("mcp")] for command in _commands()]

    assert starts == [_FROM_PYPI, _FROM_PYPI, _FROM_PYPI, _FROM_NPM, _FROM_PYPI]


@pytest.mark.parametrize("command", _commands()[:3])
def test_a_block_for_the_wheel_serves_its_folder(command: list[str], folder: Path) -> None:
    installed = [sys.executable, "-m", "treeglass", *command[len(_FROM_PYPI) :]]

    assert _listing(installed, folder) == "Absolute path: /repo\nREADME.md"


@pytest.mark.network
def test_the_block_for_the_npm_package_serves_its_folder(folder: Path) -> None:
    package = str(pack_npm())
    command = _commands()[3]
    started = [package if word == "treeglass" else word for word in command]
    # The last of them names the program, and not the package.
    started[started.index("mcp") - 1] = "treeglass"

    assert _listing(started, folder) == "Absolute path: /repo\nREADME.md"


def _listing(command: list[str], folder: Path) -> str:
    words = [
        re.sub(r"/path/to/folder|\$\{workspaceFolder\}", lambda _: str(folder), word)
        for word in command
    ]
    session = python_session(words, [_LISTING], mode="auto")
    text: str = session.answers[0]["content"][0]["text"]
    return text
