"""Find the tool, ask the policy, validate, run, and answer exactly once.

Each tool words its own errors; the registry words only the refusal of an unknown
tool and of a policy. It never raises for a mistake of the agent.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from math import inf
from typing import TYPE_CHECKING, Any

from treeglass.call_arguments import ToolArguments, decode_arguments
from treeglass.config import Config
from treeglass.errors import (
    CallDenied,
    CallError,
    InternalFault,
    InvalidArguments,
    TreeglassError,
    from_os_error,
)
from treeglass.offered_tools import OfferedTools
from treeglass.parsed_arguments import decode_for, parse_for
from treeglass.policy import Approve, Policy
from treeglass.tool import (
    MIN_RUN_SECONDS,
    Tool,
    ToolContext,
    ToolDefinition,
    ToolResult,
)
from treeglass.unknown_tool import refuse_unknown
from treeglass.utf8 import cut_with_marker
from treeglass.workspace import Workspace, require_virtual

if TYPE_CHECKING:
    from treeglass.changing_calls import ChangingCalls

_log = logging.getLogger("treeglass")
_log.addHandler(logging.NullHandler())

_TRUNCATION_MARKER = "\n\n... [output truncated]"
_OUT_OF_MEMORY = "Python ran out of memory in this call; ask for less at once."


class ToolRegistry:
    """The tools of one workspace, under one configuration.

    Args:
        workspace: What the tools may see.
        config: Which tools are offered, policy, budgets, defaults.
        tools: The tools to choose from; the built-in ones by default. The names of those that are
            offered must differ.
        approve: Asked for consent if policy demands it; without it such a call is denied, and a
            warning of the result says so.
        clock: Returns the seconds of a clock that never goes back.

    Raises:
        ValueError: Two tools that are offered have the same name.
        ConfigInvalid: A list of `[tools.approval]` names a tool that does not exist.

    Example:
        >>> import tempfile, pathlib
        >>> from treeglass import Config, ToolRegistry, Workspace
        >>> folder = tempfile.mkdtemp()
        >>> _ = pathlib.Path(folder, "a.txt").write_text("hello")
        >>> registry = ToolRegistry(Workspace({"/repo": folder}), Config())
        >>> print(registry.call_tool("list_dir", {"dir_path": "/repo"}).content)
        Absolute path: /repo
        a.txt
        >>> registry.call_tool("read_file", '{"file_path": "/repo/a.txt"}').content
        'L1: hello'
    """

    def __init__(
        self,
        workspace: Workspace,
        config: Config | None = None,
        *,
        tools: Iterable[Tool[Any]] | None = None,
        approve: Approve | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._config = config or Config()
        self._clock = clock
        table = self._config.tools
        self._context = ToolContext(
            workspace=workspace,
            config=self._config,
            working_dir=workspace.working_dir,
            arguments={},
            max_output_bytes=table.output.max_bytes,
            timeout_seconds=table.timeouts.file_operations_seconds,
        )
        """The part that calls have in common."""
        self._offered = OfferedTools(table, tools)
        self._policy = Policy(self._config, approve, self._offered.listed)
        self._changing_calls: ChangingCalls | None = None

    @property
    def workspace(self) -> Workspace:
        """The tree that the tools may see."""
        return self._context.workspace

    def list_tools(self) -> tuple[ToolDefinition, ...]:
        """Return the definitions of the offered tools, sorted by name."""
        if self._config.tools.mode == "disabled":
            return ()
        tools = self._offered.by_name
        return tuple(tools[name].definition() for name in sorted(tools))

    def _repr_html_(self) -> str:
        """Return the HTML that a notebook shows for the offered tools."""
        from treeglass.rich_display import definitions_html  # noqa: PLC0415  # only notebooks need it

        tools = self.list_tools()
        return definitions_html([(tool.name, tool.title, tool.description) for tool in tools])

    def call_tool(
        self,
        name: str,
        arguments: str | Mapping[str, object],
        *,
        max_output_bytes: int | None = None,
        available_capacity_bytes: int | None = None,
        working_dir: str | None = None,
        nulls_are_absent: bool = False,
        timeout_seconds: float = inf,
        spent_seconds: float = 0.0,
        is_cancelled: Callable[[], bool] | None = None,
        group: str | None = None,
        time_ms: int | None = None,
    ) -> ToolResult:
        """Answer one call; any arguments get an answer.

        What the call proposes to change is in the workspace's overlay before this returns,
        whole; nothing of it is if the call failed.

        Args:
            name: The name that callers know the tool by, or its full name, such as
                `codex.read_file`, which no configuration changes.
            arguments: A mapping, or the JSON text that a model sent.
            max_output_bytes: Most UTF-8 bytes of the content; `[tools.output]
                max_bytes` by default.
            available_capacity_bytes: Bytes that the model's context has left; may be 0.
            working_dir: Virtual directory for relative paths, for this call.
            nulls_are_absent: True if a null of an optional argument means that it is
                absent, as a model sends it that got a strict schema.
            timeout_seconds: A limit below `[tools.timeouts] file_operations_seconds`.
            spent_seconds: What earlier runs of the call took, which this one has less.
            is_cancelled: Called now and then; True ends the call.
            group: What the host calls the turn, for the step that the call makes.
            time_ms: Milliseconds since 1970 that files get which the call changes, unless a
                change before has that time; by default the system's clock.

        Raises:
            ValueError: A budget is negative: misuse by the host, never by an agent.
            WorkspaceInvalid: The working directory is not an absolute virtual
                path: misuse again, and a `ValueError` too.
        """
        self._check_use(max_output_bytes, available_capacity_bytes, working_dir)
        begun = self._clock()
        shared = self._context
        limit_seconds = shared.timeout_seconds
        counted_seconds = max(0.0, min(spent_seconds, limit_seconds - MIN_RUN_SECONDS))
        if timeout_seconds - spent_seconds < limit_seconds - counted_seconds:
            limit_seconds, counted_seconds = timeout_seconds, spent_seconds
        context = replace(
            shared,
            arguments=arguments,
            working_dir=working_dir or shared.working_dir,
            max_output_bytes=(
                shared.max_output_bytes if max_output_bytes is None else max_output_bytes
            ),
            available_capacity_bytes=available_capacity_bytes,
            timeout_seconds=limit_seconds,
            clock=self._clock,
            started=begun - counted_seconds,
            is_cancelled=is_cancelled,
        )
        tool = self._offered.find(name)
        if tool is None:
            table = self._config.tools
            result = refuse_unknown(name, self._policy.ask, self._offered, table, context)
        else:
            step = {"group": group, "time_ms": time_ms}
            result = self._answer(tool, context, step, nulls_are_absent=nulls_are_absent)
        return replace(result, elapsed_ms=(self._clock() - begun) * 1000)

    def report_failure(self, name: str, arguments: str, error: CallError) -> ToolResult:
        """Return the answer of a call that its host has ended, in the words of its tool.

        The tool must be offered; the error says why the call ended, such as `CallTimedOut`.
        """
        try:
            decoded: object = decode_arguments(arguments).values
        except InvalidArguments:
            decoded = arguments
        return self._offered.by_name[name].report_error(
            error, replace(self._context, arguments=decoded)
        )

    def summarize_call(
        self, name: str, arguments: str | Mapping[str, object], *, nulls_are_absent: bool = False
    ) -> str | None:
        """Return the summary that a person who approves a call sees; does no I/O.

        It has at most 200 characters, secrets are redacted, and it shows the
        arguments that `call_tool` would run with. None if the call cannot run
        even with consent: the tool is unknown, it refuses the arguments, or
        policy refuses the call (FR-LD-APPR).
        """
        tool = self._offered.find(name)
        if tool is None:
            return None
        try:
            self._policy.ask(tool.name)
            decoded = self._decode(tool, arguments, nulls_are_absent=nulls_are_absent)
            parsed = parse_for(tool, decoded, self._config, is_strict=nulls_are_absent)
            self._policy.ask_about_consent(tool.name)
        except TreeglassError:
            return None
        return tool.approval_summary(parsed, self._config)

    @staticmethod
    def _check_use(
        max_output_bytes: int | None, available_capacity_bytes: int | None, working_dir: str | None
    ) -> None:
        for budget in (max_output_bytes, available_capacity_bytes):
            if budget is not None and budget < 0:
                raise ValueError(f"a budget must not be negative, not {budget!r}")
        if working_dir is not None:
            require_virtual(working_dir, "working_dir")

    def _answer(
        self, tool: Tool[Any], context: ToolContext, step: dict[str, Any], *, nulls_are_absent: bool
    ) -> ToolResult:
        try:
            self._policy.ask(tool.name)
            decoded = self._decode(tool, context.arguments, nulls_are_absent=nulls_are_absent)
            # Families echo and validate the object, never the JSON text around it.
            context = replace(context, arguments=decoded.values)
            if tool.is_changing:
                # Its errors may tell what earlier calls have left.
                context = replace(context, seen=context.workspace.overlay.seen.get(tool.family))
            parsed = parse_for(tool, decoded, self._config, is_strict=nulls_are_absent)
            self._policy.ask_person(tool, parsed)
            result = self._run(tool, parsed, context, step)
        except TreeglassError as error:
            answer = tool.report_error(error, context)
            if isinstance(error, CallDenied) and error.warning:
                return replace(answer, warnings=(*answer.warnings, error.warning))
            return answer
        except Exception as error:  # noqa: BLE001  # the promise is one answer for each call
            # A bug must not end the agent's session. Its details go to the host's
            # log, and not to the agent.
            _log.exception("%s failed", tool.name)
            fault = tool.report_error(InternalFault(), context)
            if isinstance(error, MemoryError):
                warnings = (*fault.warnings, _OUT_OF_MEMORY)
                return replace(fault, warnings=warnings, ran_out_of_memory=True)
            return fault
        return _bounded(result, context) if tool.allow_truncation else result

    def _run(
        self, tool: Tool[Any], parsed: object, context: ToolContext, step: dict[str, Any]
    ) -> ToolResult:
        """Run a call; one that may change or see proposals by `ChangingCalls`."""
        try:
            if not (self._offered.is_changing or context.workspace.has_proposals):
                return tool.run(parsed, context)
            if self._changing_calls is None:
                from treeglass.changing_calls import ChangingCalls  # noqa: PLC0415  # only changes need it

                is_offered = self._offered.is_changing
                self._changing_calls = ChangingCalls(self._config, is_offered=is_offered)
            return self._changing_calls.run(tool, parsed, context, **step)
        except OSError as error:
            # Content that cannot be read.
            raise from_os_error(error) from error

    def _decode(
        self, tool: Tool[Any], arguments: object, *, nulls_are_absent: bool
    ) -> ToolArguments:
        ceiling = self._config.tools.max_tool_args_bytes
        if tool.is_changing:
            # A text of the largest size, with an escape for each second character.
            ceiling = max(ceiling, 2 * self._context.workspace.limits.max_patch_bytes)
        return decode_for(tool, arguments, ceiling, nulls_are_absent=nulls_are_absent)


def _bounded(result: ToolResult, context: ToolContext) -> ToolResult:
    """Cut content that is over the budget; for tools with `allow_truncation`."""
    content = cut_with_marker(result.content, context.budget_bytes, _TRUNCATION_MARKER)
    return replace(result, content=content, truncated=True) if content != result.content else result
