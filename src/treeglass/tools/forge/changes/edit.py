"""`Edit`: change files by a patch in LP1, all at once, as docs/tools/forge_edit.md says."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from treeglass.errors import (
    ChangeRefused,
    InvalidArguments,
    LimitExceeded,
    WorkspaceError,
    from_os_error,
)
from treeglass.tool import ToolContext, ToolResult
from treeglass.tools.forge.changes.errors import PatchFailed, StaleFile
from treeglass.tools.forge.changes.line_changes import line_count, shown_changes
from treeglass.tools.forge.changes.lp1_lines import (
    FileLines,
    apply_operations,
    first_touched_line,
    lines_of,
)
from treeglass.tools.forge.changes.lp1_patch import FileSection, Lp1Invalid, parse_patch
from treeglass.tools.forge.paths.path_sandbox import PathSandbox
from treeglass.tools.forge.seen_lines import NOT_SEEN, fault_of, kept_as, lines_in, seen_of
from treeglass.tools.forge.text import cut_to_lines, sanitized
from treeglass.utf8 import byte_length, lossy_text

if TYPE_CHECKING:
    from treeglass.tools.forge.changes.arguments import EditArgs
    from treeglass.workspace import ResolvedPath
    from treeglass.workspace.plan import Plan

MAX_PATCH_BYTES = 512 * 1024
"""The longest patch, unless the limits of the workspace are lower."""

_FILE_EXISTS = "File exists (os error 17)"
_TWICE = "{path} has more than one section in the patch; only the last one is applied."
_CLEANED = (
    "Characters or keys are taken out or masked in what the answer shows; the files have them."
)


class _WorkedOut(NamedTuple):
    """The file after one section."""

    path: ResolvedPath
    old: bytes | None
    """None if the file is new."""
    new: bytes


def run(args: EditArgs, context: ToolContext) -> ToolResult:
    """Answer a call."""
    changed = _work_out(_sections(args, context), context)
    plan, warnings = _planned(changed, context)
    text = _answer(changed, context)
    clean = sanitized(text) if context.config.tools.forge_read.sanitize else text
    cut = cut_to_lines(clean, context.budget_bytes)
    return ToolResult(
        content=cut.text,
        truncated=cut.kept_lines is not None,
        warnings=(*warnings, *([_CLEANED] if clean != text else [])),
        changes=plan.changes,
        seen=_seen(changed, context),
    )


def _planned(changed: list[_WorkedOut], context: ToolContext) -> tuple[Plan, list[str]]:
    """Return the plan, and sentences about sections that are lost."""
    plan = context.plan()
    times: dict[str, int] = {}
    for path, old, new in changed:
        shown = lossy_text(path.virtual)
        times[path.virtual] = times.get(path.virtual, 0) + 1
        if times[path.virtual] > 1 and old is None:
            raise PatchFailed(shown, _FILE_EXISTS)
        try:
            plan.write(path, new)
        except (ChangeRefused, LimitExceeded):
            raise
        except WorkspaceError as error:
            raise PatchFailed(shown, error.linux_text) from None
    twice = [path for path, count in times.items() if count > 1]
    return plan, [_TWICE.format(path=context.shown_path(path)) for path in twice]


def _sections(args: EditArgs, context: ToolContext) -> list[FileSection]:
    limits = context.workspace.limits
    if byte_length(args.patch) > min(MAX_PATCH_BYTES, limits.max_patch_bytes):
        raise InvalidArguments("Patch exceeds max_patch_bytes")
    try:
        sections = parse_patch(args.patch, context.checkpoint)
    except Lp1Invalid as fault:
        raise PatchFailed("<patch>", str(fault)) from None
    # A section costs as much as an operation, whether it has any or not.
    limits.require("max_edits", sum(max(1, len(each.operations)) for each in sections))
    return sections


def _work_out(sections: list[FileSection], context: ToolContext) -> list[_WorkedOut]:
    """Return what the sections change, in their order."""
    sandbox = PathSandbox(context)
    limits = context.workspace.limits
    held_bytes = 0
    changed: list[_WorkedOut] = []
    for section in sections:
        context.checkpoint()
        path = _resolve(sandbox, section.path)
        old = _content(path, context)
        file = _edited(path, old, section, context)
        # Before the new content is made.
        size_bytes = file.size_bytes
        limits.require("max_changed_file_bytes", size_bytes)
        limits.require("max_proposal_bytes", held_bytes + size_bytes + len(old or b""))
        new = file.content()
        if new != (old or b""):
            link = sandbox.link_to_nothing(section.path) if old is None else None
            if link is not None:
                raise PatchFailed(lossy_text(link), _FILE_EXISTS)
            held_bytes += size_bytes + len(old or b"")
            changed.append(_WorkedOut(path, old, new))
    return changed


def _edited(
    path: ResolvedPath, old: bytes | None, section: FileSection, context: ToolContext
) -> FileLines:
    """Return what a section makes of a file, which it has to fit, and which has to be seen."""
    if old is None and any(each.find is not None for each in section.operations):
        reason = "File does not exist for match-based operation"
        raise PatchFailed(lossy_text(path.virtual), reason)
    try:
        file = FileLines([]) if old is None else _file_seen(path, old, section, context)
        apply_operations(file, section.operations, context.checkpoint)
    except Lp1Invalid as fault:
        raise PatchFailed(lossy_text(path.virtual), str(fault)) from None
    return file


def _resolve(sandbox: PathSandbox, path: str) -> ResolvedPath:
    try:
        return sandbox.resolve(path)
    except WorkspaceError as error:
        raise PatchFailed(lossy_text(sandbox.missing_path(path)), error.linux_text) from None


def _content(path: ResolvedPath, context: ToolContext) -> bytes | None:
    """Return what a file holds; None if no file is there."""
    workspace = context.workspace
    shown = lossy_text(path.virtual)
    try:
        status = workspace.arrived(path)
        if status.kind == "directory":
            raise PatchFailed(shown, "Path is a directory")
        limit = context.config.tools.forge_read.max_file_read_bytes
        if status.size_bytes > limit:
            size = f"{status.size_bytes} bytes > {limit} max_file_read_bytes"
            raise PatchFailed(shown, f"File too large for Edit tool ({size})")
        with workspace.open(path) as file:
            return file.read(limit)
    except OSError as error:
        raise PatchFailed(shown, from_os_error(error).linux_text) from None
    except WorkspaceError as error:
        if error.errno_name == "ENOENT":
            return None
        raise PatchFailed(shown, error.linux_text) from None


def _file_seen(
    path: ResolvedPath, content: bytes, section: FileSection, context: ToolContext
) -> FileLines:
    """Return the lines of a file, which has to be text that was seen and may be edited."""
    shown = lossy_text(path.virtual)
    seen = seen_of(context.seen or {}, path)
    if seen is None:
        raise StaleFile(shown, NOT_SEEN)
    file = lines_of(content)
    touched = first_touched_line(file, section.operations, context.checkpoint)
    fault = fault_of(seen, content, touched, context.checkpoint)
    if fault is not None:
        raise StaleFile(shown, fault)
    return file


def _answer(changed: list[_WorkedOut], context: ToolContext) -> str:
    if not changed:
        return "No changes applied."
    texts = [((each.old or b"").decode(), each.new.decode()) for each in changed]
    width = len(str(max(line_count(text) for pair in texts for text in pair)))
    diffs = [shown_changes(old, new, width, context.checkpoint) for old, new in texts]
    if len(changed) == 1:
        return diffs[0]
    names = [
        f"{'created' if each.old is None else 'modified'}: {_relative(each.path, context)}"
        for each in changed
    ]
    return "\n".join(names) + "\n\n" + "\n\n".join(diffs)


def _relative(path: ResolvedPath, context: ToolContext) -> str:
    base = context.working_dir.rstrip("/") + "/"
    return context.shown_path(path.virtual.removeprefix(base))


def _seen(changed: list[_WorkedOut], context: ToolContext) -> dict[str, Any]:
    """Return what later calls have to know: the same range as before, of a new file all lines."""
    kept: dict[str, Any] = {}
    for each in changed:
        before = None if each.old is None else seen_of(context.seen or {}, each.path)
        first, last = (1, line_count(each.new.decode())) if before is None else before[:2]
        lines = lines_in(each.new, first, max(last, 1), context.checkpoint)
        kept |= kept_as(each.path, lines)
    return kept
