"""Answers one client's requests, each a JSON text.

The JavaScript worker holds a `Bridge` and hands it text; no object of either
language reaches the other, except the functions that read the worker's trees.
Imports neither `js` nor `pyodide`, so the same module runs, and is tested, on CPython.

A request is `{"method": ..., "params": {...}}`. An answer is `{"result": ...}`,
or `{"error": {"kind", "message"}}` if the page, not the agent, made a mistake.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from pydantic import BaseModel, ConfigDict, ValidationError

from treeglass.bridge.late_bodies import run_with_bodies
from treeglass.bridge.methods import METHODS, Client, SettingsChanged
from treeglass.errors import ConfigInvalid, SourceUnreadable, WorkspaceInvalid

if TYPE_CHECKING:
    from treeglass.workspace.embedder import EmbedderTrees

# `json.dumps` with arguments makes an encoder for each call.
_encoder = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"))


class BadRequest(Exception):
    """The page sent a request that no method takes; the text names the field."""


class Request(BaseModel):
    """A request before its parameters are checked."""

    model_config = ConfigDict(strict=True)

    method: str
    params: Any = None


class Bridge:
    """Answers the requests of one client.

    Two bridges share nothing, so that two clients of one interpreter never see
    each other's trees.

    Args:
        trees: The worker's trees; their directories can be mounted.

    Example:
        >>> bridge = Bridge()
        >>> bridge.handle('{"method": "callTool", "params": {"name": "ls", "arguments": {}}}')[:44]
        '{"result":{"content":"Unknown tool: ls","str'
        >>> bridge.handle('{"method": "mount", "params": {"path": "/r", "host": "/no/such"}}')[:60]
        '{"error":{"kind":"WorkspaceInvalid","message":"mount point '
    """

    def __init__(self, trees: EmbedderTrees | None = None) -> None:
        self._client = Client(trees)

    def handle(self, request: str) -> str:
        """Answer one request; any text gets an answer, which is JSON text."""
        return run_with_bodies(lambda: self._answer(request))

    def _answer(self, request: str) -> str:
        try:
            # Not pydantic's own JSON reader, which refuses a lone surrogate: arguments
            # that hold one must reach the tool, which words the refusal.
            result = self._dispatch(json.loads(request))
        except (
            BadRequest,
            ConfigInvalid,
            SettingsChanged,
            SourceUnreadable,
            WorkspaceInvalid,
        ) as error:
            return _error_to_wire(type(error).__name__, str(error))
        except (ValueError, RecursionError):
            return _error_to_wire("BadRequest", "the request is not JSON")
        return _encoder.encode({"result": result})

    def _dispatch(self, decoded: object) -> dict[str, Any]:
        try:
            request = Request.model_validate(decoded)
        except ValidationError as error:
            raise BadRequest(_sentence(error, ())) from None
        method = METHODS.get(request.method)
        if method is None:
            raise BadRequest(f"unknown method {request.method!r}; known: {', '.join(METHODS)}")
        try:
            params = method.params.model_validate(request.params)
        except ValidationError as error:
            raise BadRequest(_sentence(error, (request.method, "params"))) from None
        return method.handler(self._client, params)


def _error_to_wire(kind: str, message: str) -> str:
    return _encoder.encode({"error": {"kind": kind, "message": message}})


def _sentence(error: ValidationError, above: tuple[str, ...]) -> str:
    fault = error.errors(include_url=False, include_context=False, include_input=False)[0]
    field = ".".join(map(str, (*above, *fault["loc"])))
    return f"{field or 'request'}: {fault['msg']}"
