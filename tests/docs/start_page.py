"""Read a quick start as the steps that its reader does.

What a page may say, one sentence a line:

- "In `FILE`:" before a block: the reader writes that file.
- "Run:" or "..., run:" before a block: the reader runs its lines, in one shell
  for the whole page.
- "It prints:" before a block: all that the block before has just printed.
- "Leave this running:" before a block: a command that goes on and prints an
  address.
- "Open <ADDRESS>": the reader's browser goes there.
- "Under **NAME**, the page shows:" before a block: all the text of what is
  called so.
- "press **NAME**", "go to the tab **NAME**", "type `TEXT` into **NAME**",
  "choose the file `FILE` as **NAME**", "choose the folder `FOLDER` as **NAME**":
  the reader does it on that page.

Bold names a control of a page and nothing else. Whatever is not one of these is
prose; a block without one of these sentences, and bold outside of them, is an
error, so that no step is left out by a slip of the pen.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One thing that the reader does or sees, and the line of the page that says so."""

    line: int


@dataclass(frozen=True, slots=True, kw_only=True)
class WriteFile(Step):
    """A file of the reader's folder, with its whole text."""

    path: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RunCommands(Step):
    """Lines of a shell; each must succeed."""

    script: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SeePrinted(Step):
    """All that the commands just run have printed."""

    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class LeaveRunning(Step):
    """A command that serves until the reader has read the page."""

    script: str


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenAddress(Step):
    """An address of a command that was left running."""

    address: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SeeShown(Step):
    """All the text of the part of the page that has this name."""

    name: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Press(Step):
    """A click on the button of this name."""

    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TypeText(Step):
    """A text for the field of this name; it replaces the present one."""

    name: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class GoToTab(Step):
    """A click on the tab of this name."""

    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ChooseFile(Step):
    """A file or a folder of the reader's, for the file input or the button of this name."""

    name: str
    path: str


class PageUnclear(Exception):
    """A quick start has a sentence that no reader could follow to the letter."""


_FENCE = re.compile(r"^```(?P<tag>\S*)$")
_FILE = re.compile(r"^In `(?P<path>[^`]+)`:$")
_SHOWS = re.compile(r"^Under \*\*(?P<name>[^*]+)\*\*, the page shows:$")
_OPEN = re.compile(r"\bopen <(?P<address>https?://[^>]+)>", re.IGNORECASE)
_ACTIONS: tuple[tuple[re.Pattern[str], Callable[[int, re.Match[str]], Step]], ...] = (
    (_OPEN, lambda line, said: OpenAddress(line=line, address=said["address"])),
    (
        re.compile(r"\bpress \*\*(?P<name>[^*]+)\*\*", re.IGNORECASE),
        lambda line, said: Press(line=line, name=said["name"]),
    ),
    (
        re.compile(r"\btype `(?P<text>[^`]+)` into \*\*(?P<name>[^*]+)\*\*", re.IGNORECASE),
        lambda line, said: TypeText(line=line, name=said["name"], text=said["text"]),
    ),
    (
        re.compile(r"\bgo to the tab \*\*(?P<name>[^*]+)\*\*", re.IGNORECASE),
        lambda line, said: GoToTab(line=line, name=said["name"]),
    ),
    (
        re.compile(
            r"\bchoose the (?:file|folder) `(?P<path>[^`]+)` as \*\*(?P<name>[^*]+)\*\*",
            re.IGNORECASE,
        ),
        lambda line, said: ChooseFile(line=line, name=said["name"], path=said["path"]),
    ),
)


def read_steps(markdown: str) -> list[Step]:
    """Return the steps of a quick start, in their order.

    Raises:
        PageUnclear: A block whose purpose is not said, bold that names no
            control, or a block that does not end.
    """
    steps: list[Step] = []
    lines = enumerate(markdown.splitlines(), start=1)
    leading = ""
    for number, line in lines:
        if fence := _FENCE.match(line):
            steps.append(_block_step(number, fence["tag"], leading, _fenced_text(number, lines)))
            leading = ""
        elif line:
            steps += _actions(number, line)
            leading = line
    return steps


def _fenced_text(opened: int, lines: Iterator[tuple[int, str]]) -> str:
    block: list[str] = []
    for _, line in lines:
        if line == "```":
            return "".join(f"{line}\n" for line in block)
        block.append(line)
    message = f"line {opened}: the block does not end"
    raise PageUnclear(message)


def _block_step(line: int, tag: str, leading: str, text: str) -> Step:
    if file := _FILE.match(leading):
        return WriteFile(line=line, path=file["path"], text=text)
    if shown := _SHOWS.match(leading):
        return SeeShown(line=line, name=shown["name"], text=text)
    match tag:
        case "sh" if re.search(r"\b[Rr]un:$", leading):
            return RunCommands(line=line, script=text)
        case "sh" if leading == "Leave this running:":
            return LeaveRunning(line=line, script=text)
        case "text" | "html" if leading == "It prints:":
            return SeePrinted(line=line, text=text)
    message = f"line {line}: no sentence says what the block is for, but {leading!r}"
    raise PageUnclear(message)


def _actions(number: int, line: str) -> list[Step]:
    found = [
        (said.start(), make(number, said))
        for phrase, make in _ACTIONS
        for said in phrase.finditer(line)
    ]
    named = sum(not isinstance(step, OpenAddress) for _, step in found)
    if not _SHOWS.match(line) and line.count("**") != 2 * named:
        message = f"line {number}: bold names a control that is used, and nothing else: {line!r}"
        raise PageUnclear(message)
    return [step for _, step in sorted(found, key=lambda at: at[0])]
