"""Named sort keys for names and paths.

Which key a listing uses is the tool's policy; how each key compares is decided
here, independent of any locale.
"""

from __future__ import annotations

from treeglass.utf8 import lossy_text, raw_bytes


def by_lossy_name(name: str) -> tuple[str, bytes]:
    """Order names of the host by their lossy text, twins by their raw bytes."""
    return lossy_text(name), raw_bytes(name)


def by_lower_case(name: str) -> tuple[str, str, bytes]:
    """Order names without regard to case, then by the name itself."""
    text = lossy_text(name)
    return text.lower(), text, raw_bytes(name)
