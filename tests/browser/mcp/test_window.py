"""MCP's own client in a page, and the tools in a frame of another origin."""

import json
from typing import Any

import pytest
from jsonschema import Draft202012Validator  # type: ignore[import-untyped]  # ships no types

from tests.browser.cpython_answers import CPythonAnswers, without_duration
from tests.browser.mcp.mcp_pages import McpPages
from treeglass import Config, ToolRegistry, Workspace
from treeglass.definition_formats import render_definitions

pytestmark = pytest.mark.slow

_NOT_THERE = "failed to read file: No such file or directory (os error 2)"
_FILES = {f"part-{index}.txt": f"This is part {index}.\n" for index in range(10)}


@pytest.fixture(scope="module")
def cpython(tmp_path_factory: pytest.TempPathFactory) -> CPythonAnswers:
    """CPython's answers over the files that the frame mounts."""
    folder = tmp_path_factory.mktemp("repo")
    for name, content in _FILES.items():
        (folder / name).write_text(content, encoding="utf-8")
    return CPythonAnswers(folder)


def _serve(pages: McpPages, options: str = "{}") -> None:
    """Mount the files in the frame, and serve its tools to the page."""
    pages.run_in_frame(
        f"""
        const client = await sharedClient();
        await client.mount("/repo", {{ entries: given.files }});
        await serve(given.host, undefined, {options});
        """,
        {"files": _FILES, "host": pages.host},
    )


def _connect(pages: McpPages) -> None:
    pages.run(
        "kept.mcp = await connectMcp(kept.frame.contentWindow, given, undefined);", pages.tools
    )


def test_a_client_explores_the_tree_of_a_frame(pages: McpPages, cpython: CPythonAnswers) -> None:
    # The page speaks first, and waits for the frame.
    pages.run(
        "kept.connecting = connectMcp(kept.frame.contentWindow, given, undefined); return null;",
        pages.tools,
    )
    _serve(pages)
    calls: list[tuple[str, dict[str, Any]]] = [
        ("list_dir", {"dir_path": "/repo", "limit": 4}),
        ("list_dir", {"dir_path": "/repo", "limit": 4, "offset": 5}),
        ("list_dir", {"dir_path": "/repo", "limit": 4, "offset": 9}),
        ("read_file", {"file_path": "/repo/part-3.txt"}),
        ("read_file", {"file_path": "/repo/none.txt"}),
        ("LS", {"path": "part-3.txt"}),
        ("LS", {"path": ".", "limit": 3}),
        ("list_dir", {"dir_path": 7}),
    ]
    listed, answers = pages.run(
        """
        const { client } = await kept.connecting;
        const { tools } = await client.listTools();
        const answers = [];
        for (const [name, args] of given) {
          answers.push(await client.callTool({ name, arguments: args }));
        }
        return [tools, answers];
        """,
        calls,
    )
    registry = ToolRegistry(Workspace({}), Config())
    published = render_definitions(registry.list_tools(), "mcp")
    for definition in published:
        definition.pop("outputSchema", None)
    expected = []
    for name, arguments in calls:
        result = cpython.call(name, arguments)
        content = [{"type": "text", "text": without_duration(result.content)}]
        flagged = {"isError": True} if result.is_error else {}
        expected.append({"content": content, **flagged})
    for answer in answers:
        for block in answer["content"]:
            block["text"] = without_duration(block["text"])
    assert (listed, answers) == (published, expected)


@pytest.mark.each_browser
def test_every_answer_keeps_to_its_schema(pages: McpPages) -> None:
    _serve(pages, '{ results: "both", output: { unit: "bytes", max: 1500 } }')
    _connect(pages)
    calls: list[tuple[str, dict[str, object]]] = [
        ("LS", {}),
        ("LS", {"limit": 3}),
        ("LS", {"path": "none"}),
        ("LS", {"offset": -1}),
        ("list_directory", {"path": "."}),
        ("list_directory", {"path": "none"}),
        ("list_directory", {}),
    ]
    tools, answers = pages.run(
        """
        const { client } = kept.mcp;
        const { tools } = await client.listTools();
        const answers = [];
        for (const [name, args] of given) {
          // Rejects where data that are no error do not keep to the schema.
          answers.push(await client.callTool({ name, arguments: args }));
        }
        return [tools, answers];
        """,
        calls,
    )
    schemas = {tool["name"]: tool["outputSchema"] for tool in tools if "outputSchema" in tool}
    assert list(schemas) == ["Glob", "Grep", "LS", "Read", "list_directory"]
    told = []
    for (name, _), answer in zip(calls, answers, strict=True):
        (block,) = answer["content"]
        structured = answer.get("structuredContent")
        if structured is not None:
            Draft202012Validator(schemas[name]).validate(structured)
            assert json.loads(block["text"]) == structured
        told.append((name, answer.get("isError", False), structured is not None))
        # A host may pass both on, with a line break between text and data.
        handed_on = [block["text"], *([] if structured is None else [_compact(structured)])]
        assert len("\n".join(handed_on).encode()) <= 1500
    assert told == [
        ("LS", False, True),
        ("LS", False, True),
        ("LS", True, True),
        ("LS", True, True),
        ("list_directory", False, True),
        ("list_directory", True, False),
        ("list_directory", True, False),
    ]


def _compact(structured: object) -> str:
    return json.dumps(structured, separators=(",", ":"), ensure_ascii=False)


@pytest.mark.each_browser
def test_ten_calls_at_once_are_each_answered(pages: McpPages) -> None:
    _serve(pages)
    _connect(pages)
    answers = pages.run(
        """
        const { client } = kept.mcp;
        const paths = Array.from({ length: 10 }, (_, index) => `/repo/part-${index}.txt`);
        return Promise.all(
          paths.map((path) =>
            client.callTool({ name: "read_file", arguments: { file_path: path } }),
          ),
        );
        """
    )
    assert answers == [
        {"content": [{"type": "text", "text": f"L1: This is part {index}."}]} for index in range(10)
    ]


def test_a_cancelled_call_is_stopped_in_the_frame(pages: McpPages) -> None:
    _serve(
        pages,
        """{
          approve: () => { window.isAsked = true; return new Promise(() => {}); },
          onCall: ({ name, outcome }) => { window.event = { name, outcome }; },
        }""",
    )
    _connect(pages)
    pages.run("""
        kept.cancel = new AbortController();
        const { signal } = kept.cancel;
        const request = { name: "LS", arguments: {} };
        kept.call = outcome(kept.mcp.client.callTool(request, { signal }));
        return null;
    """)
    pages.frame.wait_for_function("window.isAsked")
    called = pages.run("kept.cancel.abort(new Error('stopped')); return kept.call;")
    event = pages.frame.wait_for_function("window.event").json_value()
    assert (called["message"], event) == ("Error: stopped", {"name": "LS", "outcome": "aborted"})


def test_calls_after_an_unmount_and_after_the_end_are_answered(pages: McpPages) -> None:
    _serve(pages)
    _connect(pages)
    call = """
        return kept.mcp.client.callTool({ name: "read_file", arguments: given });
    """
    given = {"file_path": "/repo/part-0.txt"}
    pages.run_in_frame("await (await sharedClient()).unmount('/repo');")
    unmounted = pages.run(call, given)
    pages.run_in_frame("await (await sharedClient()).close();")
    closed = pages.run(call, given)
    assert [unmounted, closed] == [
        {
            "content": [{"type": "text", "text": _NOT_THERE}],
            "isError": True,
        },
        {
            "content": [
                {"type": "text", "text": "The tools were closed; no call can be made any more."}
            ],
            "isError": True,
        },
    ]


def test_an_unknown_tool_is_an_error_of_the_protocol(pages: McpPages) -> None:
    _serve(pages)
    _connect(pages)
    assert pages.run("return outcome(kept.mcp.client.callTool({ name: 'rm' }));") == {
        "name": "ProtocolError",
        "code": -32602,
        "message": (
            'There is no tool "rm"; the tools are: '
            "Glob, Grep, LS, Read, Search, grep_files, list_dir, list_directory, read_file."
        ),
    }


def test_an_end_that_closes_closes_the_other(pages: McpPages) -> None:
    pages.run_in_frame(
        """
        for (const channel of ["first", "second"]) {
          const server = await serve(given, channel, {});
          window[channel] = server;
          server.onclose = () => { window[channel] = "closed"; };
        }
        """,
        pages.host,
    )
    pages.run(
        """
        for (const channel of ["first", "second"]) {
          kept[channel] = await connectMcp(kept.frame.contentWindow, given, channel);
        }
        await kept.first.client.close();
        """,
        pages.tools,
    )
    pages.frame.wait_for_function("window.first === 'closed'")
    left_open = pages.run("return outcome(kept.second.client.ping());")
    pages.run_in_frame("await window.second.close();")
    closed = pages.run("return kept.second.closed;")
    assert (left_open, closed) == ({"value": {}}, "closed")
