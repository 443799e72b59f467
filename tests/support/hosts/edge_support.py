"""The runtimes that run the package's entry for programs: Node, Deno and Bun."""

import os
import shutil
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from build_steps.folders import ROOT
from build_steps.web.packages import install_edge_runtimes
from tests.support.programs import printed_by

PACKAGE = ROOT / "dist" / "npm"
RUNTIMES = ("node", "deno", "bun")

_TITLES = {"node": "Node.js", "deno": "Deno", "bun": "Bun"}


class RuntimeNotFound(Exception):
    """A runtime is not on this machine; the text says what to install."""


@cache
def program_of(name: str) -> str:
    """Return the path of a runtime.

    Raises:
        RuntimeNotFound: The runtime is not there.
    """
    found = shutil.which(name)
    if name != "node":
        # Those of the lock, whatever else is installed.
        found = str(_installed().get(name) or found or "") or None
    if found is None:
        message = (
            f"{_TITLES[name]} is not on the PATH, and npm has none for this machine: install it"
        )
        raise RuntimeNotFound(message)
    return found


@cache
def _installed() -> dict[str, Path]:
    return install_edge_runtimes()


def command_of(name: str, module: Path, *, readable: Sequence[Path] = ()) -> list[str]:
    """Return the command that runs a module; Deno may read the package, the module and `readable`.

    Raises:
        FileNotFoundError: The package is not built.
        RuntimeNotFound: The runtime is not there.
    """
    if not (PACKAGE / "edge.js").exists():
        message = "dist/npm is not built; run `python build.py bundle` first"
        raise FileNotFoundError(message)
    if name != "deno":
        return [program_of(name), str(module)]
    folders = ",".join(map(str, [PACKAGE, module.parent, *readable]))
    return [
        program_of(name),
        "run",
        "--no-prompt",
        "--no-config",
        f"--allow-read={folders}",
        str(module),
    ]


def environment() -> dict[str, str]:
    """Return an environment in which no runtime makes a request of its own."""
    return {**os.environ, "DENO_NO_UPDATE_CHECK": "1", "NO_COLOR": "1", "DO_NOT_TRACK": "1"}


def version_of(name: str) -> str:
    """Return a runtime's version as the matrix shows it, such as `Deno 2.9.6`."""
    said = printed_by(program_of(name), "--version")
    first = said.split("\n")[0].removeprefix("v").removeprefix("deno ").split(" ")[0]
    return f"{_TITLES[name]} {first}"
