from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from tests.unit.workspace.overlay.proposing import propose, shown
from treeglass import Config, ToolRegistry, Workspace
from treeglass.call_arguments import ToolArguments
from treeglass.errors import ChangeRefused, ConfigInvalid
from treeglass.tool import CHANGING, Tool, ToolContext, ToolFailure, ToolResult
from treeglass.workspace.host import HostFileSystem

MakeTree = Callable[..., Path]


def _answer_error(error: Exception, _context: ToolContext) -> ToolResult:
    reason = error.reason if isinstance(error, ChangeRefused) else str(error)
    return ToolResult(content=reason, error=ToolFailure(type(error).__name__, reason))


def _parse(arguments: ToolArguments, _config: Config) -> dict[str, Any]:
    return dict(arguments.values)


def changing(run: Callable[[dict[str, Any], ToolContext], ToolResult], **more: Any) -> Tool[Any]:
    """Return a tool of a host that proposes what its `run` plans."""
    return Tool(
        name="put",
        title="Put",
        description="Write a file.",
        family="host",
        input_schema={"type": "object"},
        parse_arguments=_parse,
        run=run,
        report_error=_answer_error,
        approval_summary=lambda arguments, _config: f"put {arguments['path']}",
        **CHANGING,
        **more,
    )


def put(arguments: dict[str, Any], context: ToolContext) -> ToolResult:
    """Write `content` to `path`."""
    plan = context.plan()
    plan.write(context.resolve(arguments["path"], strict=False), arguments["content"].encode())
    return ToolResult(content="done", changes=plan.changes)


def registry_of(
    root: Path, tool: Tool[Any], tools: dict[str, Any] | None = None, **options: Any
) -> tuple[Workspace, ToolRegistry]:
    """Return a registry with one tool, whose calls need no consent unless `tools` says so."""
    workspace = Workspace({"/repo": root})
    config = Config.from_object({"tools": {"approval": {"mode": "auto"}} | (tools or {})})
    return workspace, ToolRegistry(workspace, config, tools=[tool], **options)


A = {"path": "/repo/a", "content": "new"}


def test_a_call_commits_what_it_plans_as_one_step(make_tree: MakeTree) -> None:
    workspace, registry = registry_of(make_tree({"a": "old"}), changing(put))

    result = registry.call_tool("put", A, group="turn 1", time_ms=7_000)

    steps = [
        (step.name, step.by, step.group, sorted(step.moves))
        for step in workspace.overlay.record.steps
    ]
    assert (result.content, shown(workspace)) == ("done", {"a": b"new"})
    assert steps == [("host.put", "tool", "turn 1", ["/repo/a"])]
    assert workspace.status(workspace.resolve("/repo/a")).modified_ns == 7_000_000_000


def test_a_call_that_fails_leaves_nothing(make_tree: MakeTree) -> None:
    def fail(arguments: dict[str, Any], context: ToolContext) -> ToolResult:
        planned = put(arguments, context)
        return ToolResult(
            content="no", error=ToolFailure("No", "no"), changes=planned.changes, seen={"k": 1}
        )

    workspace, registry = registry_of(make_tree({"a": "old"}), changing(fail))
    registry.call_tool("put", A)

    assert (shown(workspace), workspace.overlay.seen) == ({"a": b"old"}, {})


def test_a_call_that_another_step_overtakes_runs_again_on_the_new_tree(
    make_tree: MakeTree,
) -> None:
    runs: list[bytes] = []

    def append(arguments: dict[str, Any], context: ToolContext) -> ToolResult:
        path = context.resolve(arguments["path"])
        with context.workspace.open(path) as file:
            before = file.read()
        if not runs:
            propose(context.workspace, {"/repo/a": "person"})
        runs.append(before)
        plan = context.plan()
        plan.write(path, before + b"+")
        return ToolResult(content="done", changes=plan.changes)

    workspace, registry = registry_of(make_tree({"a": "old"}), changing(append))
    registry.call_tool("put", A)

    assert (runs, shown(workspace)) == ([b"old", b"person"], {"a": b"person+"})


def test_a_call_that_is_cancelled_after_it_planned_leaves_nothing(make_tree: MakeTree) -> None:
    cancelled = []

    def cancel(arguments: dict[str, Any], context: ToolContext) -> ToolResult:
        planned = put(arguments, context)
        cancelled.append(True)
        context.checkpoint()
        return planned

    workspace, registry = registry_of(make_tree({"a": "old"}), changing(cancel))
    result = registry.call_tool("put", A, is_cancelled=lambda: bool(cancelled))

    assert (result.content, shown(workspace)) == ("Cancelled by user", {"a": b"old"})


@pytest.mark.parametrize(
    ("edit", "path", "reason"),
    [
        ({}, "/repo/.git/config", "it matches '**/.git/**' of tools.edit.deny"),
        ({}, "/repo/sub/.git/hooks/x", "it matches '**/.git/**' of tools.edit.deny"),
        ({}, "/repo/sub/.git", "it matches '**/.git' of tools.edit.deny"),
        ({}, "/repo/.GIT/hooks/x", "it matches '**/.git/**' of tools.edit.deny"),
        ({"deny": ["*.lock"]}, "/repo/a.lock", "it matches '*.lock' of tools.edit.deny"),
        ({"allow": ["src/**"]}, "/repo/a", "it matches no pattern of tools.edit.allow"),
    ],
)
def test_the_configuration_says_which_paths_may_change(
    make_tree: MakeTree, edit: dict[str, Any], path: str, reason: str
) -> None:
    workspace, registry = registry_of(
        make_tree({".git/config": "c", "a": "old"}), changing(put), {"edit": edit}
    )
    result = registry.call_tool("put", {"path": path, "content": "x"})

    assert (result.content, workspace.has_proposals) == (reason, False)


def test_a_person_is_asked_about_a_change_unless_the_mode_is_auto(make_tree: MakeTree) -> None:
    asked = []

    def refuse(*, tool: object, summary: str) -> bool:  # noqa: ARG001  # the protocol names it
        asked.append(summary)
        return False

    workspace, registry = registry_of(
        make_tree({"a": "old"}),
        changing(put),
        {"approval": {"mode": "prompt"}},
        approve=refuse,
    )
    result = registry.call_tool("put", A)

    assert (asked, result.content) == (["put /repo/a"], "Tool call denied by user")
    assert (result.warnings, shown(workspace)) == ((), {"a": b"old"})


def test_a_change_is_denied_with_advice_to_the_host_if_there_is_nobody_to_ask(
    make_tree: MakeTree,
) -> None:
    workspace = Workspace({"/repo": make_tree({"a": "old"})})
    config = Config.from_object({"tools": {"offered": ["Read", "Write"]}})

    result = ToolRegistry(workspace, config).call_tool("Write", {"path": "n", "content": "x"})

    assert (result.error, workspace.has_proposals) == (
        ToolFailure("ACCESS_DENIED", "Tool call denied by user"),
        False,
    )
    assert result.warnings == (
        (
            "No person was asked: pass approve= to ToolRegistry, or, unless the tool itself "
            'demands consent, set approval.mode = "auto" under [tools].'
        ),
    )


def test_what_a_call_leaves_is_what_the_next_one_of_its_family_finds(make_tree: MakeTree) -> None:
    found = []

    def remember(arguments: dict[str, Any], context: ToolContext) -> ToolResult:
        found.append(dict(context.seen or {}))
        return ToolResult(content="", seen=arguments)

    _, registry = registry_of(make_tree({}), changing(remember))
    for seen in ({"a": 1, "b": 2}, {"a": None, "c": 3}, {}):
        registry.call_tool("put", seen)

    assert found == [{}, {"a": 1, "b": 2}, {"b": 2, "c": 3}]


@pytest.mark.parametrize(
    ("offered", "edit"),
    [
        (["Read", "Edit"], {"path": "a", "old_string": "one", "new_string": "two"}),
        (["forge.Read", "forge.Edit"], {"patch": "LP1\nF a\nB\ntwo\n.\nEND\n"}),
    ],
    ids=["envelope", "forge"],
)
def test_a_state_holds_what_was_read_since_the_last_change(
    make_tree: MakeTree, offered: list[str], edit: dict[str, str]
) -> None:
    root = make_tree({"a": "one\n"})
    tools = {"offered": offered, "experimental_supported_tools": [], "approval": {"mode": "auto"}}

    def opened() -> ToolRegistry:
        return ToolRegistry(Workspace({"/repo": root}), Config.from_object({"tools": tools}))

    reading, unread, restored = opened(), opened(), opened()
    reading.call_tool("Read", {"path": "a"})
    restored.workspace.overlay.restore_state(reading.workspace.overlay.save_state())

    assert unread.call_tool("Edit", edit).is_error
    assert not restored.call_tool("Edit", edit).is_error


@pytest.mark.parametrize(
    "arguments", ["*** Begin", '"*** Begin"', '{"input": "*** Begin"}', {"input": "*** Begin"}]
)
def test_a_tool_with_a_free_form_takes_its_text_bare_or_as_an_argument(
    make_tree: MakeTree, arguments: str | dict[str, object]
) -> None:
    def echo(arguments: dict[str, Any], _context: ToolContext) -> ToolResult:
        return ToolResult(content=arguments["input"])

    _, registry = registry_of(make_tree({}), changing(echo, free_form_argument="input"))

    assert registry.call_tool("put", arguments).content == "*** Begin"


def test_a_change_may_be_larger_than_other_arguments(make_tree: MakeTree) -> None:
    workspace, registry = registry_of(make_tree({}), changing(put))
    registry.call_tool("put", {"path": "/repo/a", "content": "x" * 1_000_000})

    assert workspace.status(workspace.resolve("/repo/a")).size_bytes == 1_000_000


def test_tools_that_change_are_offered_by_their_names_alone() -> None:
    tools = [Config(), Config.from_object({"tools": {"family": "all"}})]
    named = Config.from_object({"tools": {"offered": ["Edit"]}})

    offered = partial(_offered, names=("apply_patch", "Write", "Edit", "MultiEdit"))
    assert [*map(offered, tools), offered(named)] == [[], [], ["Edit"]]


def _offered(config: Config, *, names: tuple[str, ...]) -> list[str]:
    families = ("codex", "envelope", "forge")
    return [
        name for name in names if any(config.tools.is_offered(family, name) for family in families)
    ]


def test_the_tools_that_change_come_from_one_family() -> None:
    with pytest.raises(ConfigInvalid) as caught:
        Config.from_object(
            {
                "tools": {
                    "offered": ["Edit", "Read"],
                    "experimental_supported_tools": ["apply_patch"],
                }
            }
        )
    assert str(caught.value) == (
        "tools: the tools that change come from codex and envelope; offer those of one family, "
        "since each has its own rules for what an agent has to read before"
    )


class Late(HostFileSystem):
    """A host whose first answers stand for content that has not arrived."""

    is_late = True

    def is_incomplete(self) -> bool:
        return self.is_late


def test_a_call_that_misses_content_commits_nothing_until_the_host_runs_it_again(
    make_tree: MakeTree,
) -> None:
    host = Late()
    workspace = Workspace({"/repo": make_tree({"a": "old"})}, file_system=host)
    config = Config.from_object({"tools": {"approval": {"mode": "auto"}}})
    registry = ToolRegistry(workspace, config, tools=[changing(put)])

    registry.call_tool("put", A)
    missed = shown(workspace)
    host.is_late = False
    registry.call_tool("put", A)

    assert (missed, shown(workspace)) == ({"a": b"old"}, {"a": b"new"})
    assert workspace.overlay.version == 1
