"""`treeglass mcp` answers each line that asks, also where the library's parser refuses it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from tests.mcp_process import OPENED, OPENING, PING, PONG, answered, serving

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


@pytest.fixture
def mount(make_tree: Callable[..., Path]) -> str:
    return f"/repo={make_tree({'a.txt': 'hello'})}"


def read_file(arguments: str, *, name: str = "read_file", more: str = "") -> bytes:
    """Return a call as a client of JavaScript orders it, with the id at the end."""
    params = f'{{"name":"{name}","arguments":{arguments}{more}}}'
    return f'{{"method":"tools/call","params":{params},"jsonrpc":"2.0","id":"call"}}'.encode()


def refused(code: int, message: str, request_id: object = "call") -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": request_id, "error": {"code": code, "message": message}}


def mistaken(reason: str) -> dict[str, Any]:
    return answered(f"failed to parse function arguments: {reason}", is_error=True)


LONE = "the arguments hold a lone surrogate, which is not valid Unicode"
UNREAD = (
    "The request cannot be read; send JSON-RPC 2.0 with an id that is a text or a whole number, "
    "with params that are an object, and without lone surrogates."
)
CASES = {
    "half of an emoji": (read_file(r'{"file_path": "\ud83d"}'), mistaken(LONE)),
    "half of an emoji as a key": (read_file(r'{"\ud83d": "{}[],:\\\""}'), mistaken(LONE)),
    "half of an emoji in a tool's name": (
        read_file("{}", name=r"rm\ud83d"),
        refused(
            -32602,
            'There is no tool "rm\N{REPLACEMENT CHARACTER}"; '
            "the tools are: LS, list_dir, list_directory, read_file.",
        ),
    ),
    "a number of 5,000 digits": (
        read_file(f'{{"file_path": "/repo/a.txt", "limit": {"9" * 5_000}}}'),
        mistaken("the arguments hold a number of too many digits"),
    ),
    "nested deeply": (
        read_file(f'{{"file_path": {"[" * 5_000}{"]" * 5_000}}}'),
        mistaken("the arguments are nested too deeply"),
    ),
    "of more letters than a tool takes": (
        read_file(f'{{"file_path": "{"x" * 262_144}\\ud83d"}}'),
        answered("Tool arguments too large: 262,167 bytes, at most 262,144", is_error=True),
    ),
    "half of an emoji beside the arguments": (
        read_file("{}", more=r',"_meta":{"progressToken":"\ud83d"}'),
        refused(-32600, UNREAD),
    ),
    "an id with a fraction of nought": (
        b'{"jsonrpc": "2.0", "id": 7.0, "method": "ping"}',
        {"jsonrpc": "2.0", "id": 7, "result": {}},
    ),
    "an id that no answer can name": (
        b'{"jsonrpc": "2.0", "id": 1.5, "method": "ping"}',
        refused(-32600, UNREAD, None),
    ),
    "an id with half of an emoji": (
        rb'{"jsonrpc": "2.0", "id": "\ud83d", "method": "ping"}',
        refused(-32600, UNREAD, None),
    ),
    "params that are no object": (
        b'{"jsonrpc": "2.0", "id": "call", "method": "ping", "params": [{}, "]"]}',
        refused(-32600, UNREAD),
    ),
    "no version": (b'{"id": "call", "method": "ping"}', refused(-32600, UNREAD)),
}


def test_each_line_that_asks_is_answered(mount: str) -> None:
    answers = {}
    with serving("--mount", mount) as server:
        server.send(*OPENING)
        assert server.answer() == OPENED
        for case, (line, _) in CASES.items():
            server.send(line)
            answers[case] = server.answer()

        assert server.ended() == (0, b"", b"")
    assert answers == {case: answer for case, (_, answer) in CASES.items()}


def test_what_asks_nothing_is_passed_over(mount: str) -> None:
    too_long = json.dumps({"jsonrpc": "2.0", **PING, "id": "long"}).encode() + b" " * (17 << 20)
    broken = (
        *(
            b"",
            b"no JSON",
            b"\xff\xfe",
            b"[]",
            b"{}",
            b'{"',
            b'{"id":1}]',
            b"[" * 9_999,
            b"{" * 9_999,
        ),
        *(
            b'{"jsonrpc": "2.0", "id": 1}',
            b'{"id": 1, "method": 2}',
            b'{"id": 1, "method": "ping" x}',
        ),
        b'x{"jsonrpc": "2.0", "id": 1, "method": "ping"}',
        b'{"jsonrpc": "2.0", "id": null, "method": "ping"}',
        rb'{"jsonrpc": "2.0", "method": "notifications/x", "params": {"id": "\ud83d"}}',
        b'{"jsonrpc": "2.0", "method": "notifications/x", "params": {"id": 1}}',
        rb'{"jsonrpc": "2.0", "id": 1, "result": {"method": "\ud83d"}}',
    )

    with serving("--mount", mount) as server:
        server.send(*OPENING, *broken, too_long, PING)

        assert [server.answer(), server.answer()] == [OPENED, PONG]
        assert server.ended() == (0, b"", b"")
