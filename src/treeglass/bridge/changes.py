"""The handlers of the methods about changes: what a person sees, decides and takes away."""

from __future__ import annotations

import base64
from typing import TYPE_CHECKING, Any

from treeglass.workspace.overlay.reviewed import as_json

if TYPE_CHECKING:
    from treeglass.bridge.params import (
        ChangesParams,
        DiffChangeParams,
        ExportChangesParams,
        KeepChangeParams,
        NoParams,
        RejectChangeParams,
        RestoreStateParams,
    )
    from treeglass.workspace.overlay.overlay import Overlay
    from treeglass.workspace.overlay.reviewed import ReviewedStep

Answer = dict[str, Any]


def changes(overlay: Overlay, params: ChangesParams) -> Answer:
    """Return what differs from the mounts, or has changed since a step."""
    answer: Answer = as_json(overlay.changes(params.since))
    return answer


def diff_change(overlay: Overlay, params: DiffChangeParams) -> Answer:
    """Return how one path changes."""
    answer: Answer = as_json(overlay.diff(params.path, params.start, params.end))
    return answer


def reject_change(overlay: Overlay, params: RejectChangeParams) -> Answer:
    """Take a change, or some hunks, back to the mount."""
    return {"version": overlay.reject(params.path, params.hunks, reason=params.reason)}


def keep_change(overlay: Overlay, params: KeepChangeParams) -> Answer:
    """Mark a change, or some hunks, as wanted."""
    overlay.keep(params.path, params.hunks)
    return {"version": overlay.version}


def undo_change(overlay: Overlay, _params: NoParams) -> Answer:
    """Take back the last step; null if no step can be taken back."""
    return _step(overlay, overlay.undo())


def redo_change(overlay: Overlay, _params: NoParams) -> Answer:
    """Bring back what the last undo took; null if there is nothing."""
    return _step(overlay, overlay.redo())


def _step(overlay: Overlay, step: ReviewedStep | None) -> Answer:
    return {
        "version": overlay.version,
        "step": None if step is None else as_json(step),
    }


def take_notes(overlay: Overlay, _params: NoParams) -> Answer:
    """Return what a host tells its model, once."""
    return {"notes": [*overlay.take_notes()]}


def export_changes(overlay: Overlay, params: ExportChangesParams) -> Answer:
    """Return the changes as a patch, an archive or a manifest."""
    if params.format == "manifest":
        return {"manifest": overlay.manifest(params.leave_out)}
    if params.format == "patch":
        return {"base64": _base64(overlay.export_patch(params.leave_out))}
    return {"base64": _base64(overlay.export_archive(params.leave_out))}


def save_state(overlay: Overlay, _params: NoParams) -> Answer:
    """Return the proposals, the steps and the decisions."""
    return {"state": _base64(overlay.save_state())}


def restore_state(overlay: Overlay, params: RestoreStateParams) -> Answer:
    """Replace everything by what `save_state` gave."""
    overlay.restore_state(params.state)
    return {"version": overlay.version}


def discard_changes(overlay: Overlay, _params: NoParams) -> Answer:
    """Forget all of it."""
    overlay.discard()
    return {"version": overlay.version}


def _base64(content: bytes) -> str:
    return base64.b64encode(content).decode("ascii")
