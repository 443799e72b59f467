"""The package's `start.json`, changed for a start of another kind."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path


def without_image(package: Path) -> bytes:
    """Return a `start.json` with which the package starts from its wheels."""
    start = json.loads((package / "assets" / "start.json").read_text("utf-8"))
    return json.dumps({**start, "image": None}).encode()
