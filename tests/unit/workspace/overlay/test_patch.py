import zlib

import pytest

from treeglass.workspace.nodes import Directory, File, Link
from treeglass.workspace.overlay.changed_path import ChangedPath
from treeglass.workspace.overlay.patch import binary_patch, patch, zlib_stream

NOTHING = "0" * 40
A = "78981922613b2afb6025042ff6bd878ac1994e85"
"""Git's name of `a` and a line feed."""
B = "61780798228d17af2d34fce4cfbdf35556832472"
"""Git's name of `b` and a line feed."""
EMPTY = "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391"


def _patch(*changed: ChangedPath, strip: str = "/") -> str:
    return patch(changed, lambda: None, strip=strip).decode()


def test_a_changed_file_has_gits_head_and_a_hunk() -> None:
    assert _patch(ChangedPath("/repo/d/f", File(b"a\n"), File(b"b\n")), strip="/repo") == (
        "diff --git a/d/f b/d/f\n"
        f"index {A}..{B} 100644\n"
        "--- a/d/f\n"
        "+++ b/d/f\n"
        "@@ -1 +1 @@\n"
        "-a\n"
        "+b\n"
    )


def test_several_mounts_keep_their_names() -> None:
    written = _patch(
        ChangedPath("/repo/f", None, File(b"")), ChangedPath("/docs/f", File(b""), None)
    )

    assert written == (
        "diff --git a/docs/f b/docs/f\n"
        "deleted file mode 100644\n"
        f"index {EMPTY}..{NOTHING}\n"
        "diff --git a/repo/f b/repo/f\n"
        "new file mode 100644\n"
        f"index {NOTHING}..{EMPTY}\n"
    )


def test_a_new_program_and_a_file_that_is_gone_have_no_other_side() -> None:
    written = _patch(
        ChangedPath("/new", None, File(b"a\n", 0o755)), ChangedPath("/old", File(b"b\n"), None)
    )

    assert written == (
        "diff --git a/new b/new\n"
        "new file mode 100755\n"
        f"index {NOTHING}..{A}\n"
        "--- /dev/null\n"
        "+++ b/new\n"
        "@@ -0,0 +1 @@\n"
        "+a\n"
        "diff --git a/old b/old\n"
        "deleted file mode 100644\n"
        f"index {B}..{NOTHING}\n"
        "--- a/old\n"
        "+++ /dev/null\n"
        "@@ -1 +0,0 @@\n"
        "-b\n"
    )


def test_a_line_without_a_line_feed_is_marked_and_a_cr_is_kept() -> None:
    written = _patch(ChangedPath("/f", File(b"a\r\nb"), File(b"a\nb\n")))

    assert written.partition("@@\n")[2] == ("-a\r\n-b\n\\ No newline at end of file\n+a\n+b\n")


@pytest.mark.parametrize(
    ("after", "lines"),
    [
        pytest.param(
            File(b"a\nb\nc\nd\n", 0o644),
            ["similarity index 100%", "rename from x", "rename to y"],
            id="as it was",
        ),
        pytest.param(
            File(b"a\nb\nc\nd\n", 0o755),
            [
                *("old mode 100644", "new mode 100755"),
                *("similarity index 100%", "rename from x", "rename to y"),
            ],
            id="with another mode",
        ),
        pytest.param(
            File(b"a\nb\nX\nd\n"),
            [
                *("similarity index 75%", "rename from x", "rename to y"),
                (
                    "index d68dd4031d2ad5b7a3829ad7df6635e27a7daa22.."
                    "b19c404997feb4da7242aace23b3f406fdd665e7 100644"
                ),
                *("--- a/x", "+++ b/y", "@@ -1,4 +1,4 @@", " a", " b", "-c", "+X", " d"),
            ],
            id="with a line changed",
        ),
    ],
)
def test_a_rename_names_both_paths(after: File, lines: list[str]) -> None:
    written = _patch(
        ChangedPath("/x", File(b"a\nb\nc\nd\n"), None), ChangedPath("/y", None, after, "/x")
    )

    assert written.splitlines() == ["diff --git a/x b/y", *lines]


def test_only_whether_a_file_may_be_executed_is_a_change_of_mode() -> None:
    executable = ChangedPath("/f", File(b"a\n", 0o600), File(b"a\n", 0o744))
    private = ChangedPath("/f", File(b"a\n", 0o644), File(b"a\n", 0o600))

    assert _patch(executable) == "diff --git a/f b/f\nold mode 100644\nnew mode 100755\n"
    assert _patch(private) == ""


def test_a_link_that_becomes_a_file_is_gone_first() -> None:
    assert _patch(ChangedPath("/f", Link("to"), File(b"a\n"))) == (
        "diff --git a/f b/f\n"
        "deleted file mode 120000\n"
        f"index 788636ffba34694361f7d7ee1970d96fb92c3168..{NOTHING}\n"
        "--- a/f\n"
        "+++ /dev/null\n"
        "@@ -1 +0,0 @@\n"
        "-to\n"
        "\\ No newline at end of file\n"
        "diff --git a/f b/f\n"
        "new file mode 100644\n"
        f"index {NOTHING}..{A}\n"
        "--- /dev/null\n"
        "+++ b/f\n"
        "@@ -0,0 +1 @@\n"
        "+a\n"
    )


@pytest.mark.parametrize(
    ("name", "written"),
    [
        ("a b", "--- a/a b\t"),
        ("é", '--- "a/\\303\\251"'),
        ('"', '--- "a/\\""'),
        ("\\", '--- "a/\\\\"'),
        ("\x01\t\n\r\x7f", '--- "a/\\001\\t\\n\\r\\177"'),
        ("\udcff", '--- "a/\\377"'),
        ("é b", '--- "a/\\303\\251 b"\t'),
        ("d /f", '--- "a/d /f"\t'),
    ],
)
def test_names_are_quoted_as_git_quotes_them(name: str, written: str) -> None:
    lines = _patch(ChangedPath(f"/{name}", File(b"a\n"), File(b"b\n"))).split("\n")

    assert lines[2] == written


def test_a_file_that_is_no_text_is_carried_in_letters() -> None:
    assert _patch(ChangedPath("/f", File(b"\0"), File(b"\xff"))) == (
        "diff --git a/f b/f\n"
        "index f76dd238ade08917e6712764a16a22005a50573d.."
        "ce542efaa5124a0437f0c4db329d7ec4b7ba70a7 100644\n"
        "GIT binary patch\n"
        "literal 1\n"
        "LcmV+c0RI2~0RRC2\n\n"
        "literal 1\n"
        "LcmV+c0RH~~00962\n\n"
    )


def test_gits_own_folder_is_left_out() -> None:
    changed = [
        ChangedPath("/.git/hooks/x", None, File(b"")),
        ChangedPath("/a/.GIT /config", None, File(b"")),
        ChangedPath("/.github/x", None, File(b"")),
    ]

    assert _patch(*changed).count("diff --git") == 1


def test_what_leaves_gits_own_folder_is_a_new_file() -> None:
    gone = ChangedPath("/.git/x", File(b"a\n"), None)
    moved = ChangedPath("/y", None, File(b"a\n"), "/.git/x")

    assert _patch(gone, moved) == _patch(ChangedPath("/y", None, File(b"a\n")))


def test_directories_are_not_in_a_patch() -> None:
    assert _patch(ChangedPath("/d", None, Directory())) == ""


@pytest.mark.parametrize("size", [0, 1, 65_535, 65_536, 200_000])
def test_zlib_reads_a_stream(size: int) -> None:
    content = bytes(number * 7 % 251 for number in range(size))

    reader = zlib.decompressobj()

    assert reader.decompress(zlib_stream(content)) == content
    assert (reader.eof, reader.unused_data) == (True, b"")


def test_the_largest_bytes_do_not_overflow_the_check() -> None:
    content = b"\xff" * 300_000

    assert zlib.decompress(zlib_stream(content)) == content


def test_lines_hold_52_bytes_and_begin_with_their_length() -> None:
    lines = binary_patch(b"", bytes(100)).split(b"\n")

    assert lines[:2] == [b"GIT binary patch", b"literal 100"]
    assert [(line[:1], len(line)) for line in lines[2:5]] == [(b"z", 66), (b"z", 66), (b"G", 11)]
    assert lines[5:] == [b"", b"literal 0", b"KcmV+b0RR6000031", b"", b""]
