"""Answers one client's requests, each a JSON text.

The JavaScript worker holds a `Bridge` and hands it text; no object of either
language reaches the other, except the functions that read the worker's trees.
Imports neither `js` nor `pyodide`, so the same module runs, and is tested, on CPython.

A request is `{"method": ..., "params": {...}}`. An answer is `{"result": ...}`,
or `{"error": {"name", "message"}}` if the page, not the agent, made a mistake.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from pydantic import ValidationError

from treeglass import errors
from treeglass.bridge.late_bodies import with_bodies
from treeglass.bridge.methods import FILE_METHOD_NAMES, METHODS, Answer, Client, SettingsChanged
from treeglass.bridge.params import BadRequest

if TYPE_CHECKING:
    from treeglass.workspace.embedder import EmbedderTrees

# `json.dumps` with arguments makes an encoder for each call.
_encoder = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"))


class Bridge:
    """Answers the requests of one client, who may mount the directories of the worker's trees.

    Two bridges share nothing, so that two clients of one interpreter never see each other's trees.
    """

    def __init__(self, trees: EmbedderTrees | None = None) -> None:
        self._client = Client(trees)
        self.handle = with_bodies(
            self._answer, state=self._client.state, is_discarded=lambda: self._client.is_incomplete
        )
        """Answers one request; any text gets an answer, which is JSON text."""

    def _answer(self, request: str) -> str:
        try:
            # Not pydantic's own JSON reader, which refuses a lone surrogate: arguments
            # that hold one must reach the tool, which words the refusal.
            result = self._result(json.loads(request))
        except (
            BadRequest,
            errors.ConfigInvalid,
            errors.ExportRefused,
            errors.LimitExceeded,
            errors.PathUnreadable,
            SettingsChanged,
            errors.SourceUnreadable,
            errors.StaleHunk,
            errors.StateInvalid,
            errors.UnknownChange,
            errors.UnknownHunk,
            errors.WorkspaceInvalid,
        ) as error:
            return _error_to_wire(type(error).__name__, str(error))
        except (ValueError, RecursionError):
            return _error_to_wire("BadRequest", "the request is not JSON")
        text = result if isinstance(result, str) else _encoder.encode(result)
        return f'{{"result":{text}}}'

    def _result(self, request: object) -> Answer:
        """Return the result of a request; the one check of what a page sends."""
        # Not a union of models, one for each method: the image would carry them all.
        if not isinstance(request, dict):
            raise BadRequest("request: Input should be a valid dictionary or instance of Request")
        if "method" not in request:
            raise BadRequest("method: Field required")
        name = request["method"]
        if not isinstance(name, str):
            raise BadRequest("method: Input should be a valid string")
        method = METHODS.get(name)
        if name in FILE_METHOD_NAMES:
            from treeglass.bridge.files import answer_about_files  # noqa: PLC0415  # late

            return answer_about_files(self._client.workspace, name, request.get("params"))
        if method is None:
            from treeglass.bridge.changes import answer_about_changes  # noqa: PLC0415  # only changes need it

            return answer_about_changes(self._client, name, request.get("params"))
        try:
            params = method.params.model_validate(request.get("params"))
        except ValidationError as error:
            fault = error.errors(include_url=False, include_context=False, include_input=False)[0]
            field = ".".join(map(str, (name, "params", *fault["loc"])))
            raise BadRequest(f"{field}: {fault['msg']}") from None
        return method.handler(self._client, params)


def _error_to_wire(name: str, message: str) -> str:
    return _encoder.encode({"error": {"name": name, "message": message}})
