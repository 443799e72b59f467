"""The demos of an HTML page are found where a browser finds them, and read as it reads them."""

import pytest

from treeglass.authoring import Demo, DemoInvalid, TreeAt, TreeOfPackage
from treeglass.authoring.pages.found_demo import PageInvalid
from treeglass.authoring.pages.html_finder import find_in_html

SCRIPT = '<script type="application/json">%d</script>'
TAG = '<treeglass-demo src="a.zip" tool="LS">'
END = "</treeglass-demo>"


@pytest.mark.parametrize(
    ("page", "lines"),
    [
        pytest.param(f"<p>\n</p>{TAG}{END}\n\n{TAG}{END}", [2, 4], id="two"),
        pytest.param(f"<!-- {TAG}{END} -->", [], id="in a comment"),
        pytest.param(f"<script>'{TAG}{END}'</script>", [], id="in a script"),
        pytest.param(f"<style>{TAG}{END}</style>", [], id="in a style"),
        pytest.param(
            f"<template><template></template>{TAG}{END}</template>", [], id="in templates"
        ),
        pytest.param(f"<textarea><p>{TAG}</textarea>{TAG}{END}", [1], id="in a text area"),
        pytest.param(f"<svg><g><svg></svg>{TAG}{END}</g></svg>{TAG}{END}", [1], id="in a drawing"),
        pytest.param(
            f"<!--><p><!---></p>{TAG}{END}<!--!>{TAG}--!>", [1], id="behind empty comments"
        ),
        pytest.param(f"{TAG}{END}<!-- > {TAG}{END}", [1], id="in a comment left open"),
        pytest.param(f"<![x[ ><!x><?x>{TAG}{END}<![CDATA[>", [1], id="behind declarations"),
        pytest.param(f"&#;&#;&x{TAG}{END}&#", [1], id="behind broken references"),
        pytest.param(f'<p title="{TAG.replace(chr(34), chr(39))}"></p>', [], id="in an attribute"),
        pytest.param("<TREEGLASS-DEMO SRC=a.zip Tool=LS></TreeGlass-Demo>", [1], id="upper case"),
        pytest.param(
            "<treeglass-demo\n src='a.zip'\n tool = LS\n></treeglass-demo >", [1], id="wide"
        ),
        pytest.param("<treeglass-demos></treeglass-demos>", [], id="another element"),
        pytest.param(f"&lt;treeglass-demo>{END}", [], id="escaped"),
        pytest.param(f"<ul><li><p>a<li>{TAG}{END}</ul>", [1], id="behind a paragraph left open"),
        pytest.param(f"{TAG}<p>fallback{END}{TAG}{END}", [1, 1], id="a paragraph inside"),
    ],
)
def test_demos_of_html_are_found_where_a_browser_finds_them(page: str, lines: list[int]) -> None:
    found = find_in_html(page)

    assert [one.line for one in found] == lines
    assert [one.demo() for one in found] == [Demo(tool="LS", tree=TreeAt("a.zip"))] * len(lines)


@pytest.mark.parametrize(
    ("page", "sentence"),
    [
        pytest.param(
            f"\n{TAG}",
            "line 2: this <treeglass-demo> is never closed; write </treeglass-demo> behind it",
            id="unclosed",
        ),
        pytest.param(
            '<treeglass-demo src="a.zip"/>',
            "line 1: this <treeglass-demo> is never closed; write </treeglass-demo> behind it",
            id="closed as in XML",
        ),
        pytest.param(
            f"{TAG}\n\n{TAG}{END}{END}",
            "line 3: this <treeglass-demo> is inside the one of line 1; close that with "
            "</treeglass-demo> before it",
            id="nested",
        ),
        pytest.param(
            f"<p>a\n{TAG}{END}</p>",
            "line 2: this <treeglass-demo> is in a paragraph, which cannot hold an answer; write "
            "</p> before it",
            id="in a paragraph",
        ),
        pytest.param(
            f"{TAG}\n<pre data-recorded>{END}",
            "line 2: this <pre> is never closed; write </pre> before </treeglass-demo>",
            id="an answer left open",
        ),
    ],
)
def test_html_that_cannot_be_filled_in_is_refused_by_the_line(page: str, sentence: str) -> None:
    with pytest.raises(PageInvalid) as refused:
        find_in_html(page)

    assert str(refused.value) == sentence


@pytest.mark.parametrize(
    ("attributes", "demo"),
    [
        pytest.param(
            'src=" a.zip " npm=x tool=" LS " integrity=" " class=wide data-x',
            Demo(tool="LS", tree=TreeAt("a.zip")),
            id="src wins",
        ),
        pytest.param(
            'src=" " npm="x@1" github=y tool=LS config="" mount-path="" max-output-bytes=" "',
            Demo(tool="LS", tree=TreeOfPackage("npm", "x@1")),
            id="npm wins over github, and an empty attribute says nothing",
        ),
        pytest.param(
            "github=o/r@1 tool=LS loading=' EAGER ' readonly=readonly",
            Demo(
                tool="LS",
                tree=TreeOfPackage("github", "o/r@1"),
                presentation={"loading": "eager", "readonly": "readonly"},
            ),
            id="choices are read as HTML does",
        ),
        pytest.param(
            "src=a.zip tool=LS tool=list_dir", Demo(tool="LS", tree=TreeAt("a.zip")), id="twice"
        ),
    ],
)
def test_attributes_are_read_as_the_element_reads_them(attributes: str, demo: Demo) -> None:
    (found,) = find_in_html(f"<treeglass-demo {attributes}></treeglass-demo>")

    assert found.demo() == demo


def test_an_element_without_a_tree_says_how_to_name_one() -> None:
    (found,) = find_in_html(f"<treeglass-demo tool=LS><script>var a = 1</script>{END}")
    with pytest.raises(DemoInvalid) as refused:
        found.demo()

    assert str(refused.value) == (
        "src is missing, and so are npm, github and entries in a "
        '<script type="application/json">; name a tree in one of these ways'
    )


@pytest.mark.parametrize(
    ("inside", "entries_json"),
    [
        pytest.param("", None, id="none"),
        pytest.param("<p>Run<br>it<div></div>", None, id="none behind a paragraph"),
        pytest.param(f"<div>{SCRIPT % 1}</div>", None, id="one that is no child"),
        pytest.param(f"<div>{SCRIPT % 1}</div>{SCRIPT % 2}", "2", id="a child behind another one"),
        pytest.param(f"<img src=a><input/>{SCRIPT % 1}", "1", id="behind what has no content"),
        pytest.param(f"<svg><path/></svg>{SCRIPT % 1}", "1", id="behind a drawing"),
        pytest.param(f"<pre data-recorded>x</pre>{SCRIPT % 1}", "1", id="behind the answer"),
    ],
)
def test_only_a_child_of_the_element_holds_its_entries(
    inside: str, entries_json: str | None
) -> None:
    (found,) = find_in_html(f"<treeglass-demo tool=LS>{inside}{END}")

    assert found.entries_json == entries_json


@pytest.mark.parametrize(
    ("inside", "content"),
    [
        pytest.param("<div><pre data-recorded>x</pre></div>", None, id="a grandchild"),
        pytest.param("<pre>y</pre><pre data-recorded>x</pre>", "x", id="behind another pre"),
        pytest.param(
            "<template></template><pre data-recorded>x</pre>", "x", id="a template before"
        ),
        pytest.param(
            "<textarea></div></textarea><pre data-recorded>x</pre>", "x", id="text before"
        ),
        pytest.param("<pre data-recorded>x</pre><pre data-recorded>y</pre>", "x", id="the first"),
    ],
)
def test_only_a_child_of_the_element_is_its_answer(inside: str, content: str | None) -> None:
    (found,) = find_in_html(f"<treeglass-demo tool=LS>{inside}{END}")

    assert (found.recorded and found.recorded.recording.content) == content


@pytest.mark.parametrize(
    "before",
    ["<svg><title/></svg>", "<svg><title>t</title><style/></svg>", "<math/><svg/>", "<svg><p>"],
)
def test_a_drawing_hides_no_demo_behind_it(before: str) -> None:
    (found,) = find_in_html(f"{before}</p><treeglass-demo tool=LS>{END}")

    assert found.attributes == {"tool": "LS"}


_MANY = 100_000


@pytest.mark.parametrize(
    "page",
    [
        pytest.param("<treeglass-demo " * _MANY, id="tags left open"),
        pytest.param("</treeglass-demo " * _MANY, id="closing tags left open"),
        pytest.param("<!-- > " * _MANY, id="comments left open"),
        pytest.param("<![CDATA[ > " * _MANY, id="sections left open"),
        pytest.param("<! <? <!doctype " * _MANY, id="declarations left open"),
        pytest.param("<script> </script" * _MANY, id="a script left open"),
        pytest.param("&#; &#x &a " * _MANY, id="broken references"),
        pytest.param("<a b='\"' c=" * _MANY + ">", id="quotes"),
        pytest.param("<a b=" * _MANY + "'>", id="a quote left open"),
        pytest.param("<svg>" * _MANY + "</svg>" * _MANY, id="drawings in drawings"),
        pytest.param("<template>" * _MANY + "</template>" * _MANY, id="templates in templates"),
    ],
)
def test_a_page_of_megabytes_takes_time_in_proportion(page: str) -> None:
    # Each of them would take minutes in the square of its length.
    assert len(find_in_html(f"{TAG}{END}{page}")) == 1


def test_elements_that_are_open_inside_a_demo_are_not_looked_through_for_each_tag() -> None:
    inside = "<b>" * _MANY + "</i></b>" * _MANY

    (found,) = find_in_html(f"{TAG}{inside}<pre data-recorded>x</pre>{END}")

    assert found.recorded is not None
