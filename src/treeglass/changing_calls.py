"""Calls that change, and calls that see what was changed: one run, one commit."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from treeglass.errors import ConfigInvalid
from treeglass.search.glob_steps import GlobTooLarge
from treeglass.search.text_glob import TextGlob

if TYPE_CHECKING:
    from treeglass.config import Config
    from treeglass.tool import Tool, ToolContext, ToolResult


class ChangeRules:
    """The globs of `[tools.edit]`, over the path below a mount point.

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


class ChangingCalls:
    """Runs the calls of one registry over its overlay.

    If a tool that changes is offered, calls leave what they have read.
    """

    def __init__(self, config: Config, *, is_offered: bool) -> None:
        self._edit = config.tools.edit
        self._is_offered = is_offered
        self._rules: ChangeRules | None = None

    def run(
        self,
        tool: Tool[Any],
        parsed: object,
        context: ToolContext,
        *,
        group: str | None,
        time_ms: int | None,
    ) -> ToolResult:
        """Run a call and commit what it proposes; again, if another step came between.

        Its time limit holds for all runs. Files that change get the time, by default the clock's.
        """
        overlay = context.workspace.overlay
        seen = overlay.seen.get(tool.family, {}) if self._is_offered else None
        refusal = partial(self._refusal, context.workspace.mount_points)
        context = replace(context, seen=seen, change_refusal=refusal)
        while True:
            begun, changed_ns = overlay.record, overlay.next_ns(time_ms)
            context.checkpoint()
            result = tool.run(parsed, replace(context, changed_ns=changed_ns))
            # Whatever looks at a mount comes before the commit, after which nothing may run again.
            warnings = overlay.take_warnings()
            context.checkpoint()
            if overlay.is_incomplete:
                return result
            if overlay.record is begun and (
                result.is_error
                or not result.changes
                or overlay.commit(
                    result.changes,
                    since=begun,
                    modified_ns=changed_ns,
                    name=tool.full_name,
                    group=group,
                )
            ):
                break
        if not result.is_error:
            overlay.remember(tool.family, result.seen)
        return replace(result, warnings=(*result.warnings, *warnings))

    def _refusal(self, mount_points: Sequence[str], path: str) -> str | None:
        if self._rules is None:
            self._rules = ChangeRules(self._edit.allow, self._edit.deny, mount_points)
        return self._rules.refusal(path)
