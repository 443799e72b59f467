"""LP1 against a plain model: patches are read back, edits do what they say, and diffs are short."""

from collections.abc import Sequence
from contextlib import suppress
from difflib import SequenceMatcher

from hypothesis import example, given
from hypothesis import strategies as st

from treeglass.tools.forge.changes.line_changes import differences
from treeglass.tools.forge.changes.lp1_lines import FileLines, apply_operations, lines_of, place_of
from treeglass.tools.forge.changes.lp1_patch import FileSection, Lp1Invalid, Operation, parse_patch

lines = st.lists(st.sampled_from(["", "a", "b", ".", "..", ".x", "END", "# c", " F"]), max_size=6)
occurrences = st.none() | st.integers(1, 4)
none, no = st.none(), st.just(False)
empty: st.SearchStrategy[list[str]] = st.just([])
# With each field: what is left out would be of any value that its type allows.
operations = st.one_of(
    st.builds(Operation, st.sampled_from("RIP"), lines, occurrences, lines, no),
    st.builds(Operation, st.just("E"), lines, occurrences, empty, no),
    st.builds(Operation, st.sampled_from("TB"), none, none, lines, no),
    st.builds(Operation, st.just("N"), none, none, empty, st.booleans()),
)
sections = st.lists(
    st.builds(FileSection, st.text('a "\\/#\u3000é', max_size=5), st.lists(operations, max_size=4)),
    max_size=3,
)
few = st.text("abc", max_size=9)


def nothing() -> None:
    """Let the call go on."""


def written(patch: Sequence[FileSection]) -> str:
    text = ["LP1"]
    for section in patch:
        quoted = section.path.replace("\\", "\\\\").replace('"', '\\"')
        text.append(f'F "{quoted}"')
        for operation in section.operations:
            flag = ""
            if operation.letter == "N":
                flag = " +" if operation.ends_last_line else " -"
            elif operation.occurrence is not None:
                flag = f" {operation.occurrence}"
            text.append(operation.letter + flag)
            for block in (operation.find, operation.block):
                if block is None or operation.letter == "N":
                    continue
                if block is operation.block and operation.letter == "E":
                    continue
                text += [f".{line}" if line.startswith(".") else line for line in block] + ["."]
    return "\n".join([*text, "END"])


@given(patch=sections)
def test_a_patch_that_is_written_is_read_back(patch: list[FileSection]) -> None:
    found = parse_patch(written(patch), nothing)

    plain = [
        FileSection(path, [each._replace(block=list(each.block)) for each in operations])
        for path, operations in found
    ]
    assert plain == patch


@given(text=st.text('LP1\nF ENDRT.#"\\', max_size=40).map(lambda text: "LP1\n" + text))
def test_any_text_is_a_patch_or_has_a_reason(text: str) -> None:
    with suppress(Lp1Invalid):
        parse_patch(text, nothing)


def plainly(text: list[str], find: list[str], occurrence: int | None) -> int | str:
    if not find:
        if occurrence is None:
            return "Empty match requires occurrence"
        return occurrence - 1 if occurrence <= len(text) + 1 else "Occurrence out of range"
    places = [at for at in range(len(text)) if text[at : at + len(find)] == find]
    if not places:
        return "Match not found"
    if occurrence is None:
        return places[0] if len(places) == 1 else "Match is not unique"
    return places[occurrence - 1] if occurrence <= len(places) else "Occurrence out of range"


@given(
    text=few.map(list) | st.just(["a"] * 9),
    find=st.text("ab", max_size=4).map(list),
    occurrence=st.none() | st.integers(1, 11),
)
def test_a_search_finds_what_looking_at_every_line_finds(
    text: list[str], find: list[str], occurrence: int | None
) -> None:
    try:
        found: int | str = place_of(text, find, occurrence, nothing)
    except Lp1Invalid as fault:
        found = str(fault)

    assert found == plainly(text, find, occurrence)


@given(
    content=st.text("ab\n", max_size=12).map(lambda text: text.replace("\n", "\r\n"))
    | st.text("ab\né", max_size=12)
)
def test_a_file_of_one_kind_of_line_end_comes_back_as_it_was(content: str) -> None:
    file = lines_of(content.encode())

    assert file.content() == content.encode()
    assert file.size_bytes == len(content.encode())


@given(content=st.text("ab\n", max_size=12), steps=st.lists(operations, max_size=5))
def test_operations_leave_what_a_plain_list_of_lines_is_then(
    content: str, steps: list[Operation]
) -> None:
    file, model = lines_of(content.encode()), lines_of(content.encode())
    try:
        apply_operations(file, steps, nothing)
    except Lp1Invalid:
        return
    for step in steps:
        _apply_plainly(model, step)
    ends = model.ends_last and bool(model.lines)

    assert (file.lines, file.ends_last) == (model.lines, ends)
    assert file.size_bytes == len(file.content())
    assert file.content().decode() == "\n".join(model.lines) + ("\n" if ends else "")


def _apply_plainly(model: FileLines, step: Operation) -> None:
    text, block = model.lines, list(step.block)
    if step.find is not None:
        at = plainly(text, step.find, step.occurrence)
        assert isinstance(at, int)
        end = at + len(step.find)
        found = text[at:end]
        middle = {"R": block, "I": found + block, "P": block + found, "E": []}[step.letter]
        model.lines = text[:at] + middle + text[end:]
    elif step.letter == "N":
        if step.ends_last_line and not text:
            model.lines = [""]
        if not step.ends_last_line and text == [""] and model.ends_last:
            model.lines = []
        model.ends_last = step.ends_last_line
    else:
        model.lines = block + text if step.letter == "B" else text + block


def longest_common(old: str, new: str) -> int:
    row = [0] * (len(new) + 1)
    for letter in old:
        above = row
        row = [0]
        for at, other in enumerate(new):
            row.append(above[at] + 1 if letter == other else max(above[at + 1], row[-1]))
    return row[-1]


@given(old=few, new=few)
@example(old="abcabba", new="cbabac")
def test_a_diff_makes_the_new_text_and_keeps_as_much_as_can_be_kept(old: str, new: str) -> None:
    made, at, changed = "", 0, 0
    for old_start, old_end, new_start, new_end in differences(old, new, nothing):
        assert at < old_start or at == old_start == 0
        made += old[at:old_start] + new[new_start:new_end]
        changed += old_end - old_start + new_end - new_start
        at = old_end

    assert made + old[at:] == new
    assert changed == len(old) + len(new) - 2 * longest_common(old, new)


@given(
    common=st.lists(st.integers(0, 5), max_size=40),
    old=st.lists(st.integers(0, 9), max_size=60),
    new=st.lists(st.integers(6, 20), max_size=60),
)
def test_a_long_diff_is_no_longer_than_that_of_python(
    common: list[int], old: list[int], new: list[int]
) -> None:
    before = [str(each) for each in common + old + common]
    after = [str(each) for each in new + common + new]
    shortest = sum(
        each.old_end - each.old_start + each.new_end - each.new_start
        for each in differences(before, after, nothing)
    )
    matcher = SequenceMatcher(None, before, after, autojunk=False)
    kept = sum(block.size for block in matcher.get_matching_blocks())

    assert shortest <= len(before) + len(after) - 2 * kept
