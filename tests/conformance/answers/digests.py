"""Long answers, of which a case file has the hash, the size and the first lines."""

import hashlib
from typing import Any

from tests.conformance.trees import MOUNT_POINT


def assert_text(found: str, recorded: Any) -> None:
    """Compare a text with a recorded one, or with what was recorded of it."""
    if isinstance(recorded, str):
        assert found == recorded
    else:
        assert _digest(found, len(recorded["first_lines"])) == recorded


def _digest(text: str, line_count: int) -> dict[str, Any]:
    # Hashed before the paths were put in, which cannot be put into a hash.
    raw = text.replace(MOUNT_POINT, "$ROOT").encode()
    lines = raw.decode().split("\n")
    return {
        "sha256": hashlib.sha256(raw).hexdigest(),
        "lines": len(lines),
        "bytes": len(raw),
        "first_lines": [line.replace("$ROOT", MOUNT_POINT) for line in lines[:line_count]],
    }
