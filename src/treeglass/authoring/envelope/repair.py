"""Turn any answer of a tool into a valid envelope, at a host's boundary."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from treeglass.authoring.envelope.validation import (
    Stats,
    Truncation,
    faults_of,
    is_framework_form,
    is_plain,
)
from treeglass.tools.envelope.envelope_building import (
    ERROR_CODES,
    STATUSES,
    envelope_context,
    error_envelope,
)

_NO_TEXT = "The tool gave no text. Check data for its result."


def normalise_envelope(candidate: object, *, params_input: object) -> dict[str, Any]:
    """Return a valid envelope for any answer of a tool.

    Implements the protocol's normaliser. An answer that is not a JSON object
    with a known status becomes an `INTERNAL_ERROR`. In any other answer missing
    keys are filled in, values of a wrong type are replaced, unknown keys are
    dropped, and a success that is truncated or fell back becomes partial.

    Args:
        candidate: JSON text, or the decoded value.
        params_input: The arguments of the call, for a context that lacks them.
    """
    answer = _decoded(candidate)
    if not isinstance(answer, Mapping) or answer.get("status") not in STATUSES:
        what = "no JSON object" if not isinstance(answer, Mapping) else "an unknown status"
        message = f"The tool answered with {what}. Try another tool."
        context = envelope_context(cwd=".", arguments=params_input)
        return error_envelope(code="INTERNAL_ERROR", message=message, context=context)
    status = answer["status"]
    data = _data(answer.get("data"), status)
    if status == "success" and (data.get("truncated") or "fallback" in data):
        status = "partial"
    text = _text(answer)
    envelope = {"status": status, "data": data, "text": text}
    if status == "error":
        envelope["error"] = _error(answer.get("error"), text)
    envelope["stats"] = _stats(answer.get("stats"))
    envelope["context"] = _context(answer.get("context"), params_input)
    return envelope


def _decoded(candidate: object) -> object:
    if not isinstance(candidate, str):
        return candidate
    try:
        return json.loads(candidate)
    except (ValueError, RecursionError):
        return None


def _data(data: object, status: str) -> dict[str, Any]:
    if not isinstance(data, Mapping):
        return {}
    kept = dict(data)
    if not isinstance(kept.get("truncated", False), bool):
        kept["truncated"] = bool(kept["truncated"])
    if is_framework_form(kept):
        block = kept["truncation"]
        if not isinstance(block, Mapping) or faults_of(Truncation, block):
            del kept["truncation"]
    if status == "error" and kept.get("truncated") and not is_framework_form(kept):
        del kept["truncated"]
    return kept


def _text(answer: Mapping[str, Any]) -> str:
    text = answer.get("text")
    if text is not None and str(text).strip():
        return str(text)
    error = answer.get("error")
    message = error.get("message") if isinstance(error, Mapping) else error
    return message if isinstance(message, str) and message.strip() else _NO_TEXT


def _error(error: object, text: str) -> dict[str, str]:
    if not isinstance(error, Mapping):
        # The form before v1.0 was a plain sentence.
        message = error if isinstance(error, str) and error else text
        return {"code": "INTERNAL_ERROR", "message": message}
    code, sentence = error.get("code"), error.get("message")
    return {
        "code": str(code) if code in ERROR_CODES else "INTERNAL_ERROR",
        "message": sentence if isinstance(sentence, str) and sentence else text,
    }


def _stats(stats: object) -> dict[str, Any]:
    given = dict(stats) if isinstance(stats, Mapping) else {}
    time_ms = given.pop("time_ms", 0)
    is_time = not faults_of(Stats, {"time_ms": time_ms})
    return {"time_ms": time_ms if is_time else 0} | {
        key: value for key, value in given.items() if is_plain(value)
    }


def _context(context: object, params_input: object) -> dict[str, Any]:
    given = dict(context) if isinstance(context, Mapping) else {}
    filled = envelope_context(cwd=".", arguments=params_input) | given
    if not isinstance(filled["cwd"], str) or not filled["cwd"]:
        filled["cwd"] = "."
    for key, kind in (("path_resolved", str), ("truncation_skip", bool)):
        if key in filled and (not isinstance(filled[key], kind) or filled[key] == ""):
            del filled[key]
    return filled
