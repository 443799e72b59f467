"""The candidates that load the trees, as one module each for the page."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from typing import NamedTuple

from build_steps.programs import find_node_tool

_HERE = Path(__file__).parent
_PAGE = _HERE / "page"
_PINS = _HERE.parent / "package.json"

# As the manuals of today's bundlers have it: a package of the same shape for
# each module of Node.js that a browser lacks.
_ALIASES = {
    "node:buffer": "buffer",
    "node:events": "events",
    "node:path": "path-browserify",
    "node:stream": "readable-stream",
    "stream": "readable-stream",
    "node:url": "./browser_url.mjs",
    "node:zlib": "./no_zlib.cjs",
}


class Candidate(NamedTuple):
    """A way to load a tree."""

    name: str
    module: str
    """The file in `page/`, without its suffix."""
    unable: dict[str, str]
    """For each kind of source that it does not take, the reason."""


TREEGLASS = Candidate("treeglass", "treeglass", {})
PEERS = (
    Candidate("just-bash", "just_bash", {}),
    Candidate("memfs", "memfs", {"lazyFiles": "takes contents only"}),
)
CANDIDATES = (TREEGLASS, *PEERS)


def place_scripts(site: Path) -> dict[str, str]:
    """Put every script of the page into a folder, the peers' bundled.

    Returns:
        Name of a peer to the reason why it cannot be in a page.
    """
    for name in ("heartbeat.mjs", "measure.mjs", "lazy_directory.mjs"):
        shutil.copyfile(_PAGE / name, site / name)
    shutil.copyfile(_PAGE / f"{TREEGLASS.module}.mjs", site / f"{TREEGLASS.module}.js")
    complaints = {peer.name: _bundle(peer, site) for peer in PEERS}
    return {name: complaint for name, complaint in complaints.items() if complaint}


def _bundle(peer: Candidate, site: Path) -> str:
    """Bundle a peer; return the first line of complaint, or an empty text."""
    aliases = [f"--alias:{name}={stand_in}" for name, stand_in in _ALIASES.items()]
    command = [
        find_node_tool("esbuild"),
        f"{peer.module}.mjs",
        "--bundle",
        "--format=esm",
        "--platform=browser",
        "--target=es2022",
        "--minify",
        "--log-level=error",
        *aliases,
        f"--outfile={site / peer.module}.js",
    ]
    done = subprocess.run(command, cwd=_PAGE, capture_output=True, text=True, check=False)
    if done.returncode == 0:
        return ""
    return f"cannot be bundled for a page: {next(iter(done.stderr.splitlines()), 'no reason')}"


def pinned(names: tuple[str, ...]) -> str:
    """Return packages of the benchmark with their versions."""
    pins = json.loads(_PINS.read_text(encoding="utf-8"))["dependencies"]
    return ", ".join(f"{name} {pins[name]}" for name in names)
