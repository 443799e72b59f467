import logging
from collections.abc import Callable
from dataclasses import replace
from itertools import chain, repeat
from typing import Any

import pytest

from treeglass import Config, ToolFailure, ToolRegistry, ToolResult, Workspace
from treeglass.call_arguments import ToolArguments
from treeglass.tool import Tool, ToolContext, ToolDefinition


def echo_tool(
    name: str = "echo",
    run: Callable[[dict[str, Any], ToolContext], ToolResult] | None = None,
    **fields: Any,
) -> Tool[dict[str, Any]]:
    """Return a tool that answers with its own arguments, or as `run` says."""

    def parse(arguments: ToolArguments, config: Config) -> dict[str, Any]:
        assert isinstance(config, Config)
        return arguments.values

    def answer(parsed: dict[str, Any], context: ToolContext) -> ToolResult:
        context.checkpoint()
        return ToolResult(content=str(parsed))

    def report(error: Exception, context: ToolContext) -> ToolResult:
        assert context.clock() >= context.started
        return ToolResult(content=str(error), error=ToolFailure(type(error).__name__, str(error)))

    return Tool(
        name=name,
        title="Echo",
        description="Says what it was told",
        family="test",
        input_schema={"type": "object"},
        parse_arguments=parse,
        run=run or answer,
        report_error=report,
        approval_summary=lambda parsed, _: f"Echo {parsed}",
        **fields,
    )


def registry(
    *tools: Tool[Any], approval: dict[str, Any] | None = None, approve: Any = None, **table: Any
) -> ToolRegistry:
    config = Config.from_object({"tools": {"approval": approval or {}, **table}})
    return ToolRegistry(Workspace({}), config, tools=tools or [echo_tool()], approve=approve)


@pytest.mark.parametrize(
    ("spent_seconds", "left"), [(0.0, 30.0), (10.0, 20.0), (29.0, 2.0), (900.0, 2.0)]
)
def test_a_call_has_less_time_by_what_it_spent_before(spent_seconds: float, left: float) -> None:
    def run(_arguments: dict[str, Any], context: ToolContext) -> ToolResult:
        return ToolResult(content=str(context.timeout_seconds - context.elapsed_seconds))

    tools = ToolRegistry(Workspace({}), tools=[echo_tool(run=run)], clock=lambda: 5.0)

    result = tools.call_tool("echo", {}, spent_seconds=spent_seconds)

    assert (result.content, result.elapsed_ms) == (str(left), 0.0)


@pytest.mark.parametrize(
    ("timeout_seconds", "spent_seconds", "limit", "left"),
    [
        *((0.8, 0.0, 0.8, 0.8), (0.8, 0.5, 0.8, 0.3), (0.8, 5.0, 0.8, -4.2)),
        *((31.0, 0.0, 30.0, 30.0), (31.0, 30.0, 31.0, 1.0), (99.0, 90.0, 30.0, 2.0)),
    ],
)
def test_a_call_has_the_time_that_its_host_gives_it_if_that_is_less(
    timeout_seconds: float, spent_seconds: float, limit: float, left: float
) -> None:
    def run(_arguments: dict[str, Any], context: ToolContext) -> ToolResult:
        remaining = context.timeout_seconds - context.elapsed_seconds
        return ToolResult(content=f"{context.timeout_seconds} {remaining:.1f}")

    tools = ToolRegistry(Workspace({}), tools=[echo_tool(run=run)], clock=lambda: 5.0)

    result = tools.call_tool(
        "echo", {}, timeout_seconds=timeout_seconds, spent_seconds=spent_seconds
    )

    assert result.content == f"{limit} {left:.1f}"


@pytest.mark.parametrize(
    ("table", "names"),
    [
        pytest.param(
            {"experimental_supported_tools": []},
            ["Glob", "Grep", "LS", "Read", "Search", "list_directory"],
            id="none",
        ),
        pytest.param(
            {"experimental_supported_tools": ["read_file"], "offered": []}, ["read_file"], id="one"
        ),
        pytest.param(
            {"offered": [], "experimental_supported_tools": ["LS", "shell"]},
            [],
            id="wrong list",
        ),
        pytest.param({"mode": "disabled"}, [], id="tools are disabled"),
    ],
)
def test_a_tool_is_offered_only_if_its_list_names_it(
    table: dict[str, Any], names: list[str]
) -> None:
    offering = ToolRegistry(Workspace({}), Config.from_object({"tools": table}))

    assert [tool.name for tool in offering.list_tools()] == names


def test_a_tool_that_is_not_offered_is_unknown_to_a_call() -> None:
    offering = ToolRegistry(
        Workspace({}), Config.from_object({"tools": {"experimental_supported_tools": []}})
    )

    result = offering.call_tool("list_dir", {"dir_path": "/"})

    assert (result.content, result.is_error) == ("Unknown tool: list_dir", True)


@pytest.mark.parametrize(
    ("table", "failure"),
    [
        pytest.param({}, ("CallDenied", "Tool 'run_command' is denylisted"), id="denylisted"),
        pytest.param(
            {"mode": "disabled"}, ("CallDenied", "Tool execution disabled"), id="disabled"
        ),
        pytest.param(
            {"approval": {"denylist": []}},
            ("UnknownTool", "Unknown tool: run_command"),
            id="allowed",
        ),
    ],
)
def test_policy_is_asked_before_a_name_is_looked_up(
    table: dict[str, Any], failure: tuple[str, str]
) -> None:
    asked = ToolRegistry(Workspace({}), Config.from_object({"tools": table}))

    assert asked.call_tool("run_command", {}).error == ToolFailure(*failure)


def test_an_unknown_name_cannot_forge_lines_in_its_answer() -> None:
    assert registry().call_tool("x\ny\ud800", {}).content == r"Unknown tool: x\u{A}y\u{D800}"


def test_a_host_that_changes_a_definition_changes_its_own_copy() -> None:
    tool = replace(
        echo_tool(),
        input_schema={"properties": {"a": {}}},
        output_schema={"properties": {}},
    )
    offering = registry(tool)

    (changed,) = offering.list_tools()
    changed.input_schema["properties"].clear()
    assert changed.output_schema is not None
    changed.output_schema["properties"]["b"] = {}

    (again,) = offering.list_tools()
    assert again.input_schema == {"properties": {"a": {}}}
    assert again.output_schema == {"properties": {}}


def test_two_tools_of_one_name_are_refused() -> None:
    with pytest.raises(ValueError, match=r"^Duplicate tool: echo$"):
        registry(echo_tool(), echo_tool())


def test_arguments_may_be_json_text_or_a_mapping() -> None:
    assert registry().call_tool("echo", '{"a": 1}').content == "{'a': 1}"
    assert registry().call_tool("echo", {"a": 1}).content == "{'a': 1}"


def test_arguments_over_the_ceiling_are_refused_before_they_are_read() -> None:
    small = registry(max_tool_args_bytes=10)

    for sent in ('{"aaaaaaaaaaaaaaaaaa', {"aaaaaaa": 1}):
        result = small.call_tool("echo", sent)
        size = len(sent) if isinstance(sent, str) else 14
        assert result.error == ToolFailure(
            "CallDenied", f"Tool arguments too large: {size} bytes, at most 10"
        )


@pytest.mark.parametrize(
    ("approval", "fields", "consent", "message"),
    [
        pytest.param({}, {}, None, None, id="prompt lets a read-only tool run"),
        pytest.param({"mode": "auto"}, {}, None, None, id="auto lets it run"),
        pytest.param({"mode": "deny"}, {}, None, "Tool 'echo' is denylisted", id="deny stops it"),
        pytest.param({"mode": "deny", "allowlist": ["echo"]}, {}, None, None, id="unless listed"),
        pytest.param(
            {"mode": "auto", "denylist": ["echo"], "allowlist": ["echo"]},
            {},
            None,
            "Tool 'echo' is denylisted",
            id="the denylist always wins",
        ),
        pytest.param(
            {"enabled": False}, {}, None, "Tool execution disabled by policy", id="not enabled"
        ),
        pytest.param(
            {},
            {"is_side_effecting": True},
            None,
            "Tool call denied by user",
            id="a side effect without a person to ask",
        ),
        pytest.param({}, {"is_side_effecting": True}, True, None, id="consent"),
        pytest.param(
            {}, {"is_side_effecting": True}, False, "Tool call denied by user", id="no consent"
        ),
        pytest.param(
            {"allowlist": ["echo"]},
            {"is_side_effecting": True},
            None,
            None,
            id="listed side effect",
        ),
        pytest.param(
            {"prompt_side_effects": False}, {"is_side_effecting": True}, None, None, id="not asked"
        ),
        pytest.param(
            {"mode": "auto", "allowlist": ["echo"]},
            {"requires_approval": True},
            None,
            "Tool call denied by user",
            id="a list never stands in for consent that the tool demands",
        ),
    ],
)
def test_policy_decides_for_every_tool(
    approval: dict[str, Any], fields: dict[str, Any], consent: bool | None, message: str | None
) -> None:
    asked: list[str] = []

    def approve(*, tool: ToolDefinition, summary: str) -> bool:
        asked.append(f"{tool.name}: {summary}")
        return bool(consent)

    result = registry(
        echo_tool(**fields), approval=approval, approve=None if consent is None else approve
    ).call_tool("echo", {})

    assert result.error == (None if message is None else ToolFailure("CallDenied", message))
    assert asked == ([] if consent is None else ["echo: Echo {}"])


@pytest.mark.parametrize("mode", ["parse_only", "disabled"])
def test_a_mode_that_runs_nothing_refuses_the_call(mode: str) -> None:
    result = registry(mode=mode).call_tool("echo", {})

    assert result.error == ToolFailure("CallDenied", "Tool execution disabled")


def test_a_bug_in_a_tool_gives_one_answer_without_its_details(
    caplog: pytest.LogCaptureFixture,
) -> None:
    def fail(parsed: dict[str, Any], context: ToolContext) -> ToolResult:
        raise ZeroDivisionError(f"secret {parsed} {context}")

    with caplog.at_level(logging.ERROR, "treeglass"):
        result = registry(echo_tool(run=fail)).call_tool("echo", {})

    assert (
        result.content == "internal error: this call cannot be answered; try another tool or path"
    )
    assert [record.message for record in caplog.records] == ["echo failed"]


def test_a_fault_of_what_asks_a_person_is_no_fault_of_the_files(
    caplog: pytest.LogCaptureFixture,
) -> None:
    def approve(*, tool: ToolDefinition, summary: str) -> bool:
        raise TimeoutError(f"secret {tool} {summary}")

    with caplog.at_level(logging.ERROR, "treeglass"):
        result = registry(echo_tool(is_side_effecting=True), approve=approve).call_tool("echo", {})

    assert (
        result.content == "internal error: this call cannot be answered; try another tool or path"
    )
    assert [record.message for record in caplog.records] == ["echo failed"]


def test_a_call_that_runs_out_of_memory_says_so_to_the_host() -> None:
    def fail(_parsed: dict[str, Any], _context: ToolContext) -> ToolResult:
        raise MemoryError

    result = registry(echo_tool(run=fail)).call_tool("echo", {})

    assert (result.content, result.warnings, result.ran_out_of_memory) == (
        "internal error: this call cannot be answered; try another tool or path",
        ("Python ran out of memory in this call; ask for less at once.",),
        True,
    )


def test_a_call_that_overruns_its_time_is_ended() -> None:
    readings = chain([0.0], repeat(31.0))
    overrun = ToolRegistry(Workspace({}), tools=[echo_tool()], clock=lambda: next(readings))

    result = overrun.call_tool("echo", {})

    assert (result.content, result.elapsed_ms) == ("timed out after 31s", 31000.0)


def test_a_call_that_the_host_cancels_is_ended() -> None:
    result = registry().call_tool("echo", {}, is_cancelled=lambda: True)

    assert result.error == ToolFailure("CallCancelled", "Cancelled by user")


@pytest.mark.parametrize(
    ("budget", "content"),
    [
        pytest.param(40, "éééééééé... eight of them", id="fits"),
        pytest.param(30, "ééé\n\n... [output truncated]", id="cut at a character"),
        pytest.param(10, "\n\n... [out", id="only room for the marker"),
        pytest.param(0, "", id="no room at all"),
    ],
)
def test_a_tool_that_allows_it_is_cut_with_a_marker(budget: int, content: str) -> None:
    def run(parsed: dict[str, Any], context: ToolContext) -> ToolResult:
        assert (parsed, context.budget_bytes) == ({}, budget)
        return ToolResult(content="éééééééé... eight of them")

    result = registry(echo_tool(run=run, allow_truncation=True)).call_tool(
        "echo", {}, max_output_bytes=99, available_capacity_bytes=budget
    )

    assert (result.content, result.truncated) == (content, budget != 40)


@pytest.mark.parametrize(
    ("misuse", "sentence"),
    [
        ({"max_output_bytes": -1}, "a budget must not be negative, not -1"),
        ({"available_capacity_bytes": -9}, "a budget must not be negative, not -9"),
        (
            {"working_dir": "src"},
            "working_dir 'src' must be an absolute virtual path without '.' and '..'",
        ),
    ],
)
def test_misuse_by_the_host_raises(misuse: dict[str, Any], sentence: str) -> None:
    with pytest.raises(ValueError, match=r".+") as refusal:
        registry().call_tool("echo", {}, **misuse)

    assert str(refusal.value) == sentence
