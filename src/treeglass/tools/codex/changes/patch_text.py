"""The text of a patch, read into what it asks for: apply_patch.md 2 and 3."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from treeglass.tools.codex.errors import RespondToModel
from treeglass.utf8 import WHITE_SPACE

_BEGIN: Final = "*** Begin Patch"
_END: Final = "*** End Patch"
_ENVIRONMENT: Final = "*** Environment ID:"
_ADD: Final = "*** Add File: "
_DELETE: Final = "*** Delete File: "
_UPDATE: Final = "*** Update File: "
_MOVE: Final = "*** Move to: "
_CHUNK: Final = "@@"
_END_OF_FILE: Final = "*** End of File"

_HEREDOCS: Final = ("<<EOF", "<<'EOF'", '<<"EOF"')
_MIN_HEREDOC_LINES: Final = 4

_BAD_FIRST: Final = f"The first line of the patch must be '{_BEGIN}'"
_BAD_LAST: Final = f"The last line of the patch must be '{_END}'"
_HEADERS: Final = ", ".join(f"'{marker}{{path}}'" for marker in (_ADD, _DELETE, _UPDATE))
_PREFIXES: Final = "' ' (context line), '+' (added line), or '-' (removed line)"


class ChunkLine(NamedTuple):
    """One line of a chunk."""

    sign: str
    """A blank for a line that stays, `-` for one that goes, `+` for one that comes."""
    text: str


@dataclass(slots=True)
class Chunk:
    """Lines next to each other in a file, and what is to become of them."""

    context: str | None = None
    """A line somewhere before them."""
    lines: list[ChunkLine] = field(default_factory=list)
    is_at_end: bool = False
    """True if the lines that are there now are the last ones of the file."""

    @property
    def old(self) -> list[str]:
        """The lines that are there now."""
        return [line.text for line in self.lines if line.sign != "+"]


@dataclass(slots=True)
class AddFile:
    """Make a file, or replace the whole of one."""

    path: str
    lines: list[str] = field(default_factory=list)


@dataclass(slots=True)
class DeleteFile:
    """Take a file away."""

    path: str


@dataclass(slots=True)
class UpdateFile:
    """Change places of a file, and perhaps its name."""

    path: str
    line_number: int
    """Of the header in the patch."""
    move_to: str | None = None
    chunks: list[Chunk] = field(default_factory=list)


Hunk = AddFile | DeleteFile | UpdateFile


class Patch(NamedTuple):
    """The operations of a patch."""

    hunks: list[Hunk]
    environment: str | None
    """The value of its environment line, which is never empty."""


class PatchInvalid(RespondToModel):
    """A text is no patch; its own text is the agent's answer (apply_patch.md 7a, 1).

    The line counts from 1 at the begin marker; None if the whole is wrong.
    """

    def __init__(self, fault: str, line_number: int | None = None) -> None:
        where = "patch: " if line_number is None else f"hunk at line {line_number}, "
        super().__init__(f"apply_patch verification failed: invalid {where}{fault}")
        self.fault = fault
        self.line_number = line_number


def parse_patch(text: str, checkpoint: Callable[[], None]) -> Patch:
    """Return what a patch asks for, or raise `PatchInvalid`; it may have no hunk."""
    lines = _envelope(text)
    body = _Body()
    for number, line in enumerate(lines[1:-1], 2):
        checkpoint()
        body.take(number, line)
    if not body.is_ended:
        body.end(len(lines))
    return Patch(body.hunks, body.environment)


def _envelope(text: str) -> list[str]:
    """Return the lines from the begin marker to the end marker, without their ends."""
    stripped = text.strip(WHITE_SPACE)
    lines = [line.rstrip("\r") for line in stripped.split("\n")] if stripped else []
    fault = _fault_around(lines)
    if (
        fault is not None
        and len(lines) >= _MIN_HEREDOC_LINES
        and lines[0] in _HEREDOCS
        and lines[-1].endswith("EOF")
    ):
        lines = lines[1:-1]
        fault = _fault_around(lines)
    if fault is not None:
        raise PatchInvalid(fault)
    return lines


def _fault_around(lines: list[str]) -> str | None:
    if lines and lines[0].strip(WHITE_SPACE) != _BEGIN:
        return _BAD_FIRST
    if not lines or lines[-1].strip(WHITE_SPACE) != _END:
        return _BAD_LAST
    return None


class _Body:
    """The lines between the markers, read one after the other."""

    def __init__(self) -> None:
        self.hunks: list[Hunk] = []
        self.environment: str | None = None
        self.is_ended = False

    def take(self, number: int, line: str) -> None:
        """Read the next line, which has to be allowed there."""
        hunk = self.hunks[-1] if self.hunks else None
        if self.is_ended:
            if line.strip(WHITE_SPACE):
                raise PatchInvalid(_BAD_LAST)
        elif isinstance(hunk, UpdateFile):
            self._take_in_update(hunk, number, line)
        elif isinstance(hunk, AddFile) and line.startswith("+"):
            hunk.lines.append(line[1:])
        else:
            self._take_header(number, line.strip(WHITE_SPACE))

    def end(self, number: int) -> None:
        """Read an end marker."""
        if self.hunks and isinstance(self.hunks[-1], UpdateFile):
            _require_lines(self.hunks[-1], "Update hunk does not contain any lines", number)
        self.is_ended = True

    def _take_header(self, number: int, trimmed: str) -> None:
        if trimmed == _END:
            self.end(number)
        elif not self.hunks and trimmed.startswith(_ENVIRONMENT):
            self._take_environment(trimmed.removeprefix(_ENVIRONMENT).strip(WHITE_SPACE))
        elif trimmed.startswith(_ADD):
            self.hunks.append(AddFile(trimmed.removeprefix(_ADD)))
        elif trimmed.startswith(_DELETE):
            self.hunks.append(DeleteFile(trimmed.removeprefix(_DELETE)))
        elif trimmed.startswith(_UPDATE):
            self.hunks.append(UpdateFile(trimmed.removeprefix(_UPDATE), number))
        else:
            fault = f"'{trimmed}' is not a valid hunk header. Valid hunk headers: {_HEADERS}"
            raise PatchInvalid(fault, number)

    def _take_environment(self, value: str) -> None:
        if self.environment is not None:
            raise PatchInvalid("apply_patch environment_id cannot be specified more than once")
        if not value:
            raise PatchInvalid("apply_patch environment_id cannot be empty")
        self.environment = value

    def _take_in_update(self, update: UpdateFile, number: int, line: str) -> None:
        said = line.rstrip(WHITE_SPACE)
        if said == _END:
            self.end(number)
        elif said.startswith((_ADD, _DELETE, _UPDATE)):
            _require_lines(update, _unexpected(line), number)
            self._take_header(number, said)
        elif said.startswith(_MOVE) and update.move_to is None and not update.chunks:
            update.move_to = said.removeprefix(_MOVE)
        else:
            _take_in_chunk(update, number, line, said)


def _take_in_chunk(update: UpdateFile, number: int, line: str, said: str) -> None:
    """Read a line of an update that is no header and no move line."""
    last = update.chunks[-1] if update.chunks else None
    is_marker = said == _CHUNK or said.startswith(f"{_CHUNK} ")
    if last is not None and last.is_at_end and not said:
        return
    if is_marker:
        if last is not None and not last.lines:
            raise PatchInvalid(_unexpected(line), number)
        update.chunks.append(Chunk(said.removeprefix(f"{_CHUNK} ") if said != _CHUNK else None))
    elif last is not None and last.is_at_end:
        raise PatchInvalid(_not_a_chunk(line), number)
    elif said == _END_OF_FILE:
        _require_lines(update, "Update hunk does not contain any lines", number)
        update.chunks[-1].is_at_end = True
    elif not line or line[0] in " +-":
        if last is None:
            last = Chunk()
            update.chunks.append(last)
        last.lines.append(ChunkLine(line[:1] or " ", line[1:]))
    else:
        has_lines = last is not None and last.lines
        raise PatchInvalid(_not_a_chunk(line) if has_lines else _unexpected(line), number)


def _require_lines(update: UpdateFile, fault: str, number: int) -> None:
    """Refuse an update without a chunk, or whose last chunk has no lines: then by the fault."""
    if not update.chunks:
        message = f"Update file hunk for path '{update.path}' is empty"
        raise PatchInvalid(message, update.line_number)
    if not update.chunks[-1].lines:
        raise PatchInvalid(fault, number)


def _unexpected(line: str) -> str:
    return (
        f"Unexpected line found in update hunk: '{line}'. Every line should start with {_PREFIXES}"
    )


def _not_a_chunk(line: str) -> str:
    return f"Expected update hunk to start with a @@ context marker, got: '{line}'"
