"""`apply_patch` against plain, slow models of its specification (apply_patch.md 2 to 7a)."""

import re
from typing import Any, NamedTuple

from hypothesis import example, given
from hypothesis import strategies as st

from treeglass.tools.codex.changes.patch_edits import updated
from treeglass.tools.codex.changes.patch_text import (
    AddFile,
    Chunk,
    ChunkLine,
    DeleteFile,
    PatchInvalid,
    UpdateFile,
    parse_patch,
)
from treeglass.tools.codex.errors import RespondToModel
from treeglass.workspace.limits import Limits

BEGIN, END = "*** Begin Patch", "*** End Patch"
ADD, DELETE, UPDATE, MOVE = (
    f"*** {words}: " for words in ("Add File", "Delete File", "Update File", "Move to")
)
HEADERS = f"Valid hunk headers: '{ADD}{{path}}', '{DELETE}{{path}}', '{UPDATE}{{path}}'"
SPACE = re.compile(r"[\t-\r \x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]*")


def strip_end(text: str) -> str:
    while text and SPACE.fullmatch(text[-1]):
        text = text[:-1]
    return text


def strip(text: str) -> str:
    match = SPACE.match(text)
    assert match is not None
    return strip_end(text[match.end() :])


class Refused(Exception):
    """What a model says of a text that is no patch."""


def bad_patch(fault: str) -> Refused:
    return Refused(f"invalid patch: {fault}")


def bad_hunk(number: int, fault: str) -> Refused:
    return Refused(f"invalid hunk at line {number}, {fault}")


BAD_LAST = bad_patch(f"The last line of the patch must be '{END}'")


def modelled_lines(text: str) -> list[str]:
    lines = [re.sub("\r*$", "", line) for line in strip(text).split("\n")] if strip(text) else []

    def check(lines: list[str]) -> None:
        if lines and strip(lines[0]) != BEGIN:
            raise bad_patch(f"The first line of the patch must be '{BEGIN}'")
        if len(lines) < 2 or strip(lines[-1]) != END:
            raise BAD_LAST

    try:
        check(lines)
    except Refused:
        is_heredoc = re.fullmatch("<<(EOF|'EOF'|\"EOF\")", lines[0]) if len(lines) > 3 else None
        if is_heredoc is None or not lines[-1].endswith("EOF"):
            raise
        lines = lines[1:-1]
        check(lines)
    return lines


def is_header(line: str) -> bool:
    return line == END or line.startswith((ADD, DELETE, UPDATE))


def modelled_patch(text: str) -> list[Any]:
    """Return the hunks of a patch, its environment first if it has one."""
    lines = modelled_lines(text)
    # The last line is the end marker however it is indented.
    lines[-1] = END
    found: list[Any] = []
    at = 1
    while strip(lines[at]) != END:
        line, at = strip(lines[at]), at + 1
        if line.startswith("*** Environment ID:") and not any(map(is_hunk, found)):
            if found:
                raise bad_patch("apply_patch environment_id cannot be specified more than once")
            value = strip(line[len("*** Environment ID:") :])
            if not value:
                raise bad_patch("apply_patch environment_id cannot be empty")
            found.append(value)
        elif line.startswith(ADD):
            stop = at
            while lines[stop].startswith("+"):
                stop += 1
            found.append(("add", line[len(ADD) :], [each[1:] for each in lines[at:stop]]))
            at = stop
        elif line.startswith(DELETE):
            found.append(("delete", line[len(DELETE) :]))
        elif line.startswith(UPDATE):
            stop = next(n for n in range(at, len(lines)) if is_header(strip_end(lines[n])))
            found.append(modelled_update(line[len(UPDATE) :], lines, at, stop))
            at = stop
        else:
            raise bad_hunk(at, f"'{line}' is not a valid hunk header. {HEADERS}")
    if any(map(strip, lines[at + 1 : -1])):
        raise BAD_LAST
    return found


def is_hunk(found: Any) -> bool:
    return isinstance(found, tuple)


def modelled_update(  # noqa: C901, PLR0912  # the rules in one piece
    path: str, lines: list[str], begin: int, stop: int
) -> Any:
    def unexpected(line: str) -> str:
        return (
            f"Unexpected line found in update hunk: '{line}'. Every line should start with ' ' "
            "(context line), '+' (added line), or '-' (removed line)"
        )

    chunks: list[tuple[str | None, list[tuple[str, str]], bool]] = []
    at, move = begin, None
    if strip_end(lines[at]).startswith(MOVE):
        move, at = strip_end(lines[at])[len(MOVE) :], at + 1
    for number in range(at, stop + 1):
        line, said = lines[number], strip_end(lines[number])
        context, content, is_closed = chunks[-1] if chunks else (None, [], False)
        is_empty_chunk = bool(chunks) and not content
        if number == stop or (said == "*** End of File" and not is_closed):
            if not chunks:
                raise bad_hunk(begin, f"Update file hunk for path '{path}' is empty")
            if is_empty_chunk:
                is_end = number != stop or said == END
                fault = "Update hunk does not contain any lines" if is_end else unexpected(line)
                raise bad_hunk(number + 1, fault)
            if number != stop:
                chunks[-1] = (context, content, True)
        elif said == "@@" or said.startswith("@@ "):
            if is_empty_chunk:
                raise bad_hunk(number + 1, unexpected(line))
            chunks.append((said[3:] if said != "@@" else None, [], False))
        elif is_closed and not said:
            pass
        elif not is_closed and (not line or line[0] in " +-"):
            if not chunks:
                chunks.append((None, [], False))
            chunks[-1][1].append((line[:1] or " ", line[1:]))
        elif content:
            fault = f"Expected update hunk to start with a @@ context marker, got: '{line}'"
            raise bad_hunk(number + 1, fault)
        else:
            raise bad_hunk(number + 1, unexpected(line))
    return ("update", path, move, chunks)


def parsed(text: str) -> list[Any]:
    """Return what the parser reads, in the form of the model."""
    patch = parse_patch(text, lambda: None)
    found: list[Any] = [] if patch.environment is None else [patch.environment]
    for hunk in patch.hunks:
        if isinstance(hunk, AddFile):
            found.append(("add", hunk.path, hunk.lines))
        elif isinstance(hunk, DeleteFile):
            found.append(("delete", hunk.path))
        else:
            chunks = [
                (chunk.context, [tuple(line) for line in chunk.lines], chunk.is_at_end)
                for chunk in hunk.chunks
            ]
            found.append(("update", hunk.path, hunk.move_to, chunks))
    return found


MARKERS = [
    BEGIN,
    END,
    f"  {END}  ",
    f"{END}\r",
    f"{ADD}a",
    f"{ADD} a b ",
    f"  {ADD}c",
    ADD,
    f"{DELETE}d",
    f"{UPDATE}e",
    f"{UPDATE}f\t",
    f"{UPDATE}g",
    f"{MOVE}h ",
    f" {MOVE}h",
    MOVE,
    "@@",
    "@@ x ",
    "@@  x",
    "@@\t",
    "@@x",
    "*** End of File",
    "*** End of File \u3000",
    " *** End of File",
    "*** Environment ID: e",
    "*** Environment ID:",
    "*** Environment ID:f",
    "***",
]
LINES = [
    "",
    " ",
    "\t",
    "\x1c",
    "\r",
    "+",
    "+a",
    "+a\r\r",
    "-",
    "-a",
    " a",
    "  a",
    "a",
    "\\ No",
    " +",
]
BODIES = st.lists(st.sampled_from([*MARKERS, *LINES, *LINES]), max_size=12)
UPDATES = st.lists(st.sampled_from([*LINES, *MARKERS[9:22]]), max_size=9).map(
    lambda lines: [f"{UPDATE}u", *lines]
)
WRAPPED = st.one_of(BODIES, UPDATES).map(lambda body: [BEGIN, *body, END])
HEREDOCS = st.tuples(
    st.sampled_from(["<<EOF", "<<'EOF'", '<<"EOF"', "<< EOF", "<<'EOF\"", "<<EOF\r"]),
    WRAPPED,
    st.sampled_from(["EOF", "xEOF", "EOF x"]),
).map(lambda parts: [parts[0], *parts[1], parts[2]])
PATCHES = st.tuples(
    st.sampled_from(["", "\n \n", "\ufeff"]),
    st.one_of(WRAPPED, WRAPPED, HEREDOCS, BODIES),
    st.sampled_from(["\n", "\r\n"]),
    st.sampled_from(["", "\n", " \n\n"]),
).map(lambda parts: parts[0] + parts[2].join(parts[1]) + parts[3])


@given(PATCHES)
@example(f"{BEGIN}\n{UPDATE}a\n@@\n-b\n{END}\n\n \n{END}")
@example(f"{BEGIN}\n{UPDATE}a\n@@\n-b\n{END}\n{END}\n{END}")
@example(f"{BEGIN}\n{UPDATE}a\n  {END}")
@example(BEGIN)
def test_a_patch_is_read_or_refused_as_the_model_does(text: str) -> None:
    try:
        expected: Any = modelled_patch(text)
    except Refused as error:
        expected = f"apply_patch verification failed: {error}"

    try:
        found: Any = parsed(text)
    except PatchInvalid as error:
        found = str(error)

    assert found == expected


PLAIN = str.maketrans(
    dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2015\u2212", "-")
    | dict.fromkeys("\u2018\u2019\u201a\u201b", "'")
    | dict.fromkeys("\u201c\u201d\u201e\u201f", '"')
    | dict.fromkeys(
        "\xa0\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000", " "
    )
)


class Line(NamedTuple):
    text: str
    end: str


def modelled_place(
    lines: list[Line], run: list[str], cursor: int, *, is_at_end: bool = False
) -> int | None:
    if not run:
        return cursor
    first = max(cursor, len(lines) - len(run)) if is_at_end else cursor
    for reduce in (str, strip_end, strip, lambda text: strip(text).translate(PLAIN)):
        wanted = [reduce(text) for text in run]
        for place in range(first, len(lines) - len(run) + 1):
            if [reduce(line.text) for line in lines[place : place + len(run)]] == wanted:
                return place
    return None


def modelled_update_of(text: str, chunks: list[Chunk]) -> str:  # noqa: C901  # the rules in one piece
    lines = [
        Line(re.sub("\r\n|\r|\n", "", piece), re.sub("[^\r\n]", "", piece))
        for piece in re.findall("[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+", text)
    ]
    end = (lines[0].end if lines else "") or "\n"
    # By place: the new lines before it.
    before: list[list[str]] = [[] for _ in range(len(lines) + 1)]
    kept = [True] * len(lines)
    cursor = 0
    for chunk in chunks:
        if chunk.context is not None:
            found = modelled_place(lines, [chunk.context], cursor)
            if found is None:
                return f"Failed to find context '{chunk.context}' in /f"
            cursor = found + 1
        old = [each.text for each in chunk.lines if each.sign in " -"]
        signs = [each.sign for each in chunk.lines]
        texts = [each.text for each in chunk.lines]
        if not old:
            before[-1] += texts
            continue
        place = modelled_place(lines, old, cursor, is_at_end=chunk.is_at_end)
        if place is None and old[-1] == "":
            place = modelled_place(lines, old[:-1], cursor, is_at_end=chunk.is_at_end)
            last = max(n for n, sign in enumerate(signs) if sign != "+")
            signs[last] = "+" if signs[last] == " " else "gone"
            new = [n for n, sign in enumerate(signs) if sign in " +"]
            if new and texts[new[-1]] == "":
                signs[new[-1]] = "gone" if signs[new[-1]] == "+" else "-"
        if place is None:
            return "Failed to find expected lines in /f:\n" + "\n".join(old)
        # What comes for lines that go has the place of the first of them.
        edit = place
        for sign, added in zip(signs, texts, strict=True):
            if sign == "+":
                before[edit].append(added)
            elif sign != "gone":
                kept[place] = sign == " "
                place += 1
                edit = place if sign == " " else edit
        cursor = place
    written = ""
    for number, line in enumerate(lines):
        written += "".join(each + end for each in before[number])
        written += line.text + (line.end or end) if kept[number] else ""
    return written + "".join(each + end for each in before[-1])


WORDS = [
    "a",
    "b",
    " a",
    "a ",
    "\ta\u3000",
    "\u2014a",
    "-a",
    "\u2019",
    "'",
    "",
    "",
    " ",
    "a\xa0b",
    "a b",
]
FILES = st.lists(
    st.tuples(st.sampled_from([*WORDS, "\x85", "\ufeffa"]), st.sampled_from(["\n", "\r\n", "\r"])),
    max_size=9,
).map(lambda lines: "".join(text + end for text, end in lines))
CHUNKS = st.builds(
    Chunk,
    context=st.one_of(st.none(), st.none(), st.sampled_from(WORDS)),
    lines=st.lists(
        st.builds(ChunkLine, st.sampled_from("  -+"), st.sampled_from(WORDS)),
        min_size=1,
        max_size=4,
    ),
    is_at_end=st.sampled_from([False, False, True]),
)


@given(FILES, st.sampled_from(["", "", "a", " b"]), st.lists(CHUNKS, min_size=1, max_size=4))
def test_a_file_is_updated_as_the_model_does(
    text: str, last_line: str, chunks: list[Chunk]
) -> None:
    text += last_line
    try:
        found = updated(text, chunks, "/f", Limits(), lambda: None).decode()
    except RespondToModel as error:
        found = str(error)

    assert found == modelled_update_of(text, chunks)


def test_an_update_is_read_back_from_the_text_that_it_is_written_as() -> None:
    text = f"{BEGIN}\n{UPDATE}a\n{MOVE}b\n@@ c\n x\n-y\n+z\n*** End of File\n{END}"
    lines = [ChunkLine(" ", "x"), ChunkLine("-", "y"), ChunkLine("+", "z")]

    (hunk,) = parse_patch(text, lambda: None).hunks

    assert hunk == UpdateFile("a", 2, "b", [Chunk("c", lines, is_at_end=True)])
