"""Decides about a call: by the mode, the two lists of names, and a person's consent."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Protocol

from treeglass.errors import CallDenied

if TYPE_CHECKING:
    from treeglass.config import Config
    from treeglass.tool import Tool, ToolDefinition


_DENIED = "Tool call denied by user"
_NO_PERSON = (
    "No person was asked: pass approve= to ToolRegistry, or, unless the tool itself demands "
    'consent, set approval.mode = "auto" under [tools].'
)


class Approve(Protocol):
    """Asks a person for consent, or decides on their behalf."""

    def __call__(self, *, tool: ToolDefinition, summary: str) -> bool:
        """Tell whether the call may run; ``summary`` has at most 200 characters."""


class Policy:
    """The policy of one configuration; without `approve`, a call that needs consent is denied.

    `known_as` returns the names that callers know the tools of a list by, or raises
    `ConfigInvalid`.
    """

    def __init__(
        self,
        config: Config,
        approve: Approve | None,
        known_as: Callable[[str, list[str]], frozenset[str]],
    ) -> None:
        self._config = config
        self._approve = approve
        self._mode = config.tools.mode
        self._approval = approval = config.tools.approval
        self._allowed = known_as("allowlist", approval.allowlist)
        self._denied = known_as("denylist", approval.denylist)

    def ask(self, name: str) -> None:
        """Raise `CallDenied` unless policy lets a call of this name be looked at."""
        if self._mode == "disabled":
            raise CallDenied("disabled", "Tool execution disabled")
        if not self._approval.enabled:
            raise CallDenied("disabled", "Tool execution disabled by policy")
        if name in self._denied:
            raise CallDenied("denylisted", f"Tool '{name}' is denylisted")

    def ask_about_consent(self, name: str) -> None:
        """Raise `CallDenied` unless a person's consent could let the call run."""
        if self._mode == "parse_only":
            raise CallDenied("disabled", "Tool execution disabled")
        if self._approval.mode == "deny" and name not in self._allowed:
            raise CallDenied("denylisted", f"Tool '{name}' is denylisted")

    def ask_person(self, tool: Tool[Any], parsed: object) -> None:
        """Raise `CallDenied` unless the call may run, by a person's consent if it needs one."""
        self.ask_about_consent(tool.name)
        approval = self._approval
        listed = tool.name in self._allowed
        side_effect = tool.is_side_effecting and approval.prompt_side_effects and not listed
        # The allowlist never replaces a consent that the tool itself asks for.
        if tool.requires_approval or (approval.mode == "prompt" and side_effect):
            summary = tool.approval_summary(parsed, self._config)
            if self._approve is None:
                raise CallDenied("user_denied", _DENIED, warning=_NO_PERSON)
            if not self._approve(tool=tool.definition(), summary=summary):
                raise CallDenied("user_denied", _DENIED)
