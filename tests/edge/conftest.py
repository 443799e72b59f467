"""The reference server of the comparison, installed from a lock of its own."""

from __future__ import annotations

from pathlib import Path

import pytest

from build_steps.folders import BUILD
from build_steps.web.packages import install_locked

_LOCKED = Path(__file__).with_name("reference-server")


@pytest.fixture(scope="session")
def reference_server() -> Path:
    """Install the reference filesystem server of MCP if it is missing, and return its script."""
    folder = install_locked("reference-server", _LOCKED, into=BUILD / "reference-server")
    return folder / "node_modules/@modelcontextprotocol/server-filesystem/dist/index.js"
