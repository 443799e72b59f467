import pytest

from treeglass.command.terminal import log_line, sanitize_for_terminal


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        pytest.param("a\tb\r\nc", "a\tb\r\nc", id="ordinary white space stays"),
        pytest.param("\x1b[1;31mred\x1b[0m", "red", id="colours"),
        pytest.param("\x1b]0;title\x07x", "x", id="a title, to BEL"),
        pytest.param("\x1b]8;;http://x\x1b\\x", "x", id="a link, to ST"),
        pytest.param("\x9b2Jx", "x", id="the C1 form"),
        pytest.param("\x1bPq\x1b\\x", "x", id="a device control string"),
        pytest.param("\x1b(0x\x1bcy", "xy", id="character set and reset"),
        pytest.param("\x1b]never ends", "never ends", id="a sequence that never ends"),
        pytest.param("\x9done\x9dtwo\x07x", "onex", id="a title that starts twice"),
        pytest.param("\x9dnever" * 100_000, "never" * 100_000, id="titles that never end"),
        pytest.param("a\x00\x07\x7f\x85b", "ab", id="controls"),
        pytest.param("txt.\u202eexe", r"txt.\u{202E}exe", id="bidirectional marks are spelled"),
    ],
)
def test_a_terminal_gets_nothing_that_it_would_obey(text: str, shown: str) -> None:
    assert sanitize_for_terminal(text) == shown


@pytest.mark.parametrize(
    ("text", "line"),
    [
        pytest.param("\ta :: b", "\ta :: b", id="ordinary text stays"),
        pytest.param("a\r\n::error::b", r"a\u{D}\u{A}::error::b", id="line ends are spelled"),
        pytest.param("a\x1b[31m\u2028", r"a\u{1B}[31m\u{2028}", id="escapes are spelled"),
        pytest.param("::error::a", r"\u{3A}:error::a", id="a command"),
        pytest.param("\t ::error::a", "\t \\u{3A}:error::a", id="a command after blanks"),
    ],
)
def test_a_line_of_a_log_holds_no_command(text: str, line: str) -> None:
    assert log_line(text) == line
