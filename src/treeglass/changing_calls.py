"""Calls that change, and calls that see what was changed: one run, one commit."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from treeglass.change_rules import ChangeRules

if TYPE_CHECKING:
    from treeglass.config import Config
    from treeglass.tool import Tool, ToolContext, ToolResult


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
