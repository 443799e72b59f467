import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from treeglass.bridge import Bridge


def ask(bridge: Bridge, method: str, **params: Any) -> Any:
    return json.loads(bridge.handle(json.dumps({"method": method, "params": params})))


@pytest.mark.parametrize(
    ("name", "arguments", "summary"),
    [
        ("read_file", {"file_path": "/repo/é"}, "Read file /repo/é"),
        ("list_dir", '{"dir_path": "/repo"}', "List directory /repo"),
        ("list_dir", '{"dir_path": ', None),
        ("list_dir", {"dir_path": "/repo", "depht": 1}, "List directory /repo"),
        ("list_dir", None, None),
        ("grep", {}, None),
    ],
)
def test_a_call_is_summarized_for_the_person_who_approves_it(
    name: str, arguments: Any, summary: str | None
) -> None:
    answer = ask(Bridge(), "summarizeCall", name=name, arguments=arguments)

    assert answer["result"]["summary"] == summary


@pytest.mark.parametrize(
    ("method", "params"),
    [
        ("configure", {"config": {"tools": {"approval": {"mode": "auto"}}}}),
        ("configure", {"config": {"tools": {"sandbox": {"allow_absolute": True}}}}),
        ("configure", {"projectRoot": "/repo/src"}),
        ("configure", {"workingDir": "/repo/src"}),
        ("mount", {"path": "/other", "host": "."}),
        ("unmount", {"path": "/repo"}),
    ],
)
def test_a_call_that_was_summarized_runs_under_no_other_settings(
    make_tree: Callable[..., Path], method: str, params: dict[str, Any]
) -> None:
    host = str(make_tree({"src/a.txt": "hello"}))
    call = {"name": "LS", "arguments": {"path": "."}}
    bridge = Bridge()
    ask(bridge, "mount", path="/repo", host=host)
    settings = ask(bridge, "summarizeCall", **call)["result"]["settings"]
    same = ask(bridge, "callTool", **call, settings=settings)
    ask(bridge, method, **params)

    assert same["result"]["isError"] is False
    assert ask(bridge, "callTool", **call, settings=settings) == {
        "error": {
            "name": "SettingsChanged",
            "message": "The settings changed after the call was summarized; summarize it again.",
        }
    }


def test_a_call_that_was_summarized_runs_in_an_interpreter_with_the_same_settings(
    make_tree: Callable[..., Path],
) -> None:
    host = str(make_tree({"a.txt": "hello"}))
    call = {"name": "read_file", "arguments": {"file_path": "/repo/a.txt"}}
    first, replacement = Bridge(), Bridge()
    for bridge, config in ((first, {}), (replacement, {"tools": {"mode": "enabled"}})):
        ask(bridge, "configure", config=config)
        ask(bridge, "mount", path="/repo", host=host)
    settings = ask(first, "summarizeCall", **call)["result"]["settings"]

    answer = ask(replacement, "callTool", **call, settings=settings)

    assert answer["result"]["content"] == "L1: hello"


@pytest.mark.parametrize("is_text", [False, True])
def test_nulls_of_optional_arguments_are_absent_if_the_page_says_so(
    make_tree: Callable[..., Path],
    is_text: bool,
) -> None:
    bridge = Bridge()
    ask(bridge, "mount", path="/repo", host=str(make_tree({"a.txt": "hello"})))
    nulls: Any = {"dir_path": "/repo", "offset": None, "limit": None, "depth": None}
    call = {"name": "list_dir", "arguments": json.dumps(nulls) if is_text else nulls}

    summaries = [
        ask(bridge, "summarizeCall", **call, nullsAreAbsent=absent)["result"]["summary"]
        for absent in (False, True)
    ]
    assert summaries == [None, "List directory /repo"]
    assert ask(bridge, "callTool", **call)["result"]["error"]["kind"] == "RespondToModel"
    answer = ask(bridge, "callTool", **call, nullsAreAbsent=True)["result"]
    assert answer["content"] == "Absolute path: /repo\na.txt"
