"""Demos of Markdown are its blocks of HTML; a renderer may take none of them apart."""

import pytest

from treeglass.authoring.pages.found_demo import PageInvalid
from treeglass.authoring.pages.markdown_finder import find_in_markdown

TAG = '<treeglass-demo src="a.zip" tool="LS">'
END = "</treeglass-demo>"


@pytest.mark.parametrize(
    ("page", "lines"),
    [
        pytest.param(f"# T\n\n{TAG}\n{END}\n", [3], id="a block"),
        pytest.param(f"# T\r\n\r\n   {TAG}\r\n{END}\r\n", [3], id="indented, with CRLF"),
        pytest.param(f"<div>\n{TAG}\n{END}\n</div>\n\n{TAG}\n{END}", [2, 6], id="in a div"),
        pytest.param(f"1. a\n\n   {TAG}\n   {END}\n\n- {TAG}\n  {END}\n", [3, 6], id="in lists"),
        pytest.param(f"```\n{TAG}\n{END}\n```\n", [], id="a fence"),
        pytest.param(f"~~~ html\n{TAG}\n\n{END}\n~~~\n", [], id="a fence of tildes"),
        pytest.param(f"    {TAG}\n    {END}\n", [], id="indented code"),
        pytest.param(f"See `{TAG}{END}` there\n", [], id="a code span"),
        pytest.param(f"<!--\n{TAG}\n\n{END}\n-->\n", [], id="a comment"),
        pytest.param(f"\\{TAG}\n", [], id="escaped"),
        pytest.param(f"<script>\n'{TAG}'\n</script>\n", [], id="a script"),
    ],
)
def test_demos_of_markdown_are_its_blocks_of_html(page: str, lines: list[int]) -> None:
    assert [found.line for found in find_in_markdown(page)] == lines


@pytest.mark.parametrize(
    ("page", "sentence"),
    [
        pytest.param(
            f"# T\n\nText\n{TAG}{END}\n",
            "line 3: this <treeglass-demo> is in the text of the paragraph that begins here; "
            "write its opening tag alone on one line, with a blank line above",
            id="in a paragraph",
        ),
        pytest.param(
            "<treeglass-demo\n  src='a.zip'>\n</treeglass-demo>\n",
            "line 1: this <treeglass-demo> is in the text of the paragraph that begins here; "
            "write its opening tag alone on one line, with a blank line above",
            id="a tag on two lines",
        ),
        pytest.param(
            f"a\n\n{TAG}\nx\n\n{END}\n",
            "line 3: this <treeglass-demo> is never closed; write </treeglass-demo> behind it, and "
            "no blank line between them",
            id="a blank line inside",
        ),
        pytest.param(
            f"<div>{TAG}\n{END}</div>\n",
            "line 1: this <treeglass-demo> shares its line; write its opening tag alone on one "
            "line, at the start of it and out of quotes",
            id="behind another tag",
        ),
        pytest.param(
            f"> {TAG}\n> {END}\n",
            "line 1: this <treeglass-demo> shares its line; write its opening tag alone on one "
            "line, at the start of it and out of quotes",
            id="in a quote",
        ),
    ],
)
def test_markdown_that_would_be_taken_apart_is_refused(page: str, sentence: str) -> None:
    with pytest.raises(PageInvalid) as refused:
        find_in_markdown(page)

    assert str(refused.value) == sentence
