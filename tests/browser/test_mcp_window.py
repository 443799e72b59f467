"""MCP's own client in a page, and the tools in a frame of another origin."""

from __future__ import annotations

import json
from contextlib import ExitStack
from functools import cache
from typing import TYPE_CHECKING

import pytest
from jsonschema import Draft202012Validator  # type: ignore[import-untyped]  # ships no types

from tests.browser.cpython_answers import CPythonAnswers, without_duration
from tests.browser.mcp_pages import McpPages, open_mcp_pages
from tests.browser_support import BROWSERS
from treeglass import Config, ToolRegistry, Workspace
from treeglass.definition_formats import render_definitions

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from tests.browser_support import Browsers

pytestmark = pytest.mark.browser

_NOT_THERE = "failed to read file: No such file or directory (os error 2)"
_FILES = {f"part-{index}.txt": f"This is part {index}.\n" for index in range(10)}


@pytest.fixture(scope="module")
def cpython(tmp_path_factory: pytest.TempPathFactory) -> CPythonAnswers:
    """CPython's answers over the files that the frame mounts."""
    folder = tmp_path_factory.mktemp("repo")
    for name, content in _FILES.items():
        (folder / name).write_text(content, encoding="utf-8")
    return CPythonAnswers(folder)


@pytest.fixture(scope="module")
def opened_pages(
    browsers: Browsers, dist: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Callable[[str], McpPages]]:
    """The page in a browser, opened when it is first asked for."""
    with ExitStack() as stack:

        @cache
        def open_once(browser_name: str) -> McpPages:
            folder = tmp_path_factory.mktemp("libraries")
            browser = browsers.get(browser_name)
            return stack.enter_context(open_mcp_pages(browser, dist / "npm", folder))

        yield open_once


@pytest.fixture(params=BROWSERS)
def pages(
    request: pytest.FixtureRequest, opened_pages: Callable[[str], McpPages]
) -> Iterator[McpPages]:
    """The page in each browser, with a frame whose tools serve nobody yet."""
    opened = opened_pages(request.param)
    opened.start_over()
    yield opened
    # The next story's watch would take the end of this one's worker for its own.
    opened.page.goto("about:blank")


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
    calls = [
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
    assert list(schemas) == ["LS", "list_directory"]
    told = []
    for (name, _), answer in zip(calls, answers, strict=True):
        (block,) = answer["content"]
        structured = answer.get("structuredContent")
        if structured is not None:
            Draft202012Validator(schemas[name]).validate(structured)
            assert json.loads(block["text"]) == structured
        told.append((name, answer.get("isError", False), structured is not None))
        # What a host may hand on, with the line break between text and data.
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
        "kind": None,
        "code": -32602,
        "message": (
            'There is no tool "rm"; the tools are: LS, list_dir, list_directory, read_file.'
        ),
    }


def test_an_end_that_closes_closes_the_other(pages: McpPages) -> None:
    _serve(pages)
    _connect(pages)
    pages.run_in_frame(
        "window.server = await serve(given, 'second', { onCall: () => {} });"
        "window.server.onclose = () => { window.isClosed = true; };",
        pages.host,
    )
    closed_by_frame, closed_by_page = pages.run(
        """
        const second = await connectMcp(kept.frame.contentWindow, given, "second");
        await second.client.close();
        kept.frame.src = "about:blank";
        return [null, await second.closed];
        """,
        pages.tools,
    )
    assert (closed_by_frame, closed_by_page) == (None, "closed")


def test_what_a_stranger_posts_is_ignored(pages: McpPages) -> None:
    heard = pages.run(
        """
        const [peer, twin, stranger] = [
          await addPuppet(given.tools),
          await addPuppet(given.tools),
          await addPuppet(given.stranger),
        ];
        const transport = new WindowTransport({ peer: peer.peer, origin: given.tools });
        const heard = [];
        transport.onmessage = (message) => heard.push(message);
        transport.onclose = () => heard.push("closed");
        await transport.start();
        const channel = "treeglass-mcp";
        const hello = { channel, from: "peer", to: null, kind: "hello" };
        const [{ from: to }] = await peer.post(hello);
        const message = (method, changes = {}) => ({
          channel, from: "peer", to, kind: "message",
          message: { jsonrpc: "2.0", method },
          ...changes,
        });
        const close = { channel, from: "peer", to, kind: "close" };
        await stranger.post(hello, message("of another origin"), close);
        await twin.post(hello, message("of another window"), { ...hello, from: "twin" }, close);
        await peer.post(
          message("on another channel", { channel: "other" }),
          message("from another end", { from: "other" }),
          message("to another end", { to: "other" }),
          message("to nobody", { to: null }),
          message("of no kind", { kind: "rpc" }),
          message("of no version", { message: { method: "x" } }),
          message("of no shape", { message: { jsonrpc: "2.0", id: 1 } }),
          message("of no message", { message: null }),
          { ...close, channel: 7 },
          [hello], {}, 7, "hello", null,
          message("that is meant"),
        );
        await transport.send({ jsonrpc: "2.0", method: "to the peer alone" });
        const received = [await peer.post(), await twin.post(), await stranger.post()];
        await transport.close();
        return { heard, received: JSON.parse(JSON.stringify(received).replaceAll(to, "me")) };
        """,
        {"tools": pages.tools, "stranger": pages.stranger},
    )
    channel = "treeglass-mcp"
    assert heard == {
        "heard": [{"jsonrpc": "2.0", "method": "that is meant"}, "closed"],
        "received": [
            [
                {"channel": channel, "from": "me", "to": None, "kind": "hello"},
                {"channel": channel, "from": "me", "to": "peer", "kind": "welcome"},
                {
                    "channel": channel,
                    "from": "me",
                    "to": "peer",
                    "kind": "message",
                    "message": {"jsonrpc": "2.0", "method": "to the peer alone"},
                },
            ],
            [],
            [],
        ],
    }


def test_a_frame_of_another_origin_than_the_one_named_is_never_heard(pages: McpPages) -> None:
    assert pages.run(
        """
        const frame = addFrame();
        const transport = new WindowTransport({ peer: frame.contentWindow, origin: given.tools });
        const heard = [];
        transport.onmessage = (message) => heard.push(message);
        await transport.start();
        await transport.send({ jsonrpc: "2.0", method: "a secret" });
        const arrived = new Promise((resolve) => {
          addEventListener("message", ({ data }) => data.received && resolve(data.received));
        });
        frame.src = `${given.stranger}/puppet.html#${location.origin}`;
        await new Promise((resolve) => { frame.onload = resolve; });
        const hello = { channel: "treeglass-mcp", from: "x", to: null, kind: "hello" };
        frame.contentWindow.postMessage({ post: [hello] }, given.stranger);
        const received = await arrived;
        await transport.close();
        return { heard, received };
        """,
        {"tools": pages.tools, "stranger": pages.stranger},
    ) == {"heard": [], "received": []}


def test_a_window_that_loads_anew_ends_the_connection(pages: McpPages) -> None:
    assert pages.run(
        """
        const puppet = await addPuppet(given);
        const transport = new WindowTransport({ peer: puppet.peer, origin: given });
        const told = [];
        transport.onclose = () => told.push("closed");
        await transport.start();
        const hello = (from) => ({ channel: "treeglass-mcp", from, to: null, kind: "hello" });
        await puppet.post(hello("first"), hello("first"));
        told.push("met");
        await puppet.post(hello("second"));
        const sent = await outcome(transport.send({ jsonrpc: "2.0", method: "x" }));
        const again = await outcome(transport.start());
        return [told, sent, again];
        """,
        pages.tools,
    ) == [
        ["met", "closed"],
        {
            "name": "TreeglassError",
            "kind": "Closed",
            "code": None,
            "message": "The other window is not connected; connect anew.",
        },
        {
            "name": "TreeglassError",
            "kind": "BadRequest",
            "code": None,
            "message": (
                "This WindowTransport was started already; make a new one for each connection."
            ),
        },
    ]


def test_a_frame_that_is_gone_closes_the_transport_with_the_next_message(pages: McpPages) -> None:
    assert pages.run(
        """
        const frame = addFrame();
        const transport = new WindowTransport({ peer: frame.contentWindow, origin: given });
        const told = [];
        transport.onclose = () => told.push("closed");
        await transport.start();
        frame.remove();
        const { kind } = await outcome(transport.send({ jsonrpc: "2.0", method: "x" }));
        return [told, kind];
        """,
        pages.tools,
    ) == [["closed"], "Closed"]


def test_only_another_window_and_an_exact_origin_are_taken(pages: McpPages) -> None:
    refused = pages.run("""
        const peer = kept.frame.contentWindow;
        const options = [
          { peer, origin: "*" },
          { peer, origin: "null" },
          { peer, origin: "https://tools.example/" },
          { peer, origin: undefined },
          { peer: window, origin: location.origin },
          { peer: null, origin: location.origin },
        ];
        return Promise.all(options.map((one) => outcome((async () => new WindowTransport(one))())));
    """)
    no_window = (
        "The peer has to be another window: pass the contentWindow of an iframe that is in the "
        "page, or window.parent in an iframe."
    )
    messages = [
        f"The origin is {origin}; pass the exact one of the other window, such as "
        '"https://tools.example".'
        for origin in ('"*"', '"null"', '"https://tools.example/"', "undefined")
    ]
    assert refused == [
        {"name": "TreeglassError", "kind": "BadRequest", "code": None, "message": message}
        for message in [*messages, no_window, no_window]
    ]
