"""Servers that the tests ask: the reference server of the comparison, and files held back."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from build_steps.folders import BUILD
from build_steps.web.packages import install_locked
from tests.edge.held_files import HeldFiles, serve_held_files

_LOCKED = Path(__file__).with_name("reference-server")


@pytest.fixture(scope="session")
def reference_server() -> Path:
    """Install the reference filesystem server of MCP if it is missing, and return its script."""
    folder = install_locked("reference-server", _LOCKED, into=BUILD / "reference-server")
    return folder / "node_modules/@modelcontextprotocol/server-filesystem/dist/index.js"


@pytest.fixture
def files() -> Iterator[HeldFiles]:
    """Files elsewhere; some are held back."""
    with serve_held_files() as served:
        yield served
