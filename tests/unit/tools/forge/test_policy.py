"""FR-LD-DEF-05: `list_directory` obeys the policy that holds for every tool."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from treeglass import ToolResult

LISTED = (
    '{"path":".","entries":[],"returned":0,"max_entries":200,'
    '"truncated":false,"truncated_reason":null}'
)
DENYLISTED = ("SandboxViolation", "Tool 'list_directory' is denylisted")
MODE_DENIED = ("SandboxViolation", "Tool execution disabled")
POLICY_DENIED = ("SandboxViolation", "Tool execution disabled by policy")


def answer_of(registry: Any, arguments: dict[str, object] | None = None) -> ToolResult:
    result: ToolResult = registry.call_tool("list_directory", arguments or {"path": "."})
    return result


def asked_in_vain(**_: object) -> bool:
    pytest.fail("a read-only tool needs no consent")


@pytest.mark.parametrize(
    "approval",
    [
        pytest.param({}, id="default"),
        pytest.param({"mode": "auto"}, id="auto"),
        pytest.param({"mode": "prompt"}, id="prompt"),
        pytest.param({"mode": "prompt", "prompt_side_effects": False}, id="prompt for tools only"),
        pytest.param({"mode": "deny", "allowlist": ["list_directory"]}, id="deny, but allowed"),
        pytest.param({"mode": "auto", "denylist": ["run_command"]}, id="another is denied"),
    ],
)
def test_call_runs_without_asking(
    make_tree: Any, registry_of: Any, approval: dict[str, object]
) -> None:
    registry = registry_of(make_tree({}), {"approval": approval}, approve=asked_in_vain)

    result = answer_of(registry)

    assert (result.content, result.error) == (LISTED, None)


@pytest.mark.parametrize(
    ("tools", "failure"),
    [
        pytest.param({"approval": {"mode": "deny"}}, DENYLISTED, id="deny"),
        pytest.param(
            {"approval": {"mode": "auto", "denylist": ["list_directory"]}}, DENYLISTED, id="denied"
        ),
        pytest.param(
            {
                "approval": {
                    "mode": "deny",
                    "allowlist": ["list_directory"],
                    "denylist": ["list_directory"],
                }
            },
            DENYLISTED,
            id="denied and allowed",
        ),
        pytest.param({"approval": {"enabled": False}}, POLICY_DENIED, id="not enabled"),
        pytest.param(
            {"approval": {"enabled": False, "mode": "auto", "allowlist": ["list_directory"]}},
            POLICY_DENIED,
            id="not enabled, though allowed",
        ),
        pytest.param({"mode": "disabled"}, MODE_DENIED, id="mode disabled"),
        pytest.param({"mode": "parse_only"}, MODE_DENIED, id="mode parse_only"),
    ],
)
def test_call_is_denied_with_the_reason_alone(
    make_tree: Any, registry_of: Any, tools: dict[str, object], failure: tuple[str, str]
) -> None:
    result = answer_of(registry_of(make_tree({}), tools))

    assert result.error is not None
    assert (result.error.kind, result.content) == failure
    assert result.error.message == result.content


def test_arguments_are_checked_before_the_mode_denies(make_tree: Any, registry_of: Any) -> None:
    registry = registry_of(make_tree({}), {"approval": {"mode": "deny"}})

    assert answer_of(registry, {"path": ""}).content == (
        "Bad args: path must not be empty; give '.' for the working directory"
    )


def test_allowlist_never_bypasses_the_sandbox(make_tree: Any, registry_of: Any) -> None:
    registry = registry_of(make_tree({}), {"approval": {"allowlist": ["list_directory"]}})

    assert answer_of(registry, {"path": ".."}).content == (
        "Path outside sandbox (attempted: .., resolved: ..)"
    )


def test_arguments_over_the_ceiling_are_denied_unread(make_tree: Any, registry_of: Any) -> None:
    registry = registry_of(make_tree({}), {"max_tool_args_bytes": 20})

    assert answer_of(registry, {"path": "x" * 10}).content == (
        "Tool arguments too large: 22 bytes, at most 20"
    )
