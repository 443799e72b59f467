"""`treeglass record` writes answers into pages, and says what became of each demo."""

import os
import stat
import subprocess
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.support.offered_tools import CHOICE_OF_TOOLS
from treeglass import Workspace
from treeglass.__main__ import main
from treeglass.pack import pack_zip

Run = Callable[..., tuple[int, str, str]]
DEMO = '<treeglass-demo src="shop.zip" tool="read_file" arguments=\'{"file_path": "/repo/a.txt"}\'>'
END = "</treeglass-demo>"
CALL = '<code class="call">read_file {"file_path": "/repo/a.txt"}</code>'
ANSWER = f"{CALL}\n<pre data-recorded>L1: é &lt;b&gt;\nL2: \nL3: end</pre>"


@pytest.fixture
def site(make_tree: Callable[..., Path]) -> Path:
    tree = make_tree({"a.txt": "é <b>\n\nend"})
    with (tree.parent / "shop.zip").open("wb") as output:
        pack_zip(Workspace({"/shop": tree}), "/shop", output)
    return tree.parent


@pytest.fixture
def record(site: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """Run the command in the site, and return its exit code and what it printed."""
    monkeypatch.chdir(site)

    def run(*arguments: str) -> tuple[int, str, str]:
        try:
            code = main(["record", *arguments])
        except SystemExit as wrong_usage:
            code = int(str(wrong_usage.code))
        return (code, *capsys.readouterr())

    return run


def test_answers_are_written_between_the_tags_and_said_in_one_line_a_page(
    site: Path, record: Run
) -> None:
    page, guide = site / "page.html", site / "guide.md"
    page.write_text(f"<!doctype html>\n  {DEMO}{END}\n<p>Bye", "utf-8")
    guide.write_text(f"# Guide\n\n{DEMO}\n{END}\n\nBye\n", "utf-8")

    done = record("page.html", "guide.md")

    assert done == (0, "page.html: 1 recorded\nguide.md: 1 recorded\n", "")
    assert page.read_text("utf-8") == (f"<!doctype html>\n  {DEMO}\n{ANSWER}\n  {END}\n<p>Bye")
    assert guide.read_text("utf-8") == f"# Guide\n\n{DEMO}\n{ANSWER}\n{END}\n\nBye\n"


def test_a_second_time_changes_nothing(site: Path, record: Run) -> None:
    page = site / "page.html"
    page.write_text(f"{DEMO}{END}", "utf-8")
    record("page.html")
    once, written = page.read_bytes(), page.stat()

    again = record("page.html")
    checked = record("--check", "page.html")

    assert again == checked == (0, "page.html: 1 unchanged\n", "")
    assert (page.read_bytes(), page.stat().st_ino) == (once, written.st_ino)


def test_an_answer_that_is_spelled_otherwise_stays_as_it_is(site: Path, record: Run) -> None:
    page = site / "page.html"
    spelled = '<pre class="wide" data-recorded>\r\nL1: &eacute; &#60;b>\rL2: &#10;L3: end</pre>'
    content = f"{DEMO}{spelled}{END}".encode()
    page.write_bytes(content)

    assert record("page.html") == (0, "page.html: 1 unchanged\n", "")
    assert page.read_bytes() == content


def test_a_check_writes_nothing_and_shows_what_is_stale(site: Path, record: Run) -> None:
    page = site / "page.html"
    content = f"{DEMO}\n<pre data-recorded data-is-error>old</pre>\n{END}\n"
    page.write_text(content, "utf-8")

    done = record("--check", "page.html")

    assert done == (
        1,
        (
            "--- page.html\n"
            "+++ page.html (recorded)\n"
            "@@ -1,3 +1,5 @@\n"
            f" {DEMO}\n"
            "-<pre data-recorded data-is-error>old</pre>\n"
            "+<pre data-recorded>L1: é &lt;b&gt;\n"
            "+L2: \n"
            "+L3: end</pre>\n"
            f" {END}\n"
            "page.html: 1 stale\n"
        ),
        "",
    )
    assert page.read_text("utf-8") == content


@pytest.mark.skipif(
    not sys.prefix.isascii(), reason="pydantic_core loads from no path that the locale lacks"
)
def test_a_process_exits_with_the_code_and_prints_utf_8_in_every_locale(site: Path) -> None:
    (site / "page.html").write_text(f"{DEMO}<pre data-recorded>ü</pre>{END}\n", "utf-8")
    (site / "open.html").write_text(DEMO)

    done = subprocess.run(
        [sys.executable, "-m", "treeglass", "record", "--check", "page.html", "open.html"],
        cwd=site,
        env={**os.environ, "LC_ALL": "C", "PYTHONUTF8": "0"},
        capture_output=True,
        check=False,
        timeout=60,
    )

    assert (done.returncode, done.stdout.decode(), done.stderr.decode()) == (
        1,
        (
            "--- page.html\n"
            "+++ page.html (recorded)\n"
            "@@ -1 +1,3 @@\n"
            f"-{DEMO}<pre data-recorded>ü</pre>{END}\n"
            f"+{DEMO}<pre data-recorded>L1: é &lt;b&gt;\n"
            "+L2: \n"
            f"+L3: end</pre>{END}\n"
            "page.html: 1 stale\n"
        ),
        (
            "treeglass: open.html: line 1: this <treeglass-demo> is never closed; write "
            "</treeglass-demo> behind it\n"
        ),
    )


def test_what_cannot_be_recorded_is_said_and_stays(site: Path, record: Run) -> None:
    page = site / "page.html"
    demos = [
        f"<treeglass-demo npm=a@1 tool=LS><pre data-recorded>by hand</pre>{END}",
        f"<treeglass-demo src=gone.zip tool=LS>{END}",
        f"<treeglass-demo src=tree tool=LS>{END}",
        f"<treeglass-demo src=shop.zip tool=LS arguments='['>{END}",
        f"<treeglass-demo src=../shop.zip tool=LS>{END}",
        f"<treeglass-demo src=shop.zip tool=LSS>{END}",
        f"<treeglass-demo src=shop.zip tool=LS max-output-bytes={'9' * 5000}>{END}",
        f"<treeglass-demo src={'n' * 300} tool=LS>{END}",
    ]
    content = "\n".join(demos)
    page.write_text(content)

    done = record("page.html")

    assert done == (
        1,
        (
            "page.html: 1 not recordable, 7 invalid\n"
            "page.html:1: LS: not recordable: npm packages are not fetched to record an "
            "answer\n"
            "page.html:2: LS: invalid: the tree 'gone.zip' does not exist; check the path\n"
            "page.html:3: LS: invalid: 'tree' is a directory, and a page mounts files; make an "
            "archive of it with treeglass pack\n"
            "page.html:4: LS: invalid: arguments must be one JSON object, and are not: Expecting "
            "value: line 1 column 2 (char 1)\n"
            "page.html:5: LS: invalid: '../shop.zip' leads out of the site's root; move the tree "
            "into it, or name a folder above both\n"
            f"page.html:6: LSS: invalid: unknown tool 'LSS'; choose {CHOICE_OF_TOOLS}\n"
            "page.html:7: LS: invalid: max-output-bytes has 5000 digits; give 15 at most\n"
            f"page.html:8: LS: invalid: the tree '{'n' * 300}' cannot be read: File name too long\n"
        ),
        "",
    )
    assert page.read_text() == content


@pytest.fixture
def hostile_zip(site: Path) -> Path:
    """An archive whose names and content are lines that a terminal or a build obeys."""
    path = site / "hostile.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("a\n::error::name\r\x1b[31m.txt", "a damaged file")
        archive.writestr("::error::listed", "")
        archive.writestr("b.txt", "one\r::error::two\x1b[31m\u2028::error::three")
    path.write_bytes(path.read_bytes().replace(b"a damaged file", b"a changed file"))
    return path


@pytest.mark.usefixtures("hostile_zip")
def test_a_name_in_a_tree_writes_no_line_of_its_own_into_the_log(site: Path, record: Run) -> None:
    arguments = '{"file_path": "/repo/a\\n::error::name\\r\\u001b[31m.txt"}'
    demo = f"<treeglass-demo src=hostile.zip tool=read_file arguments='{arguments}'>{END}"
    (site / "page.html").write_text(demo)

    assert record("page.html") == (
        1,
        (
            "page.html: 1 invalid\n"
            "page.html:1: read_file: invalid: a\\u{A}::error::name\\u{D}\\u{1B}[31m.txt cannot be "
            "read: the archive is broken there; pack it again\n"
        ),
        "",
    )


@pytest.mark.usefixtures("hostile_zip")
def test_an_answer_in_a_diff_writes_no_line_of_its_own_into_the_log(
    site: Path, record: Run
) -> None:
    read = 'tool=read_file arguments=\'{"file_path": "/repo/b.txt"}\'>'
    (site / "page.html").write_text(
        f"<treeglass-demo src=hostile.zip {read}{END}\n::error::context\n", newline=""
    )

    assert record("--check", "page.html") == (
        1,
        (
            "--- page.html\n"
            "+++ page.html (recorded)\n"
            "@@ -1,2 +1,5 @@\n"
            f"-<treeglass-demo src=hostile.zip {read}{END}\n"
            f"+<treeglass-demo src=hostile.zip {read}\n"
            f"+{CALL.replace('a.txt', 'b.txt')}\n"
            "+<pre data-recorded>L1: one&#13;::error::two\\u{1B}[31m\\u{2028}::error::three</pre>\n"
            f"+{END}\n"
            " \\u{3A}:error::context\n"
            "page.html: 1 stale\n"
        ),
        "",
    )


def test_what_lies_elsewhere_fails_no_check(site: Path, record: Run) -> None:
    (site / "page.html").write_text(f"<treeglass-demo github=o/r@1 tool=LS>{END}")

    done = record("--check", "page.html")

    assert done == (
        0,
        (
            "page.html: 1 not recordable\n"
            "page.html:1: LS: not recordable: github packages are not fetched to record an "
            "answer\n"
        ),
        "",
    )


def test_an_answer_that_is_an_error_is_marked_and_said(site: Path, record: Run) -> None:
    page = site / "page.html"
    demo = DEMO.replace("a.txt", "no.txt")
    page.write_text(f"{demo}{END}")

    done = record("page.html")

    assert done == (
        0,
        "page.html: 1 recorded\npage.html:1: read_file: the tool answers with an error\n",
        "",
    )
    assert page.read_text() == (
        f"{demo}\n{CALL.replace('a.txt', 'no.txt')}\n"
        "<pre data-recorded data-is-error>failed to read file: No such file or directory "
        f"(os error 2)</pre>\n{END}"
    )


def test_the_root_is_what_a_leading_slash_means(site: Path, record: Run) -> None:
    (site / "docs").mkdir()
    for name, src in (("a.html", "/shop.zip"), ("b.html", "../shop.zip")):
        (site / "docs" / name).write_text(f"<treeglass-demo src={src} tool=list_directory>{END}")

    done = record("docs/a.html", "docs/b.html", "--root", ".")

    error = "list_directory: the tool answers with an error"
    assert done == (
        0,
        (
            f"docs/a.html: 1 recorded\ndocs/a.html:1: {error}\n"
            f"docs/b.html: 1 recorded\ndocs/b.html:1: {error}\n"
        ),
        "",
    )


def test_a_page_that_cannot_be_filled_in_is_left_and_the_others_are_done(
    site: Path, record: Run
) -> None:
    (site / "open.html").write_text(DEMO)
    (site / "binary.html").write_bytes(b"\xff\xfe\xfd")
    (site / "odd.html").write_text("<meta charset=klingon>")
    (site / "page.html").write_text(f"{DEMO}{END}")

    done = record("open.html", "binary.html", "odd.html", "page.html")

    assert done == (
        1,
        "page.html: 1 recorded\n",
        (
            "treeglass: open.html: line 1: this <treeglass-demo> is never closed; write "
            "</treeglass-demo> behind it\n"
            "treeglass: binary.html: it is not text in utf-16-le; save it as UTF-8\n"
            "treeglass: odd.html: its encoding 'klingon' is unknown; save it as UTF-8\n"
        ),
    )


def test_a_page_keeps_its_mode_and_a_link_to_it_stays_one(site: Path, record: Run) -> None:
    page = site / "page.html"
    page.write_text(f"{DEMO}{END}")
    page.chmod(0o640)
    (site / "link.html").symlink_to("page.html")

    done = record("link.html")

    assert done == (0, "link.html: 1 recorded\n", "")
    assert (site / "link.html").is_symlink()
    assert stat.S_IMODE(page.stat().st_mode) == 0o640
    assert sorted(os.listdir(site)) == ["link.html", "page.html", "shop.zip", "tree"]  # noqa: PTH208  # names alone


def test_without_markdown_it_a_markdown_page_says_what_to_install(
    site: Path, record: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delitem(sys.modules, "treeglass.authoring.pages.markdown_finder", raising=False)
    monkeypatch.setitem(sys.modules, "markdown_it", None)
    (site / "page.md").write_text(f"{DEMO}\n{END}\n")
    (site / "page.html").write_text(f"{DEMO}{END}")

    done = record("page.html", "page.md")

    assert done == (
        2,
        "",
        (
            "treeglass: demos in Markdown are found with the package markdown-it-py: install "
            "treeglass[markdown]\n"
        ),
    )
    assert (site / "page.html").read_text() == f"{DEMO}{END}"


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        pytest.param([], "the following arguments are required: PAGE", id="no page"),
        pytest.param(
            ["shop.zip"],
            "treeglass: 'shop.zip' is not a page: name files in .html or .md",
            id="a file that is not a page",
        ),
        pytest.param(
            ["page.html", "no.html"],
            "treeglass: 'no.html' does not exist: name the page to record",
            id="a page that is missing",
        ),
        pytest.param(
            ["page.html", "--root", "tree"],
            "treeglass: 'page.html' is outside of --root 'tree': name one above it",
            id="a root beside the page",
        ),
        pytest.param(
            ["link.html", "--root", "tree"],
            "treeglass: 'link.html' is outside of --root 'tree': name one above it",
            id="a page behind a link that lies beside the root",
        ),
        pytest.param(
            ["page.html", "--root", "none"],
            "treeglass: --root 'none' is not a directory: name the site's folder",
            id="a root that is missing",
        ),
    ],
)
def test_wrong_usage_exits_with_two_and_writes_nothing(
    site: Path, record: Run, arguments: list[str], sentence: str
) -> None:
    (site / "page.html").write_text(f"{DEMO}{END}")
    (site / "tree" / "behind.html").write_text(f"{DEMO}{END}")
    (site / "link.html").symlink_to("tree/behind.html")

    done = record(*arguments)

    assert done[:2] == (2, "")
    last = done[2].splitlines()[-1]
    assert last.removeprefix("treeglass record: error: ") == sentence
    assert (site / "page.html").read_text() == f"{DEMO}{END}"
