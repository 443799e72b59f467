import pytest

from treeglass.workspace.overlay.export import is_of_git, unsafe_names


@pytest.mark.parametrize(
    ("path", "reason"),
    [
        ("/etc/passwd", "it is absolute"),
        ("a/../b", "a name in it is empty, `.` or `..`"),
        ("a//b", "a name in it is empty, `.` or `..`"),
        ("a/./b", "a name in it is empty, `.` or `..`"),
        ("a\\b", "it holds a backslash, which Windows takes for a slash"),
        ("C:/a", "it begins like a drive of Windows"),
        ("a\0b", "it holds NUL"),
        ("a/\udcff", "it is not UTF-8"),
        ("nul", "Windows reserves a name in it"),
        ("src/COM1.txt", "Windows reserves a name in it"),
        ("aux /x", "Windows reserves a name in it"),
        ("a./b", "a name in it ends in a dot or a blank, which Windows drops"),
        ("a/b ", "a name in it ends in a dot or a blank, which Windows drops"),
        ("ab:c", "it holds a character that Windows does not allow"),
        ("a\nb", "it holds a character that Windows does not allow"),
    ],
)
def test_a_name_that_is_not_safe_everywhere_is_said(path: str, reason: str) -> None:
    assert unsafe_names(["fine.txt", path]) == {path: reason}


def test_usual_names_are_safe() -> None:
    paths = ["a/b.c", ".github/x", "console.py", "com10", "é", "a b", "-x", "a..b", "auxiliary/x"]

    assert unsafe_names(paths) == {}


def test_names_that_only_case_or_a_normal_form_tells_apart_are_both_unsafe() -> None:
    paths = ["Src/a", "src/b", "e\u0301", "\u00e9", "x", "X/y", "straße", "STRASSE"]

    assert unsafe_names(paths) == {
        "Src/a": "only case or Unicode's normal form tells it from 'src'",
        "src/b": "only case or Unicode's normal form tells it from 'Src'",
        "e\u0301": "only case or Unicode's normal form tells it from '\u00e9'",
        "\u00e9": "only case or Unicode's normal form tells it from 'e\u0301'",
        "x": "only case or Unicode's normal form tells it from 'X'",
        "X/y": "only case or Unicode's normal form tells it from 'x'",
        "straße": "only case or Unicode's normal form tells it from 'STRASSE'",
        "STRASSE": "only case or Unicode's normal form tells it from 'straße'",
    }


@pytest.mark.parametrize("path", [".git", ".git/config", "a/.GIT/x", ".git. /x", "GIT~1/x"])
def test_what_git_takes_for_its_own_folder_is_recognised(path: str) -> None:
    assert is_of_git(path)


def test_other_hidden_folders_are_not_gits_own() -> None:
    assert not any(map(is_of_git, [".github/x", "a.git/x", ".gitignore", "git/x"]))
