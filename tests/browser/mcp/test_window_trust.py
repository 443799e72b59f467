"""Which messages the transport between two windows accepts, and when it ends."""

import pytest

from tests.browser.mcp.mcp_pages import McpPages


@pytest.mark.each_browser
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
          message("to no end", { to: null }),
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


@pytest.mark.each_browser
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


@pytest.mark.each_browser
def test_an_end_that_was_given_up_before_a_word_makes_room_for_the_next(pages: McpPages) -> None:
    assert pages.run(
        """
        const puppet = await addPuppet(given);
        const transport = new WindowTransport({ peer: puppet.peer, origin: given });
        await transport.start();
        const hello = (from) => ({ channel: "treeglass-mcp", from, to: null, kind: "hello" });
        await puppet.post(hello("given up"), hello("the next"));
        await transport.send({ jsonrpc: "2.0", method: "x" });
        const received = await puppet.post();
        await transport.close();
        return received.map(({ kind, to }) => [kind, to]);
        """,
        pages.tools,
    ) == [
        ["hello", None],
        ["welcome", "given up"],
        ["welcome", "the next"],
        ["message", "the next"],
    ]


@pytest.mark.each_browser
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
        await transport.send({ jsonrpc: "2.0", method: "x" });
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
            "name": "Closed",
            "code": None,
            "message": "The other window is not connected; connect anew.",
        },
        {
            "name": "BadRequest",
            "code": None,
            "message": (
                "This WindowTransport was started already; make a new one for each connection."
            ),
        },
    ]


@pytest.mark.each_browser
def test_a_frame_that_is_gone_closes_the_transport_with_the_next_message(pages: McpPages) -> None:
    assert pages.run(
        """
        const frame = addFrame();
        const transport = new WindowTransport({ peer: frame.contentWindow, origin: given });
        const told = [];
        transport.onclose = () => told.push("closed");
        await transport.start();
        frame.remove();
        const { name } = await outcome(transport.send({ jsonrpc: "2.0", method: "x" }));
        return [told, name];
        """,
        pages.tools,
    ) == [["closed"], "Closed"]


@pytest.mark.each_browser
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
        {"name": "BadRequest", "code": None, "message": message}
        for message in [*messages, no_window, no_window]
    ]
