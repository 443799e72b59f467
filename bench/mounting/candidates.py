"""The candidates that load the trees, as one module each for the page."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path
from typing import NamedTuple

from bench.page import bundle, bundle_just_bash

_HERE = Path(__file__).parent
_PAGE = _HERE / "page"


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
    bundle_just_bash(site)
    complaints = {peer.name: _bundle(peer, site) for peer in PEERS}
    return {name: complaint for name, complaint in complaints.items() if complaint}


def _bundle(peer: Candidate, site: Path) -> str:
    """Bundle a peer; return the first line of complaint, or an empty text."""
    try:
        bundle(_PAGE / f"{peer.module}.mjs", site / f"{peer.module}.js")
    except subprocess.CalledProcessError as failed:
        complaint = next(iter(failed.stderr.splitlines()), "no reason")
        return f"cannot be bundled for a page: {complaint}"
    return ""
