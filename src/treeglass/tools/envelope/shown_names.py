"""Names and paths in the text for the model, and the warnings about those that look odd."""

from __future__ import annotations

from typing import TYPE_CHECKING

from treeglass.escaping import escape_name, escape_path, is_plain
from treeglass.utf8 import is_encodable, lossy_text

if TYPE_CHECKING:
    from collections.abc import Sequence


def shown_path(path: str, *, escapes_names: bool) -> str:
    """Return a path of the host as the text shows it."""
    return escape_path(path) if escapes_names else lossy_text(path)


def name_warnings(names: Sequence[str], *, escapes_names: bool, member: str) -> tuple[str, ...]:
    """Return the warnings about the names, or paths, of an answer.

    Args:
        names: In the host's spelling.
        escapes_names: Whether the text spells hostile characters out.
        member: Where the answer has the names as data, such as `data.entries`.
    """
    if is_plain("".join(names)):
        return ()
    escaped = sum(any(escape_name(part) != part for part in name.split("/")) for name in names)
    invalid = sum(not is_encodable(name) for name in names)
    warnings = []
    if escapes_names and escaped:
        warnings.append(
            f"names with hostile characters: {escaped}; "
            f"text spells these out, {member} has the real names"
        )
    if invalid:
        warnings.append(
            f"names that are not valid UTF-8: {invalid}; {member} has U+FFFD for the invalid bytes"
        )
    return tuple(warnings)
