import pytest

from treeglass.workspace.nodes import File
from treeglass.workspace.overlay.hunks import diff_of


def _flags(before: File | None, after: File | None, path: str = "src/a.txt") -> dict[str, str]:
    diff = diff_of(before, after, path=path, checkpoint=lambda: None)
    return {str(flag): words for flag, words in diff.flags.items()}


@pytest.mark.parametrize(
    ("before", "after", "flags"),
    [
        pytest.param(b"a\nb\n", b"a\nc\n", {}, id="nothing beside the lines"),
        pytest.param(b"a\nb\n", b"a\r\nb\r\n", {"line_ends": "LF to CRLF"}, id="LF to CRLF"),
        pytest.param(b"a\r\nb\n", b"a\nb\n", {"line_ends": "mixed to LF"}, id="mixed to LF"),
        pytest.param(b"a\rb\r", b"a\nb\n", {"line_ends": "CR to LF"}, id="CR to LF"),
        pytest.param(b"a\n", b"a\nb\rc\n", {"line_ends": "LF to mixed"}, id="a lone CR comes in"),
        pytest.param(b"a", b"a\n", {"last_line_end": "added"}, id="a last line end"),
        pytest.param(b"a\nb\n", b"a\nb", {"last_line_end": "removed"}, id="no last line end"),
        pytest.param(b"a\n", b"", {}, id="emptied"),
        pytest.param(
            b"\xef\xbb\xbfa\n", b"a\n", {"byte_order_mark": "removed"}, id="no byte order mark"
        ),
        pytest.param(
            b"a\n", b"\xef\xbb\xbfa\n", {"byte_order_mark": "added"}, id="a byte order mark"
        ),
        pytest.param(
            b"a\n",
            "a\n\N{ZERO WIDTH NO-BREAK SPACE}b\n".encode(),
            {"invisible": "U+FEFF"},
            id="a byte order mark within",
        ),
        pytest.param(
            b"a\n",
            "a\N{RIGHT-TO-LEFT OVERRIDE}b\N{ZERO WIDTH SPACE}\x1b[0m\n".encode(),
            {"invisible": "U+001B, U+200B, U+202E"},
            id="invisible characters",
        ),
        pytest.param(
            "x\N{ZERO WIDTH SPACE}\n".encode(),
            "y\N{ZERO WIDTH SPACE}\n".encode(),
            {},
            id="an invisible character that was there",
        ),
        pytest.param(b"a\0", b"b\0", {"binary": "holds NUL bytes"}, id="NUL"),
        pytest.param(
            b"\xe9\n",
            "é\n".encode(),
            {"binary": "is not UTF-8", "encoding": "other bytes to UTF-8"},
            id="from another encoding",
        ),
        pytest.param(b"\xe9\n", b"\xe8\n", {"binary": "is not UTF-8"}, id="another encoding"),
    ],
)
def test_what_lines_do_not_show_is_said(before: bytes, after: bytes, flags: dict[str, str]) -> None:
    assert _flags(File(before), File(after)) == flags


def test_permissions_are_said_as_octal_numbers_and_so_is_a_program() -> None:
    assert _flags(File(b"a\n", 0o644), File(b"a\n", 0o755)) == {
        "acts": "it may be executed",
        "mode": "644 to 755",
    }


def test_a_file_that_is_created_or_gone_has_nothing_that_turned() -> None:
    assert _flags(None, File(b"\xef\xbb\xbfa\r\nb")) == {"byte_order_mark": "added"}
    assert _flags(File(b"a\r\nb", 0o755), None) == {}


@pytest.mark.parametrize(
    ("path", "reason"),
    [
        ("src/a.py", None),
        ("docs/makefiles.md", None),
        ("a.git/x", None),
        (".git/config", "it is part of Git's own data"),
        ("/repo/sub/.GIT/hooks/pre-commit", "it is part of Git's own data"),
        (".github/workflows/ci.yml", "it runs in continuous integration"),
        (".gitlab-ci.yml", "it runs in continuous integration"),
        (".husky/pre-push", "it runs as a hook of Git"),
        ("web/package.json", "it runs when the project is installed, built or tested"),
        ("Makefile", "it runs when the project is installed, built or tested"),
        ("tests/conftest.py", "it runs when the project is installed, built or tested"),
        ("uv.lock", "it decides which packages are installed"),
        ("web/package-lock.json", "it decides which packages are installed"),
        (".vscode/tasks.json", "it sets up a shell or an editor"),
        ("home/.bashrc", "it sets up a shell or an editor"),
        (".config/x", "it is hidden"),
    ],
)
def test_files_that_act_by_themselves_are_named(path: str, reason: str | None) -> None:
    assert _flags(None, File(b"a\n"), path) == ({} if reason is None else {"acts": reason})


def test_a_program_that_acts_has_both_reasons() -> None:
    assert _flags(None, File(b"a\n", 0o755), ".githooks/x") == {
        "acts": "it runs as a hook of Git; it may be executed"
    }
