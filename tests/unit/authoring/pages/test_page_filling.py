"""An answer is filled into a page, and nothing else of the page changes."""

from collections.abc import Callable
from pathlib import Path

import pytest

from treeglass import Workspace
from treeglass.authoring.pages.page_filling import record_page
from treeglass.pack import pack_zip

DEMO = '<treeglass-demo src="shop.zip" tool="read_file" arguments=\'{"file_path": "/repo/a.txt"}\'>'
END = "</treeglass-demo>"
QUOTED = "' data-is-error '"
BLANKS = " " * 200_000
SPREAD = DEMO.replace("{", "{ &#10; &#13;&#10; ").replace(': "', f': {BLANKS}"')
ANSWER = "<pre data-recorded>L1: é &lt;b&gt;\nL2: \nL3: end</pre>"
CALL = 'read_file {"file_path": "/repo/a.txt"}'
WRITTEN = f'<code class="call">{CALL}</code>\n{ANSWER}'


@pytest.fixture
def site(make_tree: Callable[..., Path]) -> Path:
    tree = make_tree({"a.txt": "é <b>\n\nend"})
    with (tree.parent / "shop.zip").open("wb") as output:
        pack_zip(Workspace({"/shop": tree}), "/shop", output)
    return tree.parent


@pytest.mark.parametrize(
    ("name", "before", "after"),
    [
        pytest.param(
            "page.html",
            b"\xef\xbb\xbf<p>\r\n</p>\r\n" + f"{DEMO}\r\n{END}\r\n".encode(),
            b"\xef\xbb\xbf<p>\r\n</p>\r\n"
            + f"{DEMO}\n{WRITTEN}\n{END}\n".replace("\n", "\r\n").encode(),
            id="a byte order mark and CRLF",
        ),
        pytest.param(
            "page.html",
            b'<meta charset="iso-8859-2">\xe8' + f"{DEMO}{END}".encode(),
            b'<meta charset="iso-8859-2">\xe8'
            + f"{DEMO}\n{WRITTEN}\n{END}".replace("é", "\udce9").encode("ascii", "surrogateescape"),
            id="another encoding",
        ),
        pytest.param(
            "page.htm",
            b"<meta charset=ascii>" + f"{DEMO}{END}".encode(),
            b"<meta charset=ascii>" + f"{DEMO}\n{WRITTEN}\n{END}".replace("é", "&#233;").encode(),
            id="an encoding without the character",
        ),
        pytest.param(
            "page.html",
            b"\xff\xfe" + f"{DEMO}{END}".encode("utf-16-le"),
            b"\xff\xfe" + f"{DEMO}\n{WRITTEN}\n{END}".encode("utf-16-le"),
            id="UTF-16",
        ),
        pytest.param(
            "page.markdown",
            f"\ufeff1. a\r\n\r\n   {DEMO}\r\n   {END}\r\n2. b".encode(),
            (
                f"\ufeff1. a\r\n\r\n   {DEMO}\r\n   "
                + WRITTEN.replace("\n", "&#10;")
                + f"\r\n   {END}\r\n2. b"
            ).encode(),
            id="a list of Markdown",
        ),
        pytest.param(
            "page.html",
            f"<main>\t{DEMO}<p>Run it</p>\n\t\t{END}</main>\r".encode(),
            f"<main>\t{DEMO}<p>Run it</p>\n{WRITTEN}\n{END}</main>\r".encode(),
            id="fallback that is kept",
        ),
        pytest.param(
            "page.html",
            f"{DEMO}<pre data-recorded data-is-error id=a>x</pre> {END}".encode(),
            f"{DEMO}{ANSWER.replace('recorded', 'recorded id=a')} {END}".encode(),
            id="an answer that was an error",
        ),
        pytest.param(
            "page.html",
            f"{DEMO}<pre data-recorded title={QUOTED} DATA-IS-ERROR=x>x</pre>{END}".encode(),
            f"{DEMO}{ANSWER.replace('recorded', f'recorded title={QUOTED}')}{END}".encode(),
            id="the mark of an error in quotes",
        ),
        pytest.param(
            "page.html",
            f"{DEMO}<pre data-recorded data-is-error{BLANKS}>x</pre>{END}".encode(),
            f"{DEMO}{ANSWER.replace('recorded', f'recorded{BLANKS}')}{END}".encode(),
            id="more blanks than their square could be looked through",
        ),
        pytest.param(
            "page.html",
            f"{DEMO}Run it\u00a0\u2028\n{END}".encode(),
            f"{DEMO}Run it\u00a0\u2028\n{WRITTEN}\n{END}".encode(),
            id="spaces that are text",
        ),
        pytest.param(
            "page.html",
            f"{DEMO}<code class='a call'>old</code>{ANSWER}{END}".encode(),
            f"{DEMO}<code class='a call'>{CALL}</code>{ANSWER}{END}".encode(),
            id="a call that is not that of the attributes",
        ),
        pytest.param(
            "page.html",
            f"{DEMO}{ANSWER.replace('end', 'old')}<code class=call>old</code>{END}".encode(),
            f"{DEMO}{ANSWER}<code class=call>{CALL}</code>{END}".encode(),
            id="a call behind the answer",
        ),
        pytest.param(
            "page.html",
            f"{DEMO}\n<code class=call>old</code>\n{END}".encode(),
            f"{DEMO}\n<code class=call>{CALL}</code>\n{ANSWER}\n{END}".encode(),
            id="a call that has no answer yet",
        ),
        pytest.param(
            "page.html",
            f"{SPREAD}{END}".encode(),
            (
                f"{SPREAD}\n"
                + WRITTEN.replace("{", "{ ").replace(': "', f': {BLANKS}"')
                + f"\n{END}"
            ).encode(),
            id="arguments on several lines",
        ),
        pytest.param(
            "page.html",
            f"<svg><title/><style/></svg>{DEMO}{END}".encode(),
            f"<svg><title/><style/></svg>{DEMO}\n{WRITTEN}\n{END}".encode(),
            id="behind a drawing whose elements close themselves",
        ),
    ],
)
def test_all_else_of_a_page_stays_byte_for_byte(
    site: Path, name: str, before: bytes, after: bytes
) -> None:
    (site / name).write_bytes(before)

    recorded = record_page(site / name, site)

    assert [one.outcome for one in recorded.outcomes] == ["recorded"]
    assert (recorded.before, recorded.after) == (before, after)
