"""The line that a person reads before approving a patch; nothing is looked at but its text."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from treeglass.summary import MAX_SUMMARY_CHARACTERS, cut_middle, shown_path
from treeglass.tools.codex.changes.patch_text import (
    AddFile,
    DeleteFile,
    Hunk,
    PatchInvalid,
    UpdateFile,
    parse_patch,
)

_INVALID: Final = "Apply a patch that cannot be read, which changes nothing"
_MIN_PATH_CHARACTERS: Final = 24


def summarize_patch(text: str, *, is_escaped: bool) -> str:
    """Return a summary of at most 200 characters, with secrets as `[redacted]`; no I/O happens.

    It has the lines that come and go, as the patch counts them, and what happens to which path.
    Deletions and moves come first; what does not fit is counted.
    """
    try:
        hunks = parse_patch(text, lambda: None).hunks
    except PatchInvalid:
        return _INVALID
    before = "Apply a patch, +{}/-{}: ".format(*_counts(hunks))
    told = [_told(hunk, is_escaped=is_escaped) for hunk in sorted(hunks, key=_rank)]
    room = MAX_SUMMARY_CHARACTERS - len(before)
    whole = before + ", ".join(" ".join(words) for words in told)
    if len(whole) <= MAX_SUMMARY_CHARACTERS:
        return whole
    shown: list[str] = []
    for number, words in enumerate(told):
        left = len(told) - number - 1
        behind = f", and {left} more" if left else ""
        most = room - len(", ".join([*shown, ""])) - len(behind)
        item = _cut(words, most)
        if item is None:
            shown.append(f"and {left + 1} more")
            break
        shown.append(item)
    return before + ", ".join(shown)


def _counts(hunks: Sequence[Hunk]) -> tuple[int, int]:
    added = removed = 0
    for hunk in hunks:
        if isinstance(hunk, AddFile):
            added += len(hunk.lines)
        elif isinstance(hunk, UpdateFile):
            signs = [line.sign for chunk in hunk.chunks for line in chunk.lines]
            added += signs.count("+")
            removed += signs.count("-")
    return added, removed


def _rank(hunk: Hunk) -> int:
    if isinstance(hunk, DeleteFile):
        return 0
    return 1 if isinstance(hunk, UpdateFile) and hunk.move_to is not None else 2


def _told(hunk: Hunk, *, is_escaped: bool) -> list[str]:
    """Return what happens to a file in words, each second of which is a path."""
    path = shown_path(hunk.path, is_escaped=is_escaped)
    if isinstance(hunk, AddFile):
        return ["add", path]
    if isinstance(hunk, DeleteFile):
        return ["delete", path]
    if hunk.move_to is None:
        return ["update", path]
    return ["move", path, "to", shown_path(hunk.move_to, is_escaped=is_escaped)]


def _cut(words: list[str], most_characters: int) -> str | None:
    """Return words with shorter paths; None if too little of a path would be left."""
    text = " ".join(words)
    if len(text) <= most_characters:
        return text
    paths = words[1::2]
    room = (most_characters - len(text) + sum(map(len, paths))) // len(paths)
    if room < _MIN_PATH_CHARACTERS:
        return None
    return " ".join(
        cut_middle(word, room) if index % 2 else word for index, word in enumerate(words)
    )
