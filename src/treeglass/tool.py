"""A tool as a value, the context of a call, and its result.

A tool has names, texts, schemas and four functions. It knows its own family's
words for arguments, answers and errors; the registry does everything that is
the same for all tools.
"""

from __future__ import annotations

import importlib
import time
from collections.abc import Callable, Mapping
from copy import deepcopy
from dataclasses import dataclass, field, fields
from functools import partial
from typing import TYPE_CHECKING, Any, Final, Generic, Literal, TypeVar

from treeglass.errors import CallCancelled, CallTimedOut
from treeglass.escaping import escape_path
from treeglass.utf8 import cut_middle_to_bytes, lossy_text

if TYPE_CHECKING:
    from treeglass.call_arguments import ToolArguments
    from treeglass.config import Config
    from treeglass.workspace import ResolvedPath, Workspace
    from treeglass.workspace.nodes import Change
    from treeglass.workspace.plan import Plan

ArgsT = TypeVar("ArgsT")
RiskLevel = Literal["low", "medium", "high"]

MIN_ERROR_BYTES = 1024
"""The least budget of an error: enough for what is true and what to do next."""

MIN_RUN_SECONDS = 2.0
"""The share of the configuration's time that each run has, whatever was spent before."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolAnnotations:
    """MCP's hints about what a tool does."""

    read_only_hint: bool = True
    destructive_hint: bool = False
    idempotent_hint: bool = True
    open_world_hint: bool = False


@dataclass(frozen=True, slots=True)
class ToolFailure:
    """Why a call failed, in the words of the tool's family."""

    kind: str
    """The family's own word: `RespondToModel`, `NOT_FOUND`, `BadArgs`, ..."""
    message: str
    """A sentence for the model: what was asked, what is true, what to do next."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolResult:
    """The answer to one call."""

    content: str
    """Exactly the text that the tool's specification prescribes, success or error."""
    structured_content: dict[str, Any] | None = None
    """The same answer as data, if the tool defines it."""
    error: ToolFailure | None = None
    """Why the call failed; None if it succeeded."""
    truncated: bool = False
    """True if something was left out."""
    next_arguments: dict[str, Any] | None = None
    """The arguments of the call that continues this one."""
    warnings: tuple[str, ...] = ()
    """Sentences that a host may pass to its model; never part of the content."""
    elapsed_ms: float = 0.0
    """Duration of the call in milliseconds."""
    changes: tuple[Change, ...] = field(default=(), repr=False)
    """The changes that the call proposes; the registry commits all of it or, if the call failed,
    nothing."""
    seen: Mapping[str, Any] = field(default_factory=dict, repr=False)
    """Facts for later calls of the family, such as which lines of a file it
    has shown: JSON values by keys of the family. None as a value forgets a key."""
    ran_out_of_memory: bool = field(default=False, repr=False)
    """True if the call did: some of what it took is free only when the process ends."""

    @property
    def is_error(self) -> bool:
        """True if the call failed."""
        return self.error is not None

    def _repr_html_(self) -> str:
        """Return the HTML that a notebook shows for this answer."""
        from treeglass.rich_display import result_html  # noqa: PLC0415  # only notebooks need it

        kind = None if self.error is None else self.error.kind
        facts = (self.content, kind, self.next_arguments, self.warnings)
        return result_html(*facts, is_truncated=self.truncated)


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolDefinition:
    """The description of a tool that a host gives to its model."""

    name: str
    title: str
    description: str
    input_schema: dict[str, Any]
    output_schema: dict[str, Any] | None
    annotations: ToolAnnotations
    family: str
    is_side_effecting: bool
    requires_approval: bool
    risk_level: RiskLevel
    supports_parallel_tool_calls: bool
    full_name: str = ""
    """The family and the tool's own name, such as `codex.read_file`, whatever callers know it
    by; empty outside of a registry."""
    grammar: str = ""
    """The grammar, in Lark's notation, of a tool whose input may be a text by itself; empty for
    every other tool."""

    def _repr_html_(self) -> str:
        """Return the HTML that a notebook shows for this tool."""
        from treeglass.rich_display import definition_html  # noqa: PLC0415  # only notebooks need it

        return definition_html(self.name, self.title, self.description, self.input_schema)


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolContext:
    """Everything that one call may use; each call has its own."""

    workspace: Workspace
    config: Config
    working_dir: str
    """The virtual directory that relative paths start from."""
    arguments: object
    """The arguments as the caller passed them, before validation."""
    max_output_bytes: int
    """The ceiling for the content's UTF-8 bytes, from the call or the configuration."""
    available_capacity_bytes: int | None = None
    """Bytes that the model's context has left, if the host knows; may be 0."""
    timeout_seconds: float = 30.0
    clock: Callable[[], float] = time.monotonic
    started: float = 0.0
    """The clock's reading when the call began."""
    is_cancelled: Callable[[], bool] | None = None
    seen: Mapping[str, Any] | None = None
    """Facts that earlier calls of the family left in `ToolResult.seen`; None if no tool that
    changes is offered, so that no call would ask for it."""
    changed_ns: int = 0
    """The time that the files which this call changes will have: nanoseconds since 1970, whole
    milliseconds, later than that of every change before."""
    change_refusal: Callable[[str], str | None] = lambda _path: None
    """Returns why the configuration refuses to change a virtual path, or None."""

    def shown_path(self, path: str) -> str:
        """Return a path of the host as text shows it."""
        return escape_path(path) if self.escape_names else lossy_text(path)

    def plan(self) -> Plan:
        """Return an empty plan for what this call changes."""
        from treeglass.workspace.plan import Plan  # noqa: PLC0415  # only tools that change need it

        return Plan(self.workspace, self.change_refusal)

    @property
    def budget_bytes(self) -> int:
        """Most UTF-8 bytes that the content may have: the smaller of both ceilings."""
        if self.available_capacity_bytes is None:
            return self.max_output_bytes
        return min(self.max_output_bytes, self.available_capacity_bytes)

    @property
    def escape_names(self) -> bool:
        """True if hostile characters of file names are spelled out in text."""
        return self.config.tools.output.escape_names

    @property
    def elapsed_seconds(self) -> float:
        """Time since the call began."""
        return self.clock() - self.started

    def cut_error(self, text: str) -> str:
        """Return an error's text within the budget, which may lose its middle.

        An argument that is repeated stands there, and its sender knows it. At least
        `MIN_ERROR_BYTES` stay.
        """
        return cut_middle_to_bytes(text, max(self.budget_bytes, MIN_ERROR_BYTES))

    def resolve(self, text: str, *, strict: bool = True) -> ResolvedPath:
        """Resolve a path that the agent wrote; see `Workspace.resolve`."""
        return self.workspace.resolve(
            text, base=self.working_dir, strict=strict, unescape=self.escape_names
        )

    def checkpoint(self) -> None:
        """End the call if its time is over, or its host cancelled it; every loop calls this."""
        if self.elapsed_seconds > self.timeout_seconds:
            raise CallTimedOut(self.elapsed_seconds)
        if self.is_cancelled is not None and self.is_cancelled():
            raise CallCancelled


@dataclass(frozen=True, slots=True, kw_only=True)
class Tool(Generic[ArgsT]):
    """A tool as a value; see `treeglass.tools` for how to add one."""

    name: str
    title: str
    description: str
    family: str
    example: Mapping[str, object] = field(default_factory=dict)
    """Arguments of a call that is right, for the error text, demos and tests."""
    input_schema: Mapping[str, Any]
    """JSON Schema of the arguments, as the tool publishes it."""
    output_schema: Mapping[str, Any] | None = None
    """JSON Schema of `ToolResult.structured_content`, if the tool has structured results."""
    parse_arguments: Callable[[ToolArguments, Config], ArgsT]
    """Turn what a model sent into validated arguments, without touching the
    tree; raises `InvalidArguments` with the family's own sentence."""
    run: Callable[[ArgsT, ToolContext], ToolResult]
    """Answer a call; raises only exceptions that `report_error` understands."""
    report_error: Callable[[Exception, ToolContext], ToolResult]
    """Turn any exception of `treeglass.errors` into the family's error answer."""
    approval_summary: Callable[[ArgsT, Config], str]
    """At most 200 characters for a person who approves the call; does no I/O. The path
    comes first; see `treeglass.summary`."""
    annotations: ToolAnnotations = field(default_factory=ToolAnnotations)
    is_side_effecting: bool = False
    requires_approval: bool = False
    risk_level: RiskLevel = "low"
    supports_parallel_tool_calls: bool = True
    allow_truncation: bool = False
    """True if the registry may cut content that is over the budget; a tool that
    bounds its own answers says False."""
    free_form_argument: str = ""
    """The one argument of a tool whose input may also be a text by itself, which is no JSON."""
    grammar: str = ""
    """The grammar of such a text in Lark's notation, for hosts that bind a model to a grammar."""
    full_name: str = ""
    """Set by the registry: the family and the own name of a tool, whatever callers know it by."""

    @property
    def is_changing(self) -> bool:
        """True if the tool proposes changes; such a tool is offered only by its name."""
        return not self.annotations.read_only_hint

    @property
    def is_late(self) -> bool:
        """True if `run` is from `late`."""
        return isinstance(self.run, partial) and self.run.func is _run_module

    def definition(self) -> ToolDefinition:
        """Return the definition for a host, which may change its copy."""
        facts: dict[str, Any] = {
            each.name: getattr(self, each.name) for each in fields(ToolDefinition)
        }
        for name in ("input_schema", "output_schema"):
            facts[name] = None if facts[name] is None else deepcopy(dict(facts[name]))
        return ToolDefinition(**facts)


CHANGING: Final[Mapping[str, Any]] = {
    "annotations": ToolAnnotations(read_only_hint=False, idempotent_hint=False),
    "is_side_effecting": True,
    "risk_level": "medium",
    "supports_parallel_tool_calls": False,
}
"""The part that the tools that propose changes have in common."""


def late(module: str) -> partial[ToolResult]:
    """Return a `run` that imports a module on its first call, and calls the module's own `run`.

    A page fetches such a module with the first call that needs it, and not before the first answer.
    """
    return partial(_run_module, module)


def _run_module(module: str, args: Any, context: ToolContext) -> ToolResult:
    answer: ToolResult = importlib.import_module(module).run(args, context)
    return answer
