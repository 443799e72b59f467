"""The methods about what a person sees of changes and decides; late, with the first of them."""

from __future__ import annotations

import base64
import json
from collections.abc import Callable, Collection
from typing import TYPE_CHECKING, Any, Final
from weakref import WeakKeyDictionary

from treeglass.bridge.late_params import Parameter, checked, is_path, is_text
from treeglass.bridge.methods import FILE_METHOD_NAMES, METHODS, Answer, Client
from treeglass.bridge.params import BadRequest
from treeglass.workspace.overlay.reviewed import PathChange, ReviewedStep, as_json

if TYPE_CHECKING:
    from treeglass.workspace.overlay.overlay import Overlay

_MAX_NAMES = 100_000
"""Most hunks or paths of one request."""


def _is_mark(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


def _are_names(value: Any) -> bool:
    return isinstance(value, list) and len(value) <= _MAX_NAMES and all(map(is_text, value))


def _is_base64(value: Any) -> bool:
    if not isinstance(value, str):
        return False
    try:
        base64.b64decode(value, validate=True)
    except ValueError:
        return False
    return True


_MARK = "a whole number that is not negative"
_NAMES = f"a list of at most {_MAX_NAMES} strings"
_PATH: Final = Parameter(is_path, "a path that begins with a slash")
_HUNKS: Final = Parameter(lambda value: value is None or _are_names(value), _NAMES, None)


_encoder = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"))

_Texts = dict[tuple[str, str], tuple["PathChange", str]]
"""Entries, each with its JSON, by path and operation."""

_last_texts: Final[WeakKeyDictionary[Overlay, _Texts]] = WeakKeyDictionary()
"""The entries of the last answer: a page asks after each step, and few of thousands differ."""


def _changes(overlay: Overlay, since: int) -> Answer:
    """Return what differs from the mounts, or has changed since a step."""
    changes = overlay.changes(since)
    before = _last_texts.get(overlay, {})
    texts: _Texts = {}
    for entry in changes.entries:
        name = (entry.path, entry.operation)
        known = before.get(name)
        if known is None or (known[0] is not entry and known[0] != entry):
            known = (entry, _encoder.encode(as_json(entry)))
        texts[name] = known
    _last_texts[overlay] = texts
    entries = ",".join(text for _, text in texts.values())
    steps = _encoder.encode(as_json(changes.steps))
    return f'{{"version":{changes.version},"entries":[{entries}],"steps":{steps}}}'


def _reject_change(
    overlay: Overlay, path: str, hunks: list[str] | None, reason: str | None, of: int | None
) -> Answer:
    """Take a change or some hunks back, or give an earlier rejection its reason."""
    if hunks is not None and of is not None:
        raise BadRequest("The option of of reject takes nothing back: leave out hunks.")
    return {"version": overlay.reject(path, hunks, reason=reason, of=of)}


def _keep_change(overlay: Overlay, path: str, hunks: list[str] | None, is_kept: object) -> Answer:
    """Mark a change, or some hunks, as wanted, or take the mark away."""
    overlay.keep(path, hunks, is_kept=is_kept is True)
    return {"version": overlay.version}


def _step(overlay: Overlay, step: ReviewedStep | None) -> Answer:
    """Return what an undo or a redo took; null if there was nothing."""
    return {"version": overlay.version, "step": None if step is None else as_json(step)}


def _export_changes(overlay: Overlay, form: str, leave_out: Collection[str]) -> Answer:
    """Return the changes as a patch, an archive or a manifest."""
    if form == "manifest":
        return {"manifest": overlay.manifest(leave_out)}
    if form == "patch":
        return {"base64": _base64(overlay.export_patch(leave_out))}
    return {"base64": _base64(overlay.export_archive(leave_out))}


def _restore_state(overlay: Overlay, state: str) -> Answer:
    """Replace everything by what `saveState` gave."""
    overlay.restore_state(base64.b64decode(state))
    return {"version": overlay.version}


def _discard_changes(overlay: Overlay) -> Answer:
    """Forget all of it."""
    overlay.discard()
    return {"version": overlay.version}


def _base64(content: bytes) -> str:
    return base64.b64encode(content).decode("ascii")


def _or(word: str) -> Callable[[Any], bool]:
    return lambda value: value == word or _is_mark(value)


CHANGE_METHODS: Final[dict[str, tuple[Callable[..., Answer], dict[str, Parameter]]]] = {
    "changes": (_changes, {"since": Parameter(_is_mark, _MARK, 0)}),
    "diffChange": (
        lambda overlay, path, start, end: as_json(overlay.diff(path, start, end)),
        {
            "path": _PATH,
            "from": Parameter(_or("base"), f"'base' or {_MARK}", "base"),
            "to": Parameter(_or("now"), f"'now' or {_MARK}", "now"),
        },
    ),
    "rejectChange": (
        _reject_change,
        {
            "path": _PATH,
            "hunks": _HUNKS,
            "reason": Parameter(lambda value: value is None or is_text(value), "a string", None),
            "of": Parameter(lambda value: value is None or _is_mark(value), _MARK, None),
        },
    ),
    "keepChange": (
        _keep_change,
        {
            "path": _PATH,
            "hunks": _HUNKS,
            "isKept": Parameter(
                lambda value: isinstance(value, bool), "true or false", default=True
            ),
        },
    ),
    "undoChange": (lambda overlay: _step(overlay, overlay.undo()), {}),
    "redoChange": (lambda overlay: _step(overlay, overlay.redo()), {}),
    "takeNotes": (lambda overlay: {"notes": [*overlay.take_notes()]}, {}),
    "exportChanges": (
        _export_changes,
        {
            "format": Parameter(
                ("patch", "archive", "manifest").__contains__, "'patch', 'archive' or 'manifest'"
            ),
            "leaveOut": Parameter(_are_names, _NAMES, ()),
        },
    ),
    "saveState": (lambda overlay: {"state": _base64(overlay.save_state())}, {}),
    "restoreState": (_restore_state, {"state": Parameter(_is_base64, "a string in base64")}),
    "discardChanges": (_discard_changes, {}),
}
"""The handler of each method and what it takes after the overlay, in that order."""


def answer_about_changes(client: Client, name: str, params: object) -> Answer:
    """Return the result of a request about changes; `BadRequest` says what is wrong with it."""
    if name not in CHANGE_METHODS:
        known = ", ".join((*METHODS, *FILE_METHOD_NAMES, *CHANGE_METHODS))
        raise BadRequest(f"unknown method {name!r}; known: {known}")
    handler, parameters = CHANGE_METHODS[name]
    values = checked(name, parameters, params)
    return handler(client.overlay, *values)
