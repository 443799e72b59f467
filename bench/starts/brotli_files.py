"""Brotli of the served files, made once by Node and kept while the content is the same."""

from __future__ import annotations

import hashlib
import subprocess
from pathlib import Path

from build_steps.folders import BUILD
from build_steps.programs import find_program

_KEPT = BUILD / "bench" / "brotli"
_COMPRESS = Path(__file__).parent / "compress.mjs"


def brotli_of(content: bytes) -> bytes | None:
    """Return the content compressed, or None if that does not make it smaller."""
    kept = _KEPT / f"{hashlib.sha256(content).hexdigest()}.br"
    if not kept.is_file():
        _KEPT.mkdir(parents=True, exist_ok=True)
        plain, made = kept.with_suffix(".plain"), kept.with_suffix(".made")
        plain.write_bytes(content)
        subprocess.run([find_program("node"), _COMPRESS, plain, made], check=True)
        plain.unlink()
        # Under another name until it is whole, so that an interrupted run leaves no part of it.
        made.replace(kept)
    compressed = kept.read_bytes()
    return compressed if len(compressed) < len(content) else None
