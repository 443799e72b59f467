"""What is compared with, installed from a lock of its own."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from build_steps.folders import BUILD
from build_steps.freshness import sha256_of
from build_steps.programs import find_program, run_quietly

_LOCKED = Path(__file__).with_name("reference-server")


@pytest.fixture(scope="session")
def reference_server() -> Path:
    """Install the reference filesystem server of MCP where it is not, and return its script."""
    folder = BUILD / "reference-server"
    installed = folder / "node_modules" / ".installed-from.sha256"
    fingerprint = sha256_of(_LOCKED / "package-lock.json")
    if not installed.is_file() or installed.read_text("utf-8") != fingerprint:
        shutil.copytree(_LOCKED, folder, dirs_exist_ok=True)
        run_quietly(
            [find_program("npm"), "ci", "--ignore-scripts", "--no-audit", "--no-fund"],
            folder=folder,
            log_name="npm-ci-reference-server",
            otherwise="`npm ci` of tests/edge/reference-server failed: check the network "
            "connection and run again.",
        )
        installed.write_text(fingerprint, "utf-8")
    return folder / "node_modules/@modelcontextprotocol/server-filesystem/dist/index.js"
