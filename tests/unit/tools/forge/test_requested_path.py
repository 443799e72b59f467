import pytest

from treeglass.errors import InvalidArguments
from treeglass.tools.forge.requested_path import normalize_path, shown


@pytest.mark.parametrize(
    ("text", "path"),
    [
        pytest.param(".", ".", id="dot"),
        pytest.param("./", ".", id="dot and slash"),
        pytest.param("././/.", ".", id="nothing but dots"),
        pytest.param("/", "/", id="top"),
        pytest.param("///./", "/", id="top with ornaments"),
        pytest.param("docs/", "docs", id="slash at the end"),
        pytest.param("docs/.", "docs", id="dot at the end"),
        pytest.param(" \t\u3000docs\x85\n", "docs", id="Unicode white space around"),
        pytest.param("my docs", "my docs", id="a space inside stays"),
        pytest.param("src//a/./b", "src/a/b", id="repeated slashes and dots inside"),
        pytest.param("/project//src/", "/project/src", id="absolute"),
        pytest.param(r".\src\utils" + "\\", "src/utils", id="backslashes"),
        pytest.param(r"\\server\share", "/server/share", id="UNC"),
        pytest.param("C:\\", "C:/", id="drive root"),
        pytest.param("c:/", "c:/", id="drive root keeps its case"),
        pytest.param("C:", "C:", id="drive without a slash"),
        pytest.param("C:/Users/", "C:/Users", id="below a drive"),
        pytest.param("src/../docs", "src/../docs", id="two dots stay for the sandbox"),
        pytest.param("..twodots/...", "..twodots/...", id="names of dots"),
        pytest.param("Docs", "Docs", id="case is kept"),
    ],
)
def test_path_has_one_normal_form(text: str, path: str) -> None:
    assert normalize_path(text, is_escaped=False) == path
    assert normalize_path(text, is_escaped=True) == path


@pytest.mark.parametrize(
    ("text", "escaped", "plain"),
    [
        pytest.param(r"a\u{A}b", r"a\u{A}b", "a/u{A}b", id="code point"),
        pytest.param(r"a\x{FF}\b", r"a\x{FF}/b", "a/x{FF}/b", id="byte, then a separator"),
        pytest.param(r"a\u{5C}u{A}", r"a\u{5C}u{A}", "a/u{5C}u{A}", id="spelled backslash"),
        pytest.param(r"a\u{110000}", "a/u{110000}", "a/u{110000}", id="no code point"),
        pytest.param(r"a\x{41}", "a/x{41}", "a/x{41}", id="no raw byte"),
        pytest.param(r"a\u{a}", "a/u{a}", "a/u{a}", id="lower case is not a spelling"),
        pytest.param(r"a\users", "a/users", "a/users", id="a name that begins with u"),
    ],
)
def test_backslash_of_a_spelling_is_not_a_separator_while_names_are_escaped(
    text: str, escaped: str, plain: str
) -> None:
    assert normalize_path(text, is_escaped=True) == escaped
    assert normalize_path(text, is_escaped=False) == plain


@pytest.mark.parametrize("text", ["", " ", "\t\n\v\f\r \x85\xa0\u1680\u2000\u2028\u202f\u3000"])
def test_path_of_white_space_is_refused(text: str) -> None:
    with pytest.raises(InvalidArguments) as caught:
        normalize_path(text, is_escaped=True)

    assert str(caught.value) == "path must not be empty; give '.' for the working directory"


@pytest.mark.parametrize(
    "character",
    [*"\0\x01\x1c\x1f\x7f\x80\x9f\u061c\u200e\u200f\u202a\u202e\u2066\u2069", "\n", "\x85"],
    ids=ascii,
)
def test_control_character_inside_a_path_is_refused(character: str) -> None:
    with pytest.raises(InvalidArguments) as caught:
        normalize_path(f"a{character}b", is_escaped=True)

    assert str(caught.value) == "path contains invalid control characters"


def test_unit_separator_around_a_path_is_a_control_and_no_white_space() -> None:
    with pytest.raises(InvalidArguments) as caught:
        normalize_path("\x1fdocs", is_escaped=False)

    assert str(caught.value) == "path contains invalid control characters"


def test_argument_is_shown_spelled_out_and_shortened() -> None:
    assert shown("a\nb\u200b") == r"a\u{A}b\u{200B}"
    assert shown("x" * 200) == "x" * 200
    assert shown("x" * 201) == "x" * 199 + "…"
