"""Read a quick start as the steps that its reader does.

What a page may say, one sentence a line:

- "In `FILE`:" before a block: the reader writes that file.
- "Run:" or "..., run:" before a block: the reader runs its lines, in one shell
  for the whole page.
- "It prints:" before a block: all that the block before has just printed.
- "Make a folder `NAME`.": the reader makes it.
- "Leave this running:" before a block: a command that goes on and prints an
  address.
- "Open <ADDRESS>": the reader's browser goes there.
- "Open the file `FILE` in your browser": the reader's browser shows it from the disk.
- "Under **NAME**, the page shows:" before a block: all the text of what is
  called so. Between the two commas, more words may say where that is on the
  screen, for a name that only a screen reader speaks.
- "press **NAME**", "go to the tab **NAME**", "type `TEXT` into **NAME**",
  "choose the file `FILE` as **NAME**", "choose the folder `FOLDER` as **NAME**":
  the reader does it on that page.

Bold names a control of a page and nothing else. Whatever is not one of these is
prose; a block without one of these sentences, and bold outside of them, is an
error, so that no step is left out by a slip of the pen.
"""

import re
from collections.abc import Callable, Iterator
from typing import NamedTuple

from tests.docs.starts.start_reader import Reader


class Step(NamedTuple):
    """One thing that the reader does or sees."""

    line: int
    """The line of the page that says so."""
    action: Callable[..., None]
    """A method of `Reader`."""
    words: tuple[str, ...]
    """Its arguments."""


class PageUnclear(Exception):
    """A quick start has a sentence that no reader could follow to the letter."""


_FENCE = re.compile(r"```(\S*)")
_NAME = r"\*\*([^*]+)\*\*"
_SHOWS = rf"Under {_NAME},(?: [^,*]+,)? the page shows:"

_BEFORE_A_BLOCK: tuple[tuple[str, str, Callable[..., None]], ...] = (
    (r"In `([^`]+)`:", r"\S*", Reader.write_file),
    (_SHOWS, r"\S*", Reader.see_shown),
    (r".*\b[Rr]un:", "sh", Reader.run_commands),
    ("Leave this running:", "sh", Reader.leave_running),
    ("It prints:", "text|html", Reader.see_printed),
)
"""The sentence, the tags that its block may have, and the step; its last argument is the block."""

_IN_A_SENTENCE: tuple[tuple[str, Callable[..., None]], ...] = (
    (r"\bopen <(https?://[^>]+)>", Reader.open_address),
    (r"\bopen the file `([^`]+)` in your browser", Reader.open_file),
    (r"\bmake a folder `([^`]+)`\.", Reader.make_folder),
    (rf"\bpress {_NAME}", Reader.press),
    (rf"\bgo to the tab {_NAME}", Reader.go_to_tab),
    (rf"\btype `([^`]+)` into {_NAME}", Reader.type_text),
    (rf"\bchoose the (?:file|folder) `([^`]+)` as {_NAME}", Reader.choose_file),
)

_WITHOUT_CONTROL = {Reader.open_address, Reader.open_file, Reader.make_folder}
"""The steps of a sentence that use no control of a page."""


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
        if fence := _FENCE.fullmatch(line):
            steps.append(_step_of_block(number, fence[1], leading, _text_of_block(number, lines)))
            leading = ""
        elif line:
            steps += _steps_of_sentence(number, line)
            leading = line
    return steps


def _text_of_block(opened: int, lines: Iterator[tuple[int, str]]) -> str:
    block: list[str] = []
    for _, line in lines:
        if line == "```":
            return "".join(f"{line}\n" for line in block)
        block.append(line)
    raise PageUnclear(f"line {opened}: the block does not end")


def _step_of_block(line: int, tag: str, leading: str, text: str) -> Step:
    for sentence, tags, action in _BEFORE_A_BLOCK:
        said = re.fullmatch(sentence, leading)
        if said and re.fullmatch(tags, tag):
            return Step(line, action, (*said.groups(), text))
    raise PageUnclear(f"line {line}: no sentence says what the block is for, but {leading!r}")


def _steps_of_sentence(line: int, sentence: str) -> list[Step]:
    found = [
        (said.start(), Step(line, action, said.groups()))
        for phrase, action in _IN_A_SENTENCE
        for said in re.finditer(phrase, sentence, re.IGNORECASE)
    ]
    named = sum(step.action not in _WITHOUT_CONTROL for _, step in found)
    if not re.fullmatch(_SHOWS, sentence) and sentence.count("**") != 2 * named:
        raise PageUnclear(
            f"line {line}: bold names a control that is used, and nothing else: {sentence!r}"
        )
    return [step for _, step in sorted(found, key=lambda at: at[0])]
