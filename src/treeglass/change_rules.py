"""`[tools.edit]`: which paths the tools that change may change."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from treeglass.errors import ConfigInvalid
from treeglass.search.glob_steps import GlobTooLarge
from treeglass.search.text_glob import TextGlob


class ChangeRules:
    """The globs of one configuration, over the path below a mount point.

    A path is refused that no glob of `allow` matches, or that one of `deny` does.
    """

    def __init__(
        self, allow: Iterable[str], deny: Iterable[str], mount_points: Sequence[str]
    ) -> None:
        self._allow = [_glob("allow", pattern) for pattern in allow]
        self._deny = [(pattern, _glob("deny", pattern)) for pattern in deny]
        self._mount_points = mount_points

    def refusal(self, path: str) -> str | None:
        """Return why a virtual path may not be changed, or None if it may."""
        below = next(
            path[len(point) + 1 :] for point in self._mount_points if path.startswith(point + "/")
        )
        spellings = {below, below.casefold()}
        for pattern, glob in self._deny:
            # A disk that folds case takes `.GIT` for `.git`.
            if any(glob.is_match(glob.feed(glob.start, each)) for each in spellings):
                return f"it matches {pattern!r} of tools.edit.deny"
        if not any(glob.is_match(glob.feed(glob.start, below)) for glob in self._allow):
            return "it matches no pattern of tools.edit.allow"
        return None


def _glob(key: str, pattern: str) -> TextGlob:
    try:
        return TextGlob(pattern)
    except GlobTooLarge as error:
        raise ConfigInvalid(f"tools.edit.{key}: {error}") from None
