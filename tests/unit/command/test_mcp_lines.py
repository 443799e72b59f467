"""A request that the library's parser refuses gets an error, and any other line is passed on."""

import io
import json
import math
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import anyio
import pytest
from mcp.shared.message import SessionMessage

from treeglass.command.mcp_server import MAX_LINE_BYTES, Lines

PING = '{"jsonrpc": "2.0", "id": "ping", "method": "ping"}'
NOT_JSON = "The line cannot be read; send one JSON-RPC 2.0 message a line, not nested deeply."
NOT_A_REQUEST = (
    "The request cannot be read; send JSON-RPC 2.0 with an id that is a text or a whole number, "
    "with params that are an object, and without lone surrogates or numbers of more than "
    "4,300 digits."
)


def read(*lines: bytes) -> tuple[list[str], list[Any]]:
    """Return the lines that the library gets, and the errors that the client gets."""

    async def read_all() -> tuple[list[str], list[Any]]:
        replies, sent = anyio.create_memory_object_stream[SessionMessage](math.inf)
        async with sent:
            async with replies:
                stream = Lines(
                    io.TextIOWrapper(io.BytesIO(b"".join(line + b"\n" for line in lines)))
                )
                stream.replies = replies
                passed_on = [line.removesuffix("\n") async for line in stream]
            return passed_on, [_as_written(reply) async for reply in sent]

    # In a thread of its own: a browser's driver may have left an event loop in this one.
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(anyio.run, read_all).result()


def _as_written(reply: SessionMessage) -> Any:
    return json.loads(reply.message.model_dump_json(by_alias=True, exclude_unset=True))


def call(arguments: str, *, name: str = "read_file", more: str = "") -> bytes:
    """Return a call as a client of JavaScript orders it, with the id at the end."""
    params = f'{{"name":"{name}","arguments":{arguments}{more}}}'
    return f'{{"method":"tools/call","params":{params},"jsonrpc":"2.0","id":"call"}}'.encode()


@pytest.mark.parametrize(
    ("line", "request_id"),
    [
        pytest.param(call(r'{"file_path": "\ud83d"}'), "call", id="half of an emoji"),
        pytest.param(call(r'{"\ud83d": "{}[],:\\\""}'), "call", id="half of an emoji as a key"),
        pytest.param(call("{}", name=r"rm\ud83d"), "call", id="half of an emoji in a name"),
        pytest.param(
            call("{}", more=r',"_meta":{"progressToken":"\ud83d"}'),
            "call",
            id="half of an emoji beside the arguments",
        ),
        pytest.param(call(f'{{"limit": {"9" * 5_000}}}'), "call", id="a number of 5,000 digits"),
        pytest.param(
            b'{"jsonrpc": "2.0", "id": 7, "method": "ping", "params": [{}, "]"]}',
            7,
            id="params that are not an object",
        ),
        pytest.param(b'{"id": "call", "method": "ping"}', "call", id="no version"),
        pytest.param(b'{"id": 1, "method": 2}', 1, id="a method that is not a text"),
        pytest.param(
            b'{"jsonrpc": "2.0", "id": 1.5, "method": "ping"}', None, id="an id with a fraction"
        ),
        pytest.param(
            b'{"jsonrpc": "2.0", "id": true, "method": "ping"}', None, id="an id that is true"
        ),
        pytest.param(
            rb'{"jsonrpc": "2.0", "id": "\ud83d", "method": "ping"}',
            None,
            id="an id with half of an emoji",
        ),
        pytest.param(b"[]", None, id="a list"),
    ],
)
def test_a_request_that_cannot_be_read_is_refused_by_its_id(
    line: bytes, request_id: object
) -> None:
    passed_on, errors = read(line, PING.encode())

    error = {"code": -32600, "message": NOT_A_REQUEST}
    assert (passed_on, errors) == ([PING], [{"jsonrpc": "2.0", "id": request_id, "error": error}])


@pytest.mark.parametrize(
    "line",
    [
        pytest.param(b"no JSON", id="a text"),
        pytest.param(b"\xff\xfe", id="not UTF-8"),
        pytest.param(b'{"', id="cut off"),
        pytest.param(b'{"id":1}]', id="a bracket too many"),
        pytest.param(b'x{"jsonrpc": "2.0", "id": 1, "method": "ping"}', id="a letter before it"),
        pytest.param(b"[" * 9_999, id="nested deeply"),
        pytest.param(
            call(f'{{"file_path": {"[" * 9_999}{"]" * 9_999}}}'), id="a call, nested deeply"
        ),
    ],
)
def test_a_line_that_cannot_be_read_is_refused_without_an_id(line: bytes) -> None:
    passed_on, errors = read(line, PING.encode())

    error = {"code": -32700, "message": NOT_JSON}
    assert (passed_on, errors) == ([PING], [{"jsonrpc": "2.0", "id": None, "error": error}])


@pytest.mark.parametrize(
    "line",
    [
        pytest.param("", id="blank"),
        pytest.param("{}", id="neither an id nor a method"),
        pytest.param('{"jsonrpc": "2.0", "id": 1}', id="no method"),
        pytest.param('{"jsonrpc": "2.0", "id": null, "method": "ping"}', id="an id that is null"),
        pytest.param(
            r'{"jsonrpc": "2.0", "method": "notifications/x", "params": {"id": "\ud83d"}}',
            id="a notification with half of an emoji",
        ),
        pytest.param(
            '{"jsonrpc": "2.0", "method": "notifications/x", "params": {"id": 1}}',
            id="a notification about an id",
        ),
        pytest.param(r'{"jsonrpc": "2.0", "id": 1, "result": {"method": "\ud83d"}}', id="a reply"),
    ],
)
def test_a_line_that_asks_for_no_answer_is_passed_on(line: str) -> None:
    assert read(line.encode(), PING.encode()) == ([line, PING], [])


def test_a_line_that_is_too_long_is_skipped() -> None:
    too_long = PING.encode() + b" " * MAX_LINE_BYTES

    assert read(too_long, PING.encode()) == ([PING], [])
