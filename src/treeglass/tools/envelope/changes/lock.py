"""The lock of the tools that change: the time and size that a file is expected to have.

A call names both, or gets them from the last read of the file. Implements Write.md 4 and what
Edit.md 2 says of expected values.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple

from treeglass.tools.envelope.envelope_building import milliseconds
from treeglass.tools.envelope.errors import WordedError
from treeglass.tools.envelope.read_store import MTIME, SIZE

if TYPE_CHECKING:
    from treeglass.tool import ToolContext
    from treeglass.workspace import ResolvedPath, Status


class Version(NamedTuple):
    """The mark that tells two versions of a file apart."""

    mtime_ms: int
    """Milliseconds since 1970, rounded down."""
    size_bytes: int


def require_read(status: Status, context: ToolContext) -> Version:
    """Raise `WordedError` unless a file is as its agent has read it, and was read."""
    mtime, size = _expected(context)
    if mtime is None and size is None:
        message = (
            "You must Read the file before editing it. expected_mtime_ms and "
            "expected_size_bytes are auto-injected by framework after Read."
        )
        raise WordedError("INVALID_PARAM", message)
    if mtime is None or size is None:
        message = "Both expected_mtime_ms and expected_size_bytes must be provided together."
        raise WordedError("INVALID_PARAM", message)
    return _require_version(mtime, size, status)


def require_unchanged(status: Status, context: ToolContext) -> Version:
    """Raise `WordedError` unless a file is as the call expects, if it names both values."""
    mtime, size = _expected(context)
    if mtime is None or size is None:
        return _version_of(status)
    return _require_version(mtime, size, status)


def require_same(path: ResolvedPath, expected: Version, context: ToolContext) -> None:
    """Raise a conflict unless a file, just before it is changed, still is as it was checked."""
    current = _version_of(context.workspace.arrived(path))
    if current != expected:
        raise _conflict(expected, current, " (detected before write)")


def _expected(context: ToolContext) -> tuple[object, object]:
    arguments = context.arguments
    if not isinstance(arguments, Mapping):
        return None, None
    return arguments.get(MTIME), arguments.get(SIZE)


def _require_version(mtime: object, size: object, status: Status) -> Version:
    expected = Version(_require_integer(mtime, MTIME), _require_integer(size, SIZE))
    current = _version_of(status)
    if current != expected:
        raise _conflict(expected, current)
    return expected


def _require_integer(value: object, name: str) -> int:
    if not isinstance(value, int) or isinstance(value, bool):
        raise WordedError("INVALID_PARAM", f"Parameter '{name}' must be an integer.")
    return value


def _version_of(status: Status) -> Version:
    return Version(milliseconds(status.modified_ns), status.size_bytes)


def _conflict(expected: Version, current: Version, moment: str = "") -> WordedError:
    message = (
        f"File has been modified since you read it{moment}. "
        f"Expected mtime={expected.mtime_ms}, size={expected.size_bytes}; "
        f"Current mtime={current.mtime_ms}, size={current.size_bytes}. "
        "Please Read the file again to get the latest content."
    )
    return WordedError("CONFLICT", message)
