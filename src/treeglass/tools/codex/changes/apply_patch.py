"""`apply_patch`: change files as a patch says, all hunks or none, as a proposal.

Implements apply_patch.md 7a and 8: the answers of the agent, not those of the command.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Final, NamedTuple

from treeglass.errors import OutputBudgetTooSmall
from treeglass.tool import ToolContext, ToolResult
from treeglass.tools.codex.changes.patch_edits import ChunkNotFound, updated
from treeglass.tools.codex.changes.patch_files import CannotRead, PatchedFiles, absolute
from treeglass.tools.codex.changes.patch_text import (
    AddFile,
    DeleteFile,
    Hunk,
    UpdateFile,
    parse_patch,
)
from treeglass.tools.codex.errors import RespondToModel
from treeglass.utf8 import byte_length

if TYPE_CHECKING:
    from treeglass.tools.codex.changes.arguments import ApplyPatchArgs

_NOT_VERIFIED: Final = "apply_patch verification failed: "
_OUTPUT: Final = "Wall time: 0 seconds\nOutput:\n"
_SUCCESS: Final = f"Exit code: 0\n{_OUTPUT}Success. Updated the following files:\n"


class _Checked(NamedTuple):
    """A hunk that can be applied to the tree as it is."""

    hunk: Hunk
    path: str
    """Absolute; of an update, the old one."""
    destination: str | None
    """Absolute; the new path of an update that moves its file."""
    content: bytes
    """The bytes that are written; empty for a deletion."""


def run(args: ApplyPatchArgs, context: ToolContext) -> ToolResult:
    """Answer a call with what it changes."""
    limits = context.workspace.limits
    limits.require("max_patch_bytes", byte_length(args.input))
    patch = parse_patch(args.input, context.checkpoint)
    if patch.environment is not None:
        raise RespondToModel("apply_patch environment selection is unavailable for this turn")
    if not patch.hunks:
        raise RespondToModel("patch rejected: empty patch")
    edits = (len(each.chunks) if isinstance(each, UpdateFile) else 1 for each in patch.hunks)
    limits.require("max_edits", sum(edits))
    files = PatchedFiles(context)
    checked = _check(patch.hunks, files, context)
    _require_places_of_their_own(checked, files, context)
    for each in checked:
        context.checkpoint()
        fault = _apply(each, files, context)
        if fault is not None:
            raise RespondToModel(f"Exit code: 1\n{_OUTPUT}{fault}\n")
    content, is_whole = _report(patch.hunks, context)
    return ToolResult(content=content, truncated=not is_whole, changes=files.changes)


def _check(hunks: Iterable[Hunk], files: PatchedFiles, context: ToolContext) -> list[_Checked]:
    """Work out each hunk, no two of one path, against the untouched tree (apply_patch.md 7a, 4)."""
    checked: list[_Checked] = []
    paths: set[str] = set()
    size = 0
    for hunk in hunks:
        context.checkpoint()
        path = absolute(hunk.path, context.working_dir)
        if path in paths:
            raise _several_operations(path)
        paths.add(path)
        move_to = hunk.move_to if isinstance(hunk, UpdateFile) else None
        destination = None if move_to is None else absolute(move_to, context.working_dir)
        content = _new_content(hunk, path, files, context)
        size += len(content)
        context.workspace.limits.require("max_proposal_bytes", size)
        checked.append(_Checked(hunk, path, destination, content))
    return checked


def _several_operations(path: str) -> RespondToModel:
    return RespondToModel(f"{_NOT_VERIFIED}invalid patch: multiple operations target {path}")


def _new_content(hunk: Hunk, path: str, files: PatchedFiles, context: ToolContext) -> bytes:
    """Return what a hunk makes of the untouched tree; nothing of a deletion."""
    if isinstance(hunk, AddFile):
        return "".join(f"{line}\n" for line in hunk.lines).encode()
    try:
        if isinstance(hunk, UpdateFile):
            return _updated(hunk, path, files, context)
        # A deletion reads the file as text first.
        files.read(path, "max_proposal_bytes")
    except ChunkNotFound as error:
        raise RespondToModel(f"{_NOT_VERIFIED}{error}") from None
    except CannotRead as error:
        to_update = " file to update" if isinstance(hunk, UpdateFile) else ""
        raise RespondToModel(f"{_NOT_VERIFIED}Failed to read{to_update} {path}: {error}") from None
    return b""


def _updated(hunk: UpdateFile, path: str, files: PatchedFiles, context: ToolContext) -> bytes:
    text = files.read(path, "max_changed_file_bytes")
    return updated(text, hunk.chunks, path, context.workspace.limits, context.checkpoint)


def _require_places_of_their_own(
    checked: Sequence[_Checked], files: PatchedFiles, context: ToolContext
) -> None:
    """Refuse a hunk that touches what another one moves a file to (apply_patch.md 8)."""
    if all(each.destination is None for each in checked):
        return
    taken: dict[str, bool] = {}
    """By name: whether a file is moved to it."""
    for each in checked:
        context.checkpoint()
        own = _names_of(each.path, files)
        if any(taken.get(name) for name in own):
            raise _several_operations(each.path)
        new = set() if each.destination is None else _names_of(each.destination, files)
        if each.destination is not None and not new.isdisjoint(taken):
            raise _several_operations(each.destination)
        taken |= {**dict.fromkeys(own, False), **dict.fromkeys(new, True)}


def _names_of(path: str, files: PatchedFiles) -> set[str]:
    """Return a path as it is written, as it is in the tree, and what it leads to."""
    found = (files.entry(path), files.place(path))
    return {path, *(each.virtual for each in found if each is not None)}


def _apply(each: _Checked, files: PatchedFiles, context: ToolContext) -> str | None:
    """Propose what a hunk changes; return what is at fault, or None (apply_patch.md 7)."""
    if isinstance(each.hunk, DeleteFile):
        return None if files.delete(each.path) else f"Failed to delete file {each.path}"
    content = each.content
    if isinstance(each.hunk, UpdateFile) and files.is_changed(each.path):
        # An earlier hunk has changed the file under another name.
        try:
            content = _updated(each.hunk, each.path, files, context)
        except ChunkNotFound as error:
            return str(error)
        except CannotRead as error:
            return f"Failed to read file to update {each.path}: {error}"
    if each.destination is None or _is_onto_itself(each.path, each.destination, files):
        return _write(each.path, content, files)
    fault = _write(each.destination, content, files, each.path)
    if fault is not None:
        return fault
    return None if files.delete(each.path) else f"Failed to remove original {each.path}"


def _write(
    path: str, content: bytes, files: PatchedFiles, moved_from: str | None = None
) -> str | None:
    """Propose the content of a file; return what is at fault, or None."""
    if files.dead_link(path) not in {None, path}:
        return f"Failed to create parent directories for {path}"
    is_written = files.write(path, content, moved_from)
    return None if is_written else f"Failed to write file {path}"


def _is_onto_itself(path: str, destination: str, files: PatchedFiles) -> bool:
    """Tell whether a move would take away what it has written."""
    entry, place = files.entry(path), files.place(destination)
    return path == destination or (entry is not None and place is not None and entry == place)


def _report(hunks: Iterable[Hunk], context: ToolContext) -> tuple[str, bool]:
    """Return the report, with as many paths as fit, and whether it is whole (apply_patch.md 7)."""
    lines: dict[str, list[str]] = {"A": [], "M": [], "D": []}
    for hunk in hunks:
        if isinstance(hunk, UpdateFile):
            lines["M"].append(hunk.path if hunk.move_to is None else hunk.move_to)
        else:
            lines["A" if isinstance(hunk, AddFile) else "D"].append(hunk.path)
    shown = [f"{letter} {path}\n" for letter, paths in lines.items() for path in paths]
    room = context.budget_bytes - len(_SUCCESS)
    if room < 0:
        raise OutputBudgetTooSmall(context.budget_bytes, len(_SUCCESS))
    for count, line in enumerate(shown):
        room -= byte_length(line)
        if room < 0:
            return _SUCCESS + "".join(shown[:count]), False
    return _SUCCESS + "".join(shown), True
