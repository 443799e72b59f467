import pytest

from treeglass.tools.forge.changes.lp1_patch import FileSection, Lp1Invalid, Operation, parse_patch


def nothing() -> None:
    """Let the parser go on."""


def parsed(text: str) -> list[FileSection]:
    return parse_patch(text, nothing)


def operations_of(*lines: str) -> list[Operation]:
    [section] = parsed("\n".join(["LP1", "F a", *lines, "END"]))
    return section.operations


def fault_of(text: str) -> str:
    with pytest.raises(Lp1Invalid) as caught:
        parsed(text)
    return str(caught.value)


def test_a_patch_has_its_sections_and_their_operations_in_order() -> None:
    text = (
        "# first\r\n\r\n LP1 \r\nF a.txt and more\r\nR 2\r\none\r\ntwo\r\n.\r\n..x\r\n.\r\n"
        '  # between\r\nE\r\none\r\n. \t\r\nF\t"b c" tail\r\nT anything\r\nEND\r\n.\r\nN -\r\n'
        "FEND\r\nB\r\n# kept\r\n.\r\n END \r\nrest"
    )

    assert parsed(text) == [
        FileSection(
            "a.txt",
            [Operation("R", ["one", "two"], 2, [".x"]), Operation("E", ["one"])],
        ),
        FileSection("b c", [Operation("T", block=["END"]), Operation("N")]),
        FileSection("END", [Operation("B", block=["# kept"])]),
    ]


def test_the_blank_behind_a_letter_may_be_missing() -> None:
    assert operations_of("R2", "x", ".", ".", "N+", "N \t-") == [
        Operation("R", ["x"], 2, []),
        Operation("N", ends_last_line=True),
        Operation("N"),
    ]


@pytest.mark.parametrize(
    ("written", "occurrence"),
    [("1", 1), ("+3", 3), ("007", 7), ("18446744073709551615", 2**64 - 1), ("0" * 99 + "1", 1)],
)
def test_an_occurrence_is_a_decimal_number(written: str, occurrence: int) -> None:
    assert operations_of(f"E {written}", "x", ".") == [Operation("E", ["x"], occurrence)]


@pytest.mark.parametrize(
    "written", ["x", "-1", "1 2", "+", "++1", "1.0", "1_0", "٣", "18446744073709551616", "9" * 99]
)
def test_what_is_no_number_is_no_occurrence(written: str) -> None:
    assert fault_of(f"LP1\nF a\nE {written}\nx\n.\nEND") == "Invalid occurrence"


@pytest.mark.parametrize(
    ("line", "path"),
    [
        ("F a", "a"),
        ("Fa", "a"),
        (" F\u3000a\u3000b", "a"),
        ('F ""', ""),
        ('F "a\\"b\\\\c d"', 'a"b\\c d'),
        ('F "a\tb" c', "a\tb"),
        ('F a"b', 'a"b'),
    ],
)
def test_a_path_is_bare_or_in_quotes(line: str, path: str) -> None:
    assert parsed(f"LP1\n{line}\nEND") == [FileSection(path, [])]


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("", "Missing LP1 header"),
        ("\n# only\n", "Missing LP1 header"),
        ("lp1\nEND", "Invalid LP1 header"),
        ("LP1", "Missing END footer"),
        ("LP1\nF a\nEND.", "Invalid occurrence"),
        ("LP1\nx\nEND", "Expected file section (F <path>)"),
        ("LP1\nF\nEND", "Missing file path"),
        ('LP1\nF "a\nEND', "Unterminated quoted path"),
        ('LP1\nF "a\\\nEND', "Unterminated quoted path"),
        ('LP1\nF "a\\n"\nEND', "Invalid escape in quoted path"),
        ("LP1\nF a\nR 0\nx\n.\n.\nEND", "Occurrence must be >= 1"),
        ("LP1\nF a\nR +0\nx\n.\n.\nEND", "Occurrence must be >= 1"),
        ("LP1\nF a\nX\nEND", "Unknown LP1 operation"),
        ("LP1\nF a\nN\nEND", "Invalid N flag; expected + or -"),
        ("LP1\nF a\nN + -\nEND", "Invalid N flag; expected + or -"),
        ("LP1\nF a\nT\nx\nEND", "Unterminated LP1 block"),
        ("LP1\nF a\nI\nx\n.\nEND", "Unterminated LP1 block"),
        ("LP1\nF a\nT\n.x\n.\nEND", "Dot-stuffed line must start with '..'"),
        ("LP1\nF a\nT\n. .\n.\nEND", "Dot-stuffed line must start with '..'"),
        ("LP1\nF a\nT\n.\u3000\n.\nEND", "Dot-stuffed line must start with '..'"),
    ],
)
def test_what_is_no_lp1_has_one_sentence(text: str, fault: str) -> None:
    assert fault_of(text) == fault


def test_a_blank_before_the_dot_makes_it_content() -> None:
    assert operations_of("T", " .", "...", ".") == [Operation("T", block=[" .", ".."])]


def test_a_cr_inside_of_a_line_is_content() -> None:
    assert operations_of("T", "a\rb", ".") == [Operation("T", block=["a\rb"])]
