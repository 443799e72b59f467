"""The package's `start.json`, changed for a start of another kind or by another worker."""

import base64
import hashlib
import json
from pathlib import Path


def without_image(package: Path) -> bytes:
    """Return a `start.json` with which the package starts from its wheels."""
    start = json.loads((package / "assets" / "start.json").read_text("utf-8"))
    return json.dumps({**start, "image": None}).encode()


def with_worker(start_json: bytes, worker: bytes) -> bytes:
    """Return a `start.json` that names another worker."""
    start = json.loads(start_json)
    digest = base64.b64encode(hashlib.sha256(worker).digest()).decode("ascii")
    return json.dumps(
        {**start, "files": {**start["files"], "worker.js": f"sha256-{digest}"}}
    ).encode()
