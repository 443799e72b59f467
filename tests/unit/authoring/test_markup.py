"""Elements are written so that every reader of pages gives the same back."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from markdown import markdown
from markdown_it import MarkdownIt

from treeglass.authoring.demo import (
    PRESENTATION,
    Demo,
    DemoInvalid,
    InlineTree,
    Tree,
    TreeAt,
    TreeOfPackage,
)
from treeglass.authoring.javascript_json import write_json
from treeglass.authoring.markup import render_demo
from treeglass.authoring.pages.found_demo import FoundDemo, PageInvalid
from treeglass.authoring.pages.html_finder import find_in_html
from treeglass.authoring.pages.markdown_finder import find_in_markdown
from treeglass.authoring.recording import Recording

SCRIPT = '<script type="application/json">%d</script>'

# What no page can hold: HTML has no NUL, and UTF-8 no lone surrogates.
TEXTS = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"))
TELLING = st.lists(
    st.sampled_from(
        [
            *("\n", "\n\n", " ", "\t", "\r", "\r\n", "<", ">", "&", "&amp;", "&#10;", "</pre>"),
            *("</treeglass-demo>", "<!--", "-->", "{{", "}}", "{", "`", "```", "~~~", "    ", "*"),
            *("_", "\\", "'", '"', "]]>", "<script>", "# ", "- ", "> ", "é", "\x85", "\u2028", "a"),
        ]
    )
).map("".join)
CONTENTS = st.one_of(TEXTS, TELLING)
NAMES = st.one_of(TEXTS, TELLING).filter(lambda text: text.strip() != "" and text == text.strip())
TREES: st.SearchStrategy[Tree] = st.one_of(
    st.builds(TreeAt, NAMES, st.one_of(st.none(), NAMES)),
    st.builds(TreeOfPackage, st.sampled_from(["npm", "github"]), NAMES),
    st.dictionaries(CONTENTS, CONTENTS).map(lambda entries: InlineTree(write_json(entries))),
)
PRESENTATIONS = st.fixed_dictionaries(
    {},
    optional={
        name: st.just("")
        if name == "readonly"
        else (CONTENTS if choices is None else st.sampled_from(choices))
        for name, choices in PRESENTATION.items()
    },
)
DEMOS = st.builds(
    Demo,
    tool=NAMES,
    arguments=st.dictionaries(CONTENTS, CONTENTS).map(write_json),
    tree=TREES,
    max_output_bytes=st.one_of(st.none(), st.integers(1, 10**9)),
    config=st.sampled_from([None, "{}", '{"tools": {\n\n"offered": []}}']),
    presentation=PRESENTATIONS,
)
RECORDINGS = st.one_of(st.none(), st.builds(Recording, content=CONTENTS, is_error=st.booleans()))


def told(found: list[FoundDemo]) -> list[tuple[Demo, Recording | None]]:
    return [(one.demo(), None if one.recorded is None else one.recorded.recording) for one in found]


@given(demo=DEMOS, recording=RECORDINGS)
def test_what_is_written_is_found_again(demo: Demo, recording: Recording | None) -> None:
    written = render_demo(demo, recording)

    assert told(find_in_html(written)) == [(demo, recording)]
    assert told(find_in_html(f"<p>a</p>{written}<p>b</p>")) == [(demo, recording)]
    assert told(find_in_html(written.replace("\n", "\r\n"))) == [(demo, recording)]
    assert told(find_in_markdown(f"Text\n\n{written}\n\nmore *text*\n")) == [(demo, recording)]


@given(demo=DEMOS, recording=RECORDINGS)
def test_markdown_renders_it_as_it_is_written(demo: Demo, recording: Recording | None) -> None:
    written = render_demo(demo, recording)

    rendered = MarkdownIt("commonmark").render(f"Text\n\n{written}\n\nmore\n")

    assert rendered == f"<p>Text</p>\n{written}\n<p>more</p>\n"


@settings(max_examples=50)
@given(recording=st.builds(Recording, content=CONTENTS, is_error=st.booleans()))
def test_in_a_div_python_markdown_keeps_it_whole_too(recording: Recording) -> None:
    # Python-Markdown takes a carriage return for a line feed, and has marks of its own.
    content = recording.content.translate({ord(mark): None for mark in "\2\3\x0b\x0c\x1c\x1d\x1e"})
    demo = Demo(tool="LS", tree=TreeAt("a.zip"))
    kept = Recording(content=content, is_error=recording.is_error)

    rendered = markdown(f"Text\n\n<div>\n{render_demo(demo, kept)}\n</div>\n\nmore\n")

    assert told(find_in_html(rendered)) == [(demo, kept)]


def test_a_whole_demo_looks_like_this() -> None:
    demo = Demo(
        tool="read_file",
        arguments='{"file_path":\n"/repo/it\'s.txt"}',
        tree=TreeAt("shop.zip?a=1&b", "sha384-x"),
        mount_path="/shop",
        config='{"tools": {"mode": "enabled"}}',
        max_output_bytes=500,
        presentation={"files": "open", "readonly": "", "label": "<Read>"},
    )
    recording = Recording(content="\n\n  \n<a> {{b}} & c\r\n\tend\n", is_error=True)

    assert render_demo(demo, recording) == (
        '<treeglass-demo src="shop.zip?a=1&amp;b" integrity="sha384-x" tool="read_file" '
        'arguments="{&quot;file_path&quot;:&#10;&quot;/repo/it\'s.txt&quot;}" mount-path="/shop" '
        'config=\'{"tools": {"mode": "enabled"}}\' max-output-bytes="500" files="open" readonly '
        'label="&lt;Read&gt;">\n'
        "<pre data-recorded data-is-error>\n"
        "&#10;&#10;  &#10;&lt;a&gt; &#123;{b}} &amp; c&#13;\n&#9;end\n</pre>\n"
        "</treeglass-demo>"
    )


def test_a_demo_without_an_answer_has_no_static_one() -> None:
    entries = InlineTree('{"a.txt": "</script>"}')

    assert render_demo(Demo(tool="LS", tree=entries), None) == (
        '<treeglass-demo tool="LS" arguments="{}">\n'
        '<script type="application/json">{"a.txt":"\\u003c/script>"}</script>\n'
        "</treeglass-demo>"
    )


def test_a_nul_is_written_as_the_mark_of_what_cannot_be_shown() -> None:
    demo = Demo(tool="LS", tree=TreeAt("a.zip"))

    (found,) = find_in_html(render_demo(demo, Recording(content="a\0b", is_error=False)))

    assert found.recorded is not None
    assert found.recorded.recording.content == "a\ufffdb"


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
            "line 3: this <treeglass-demo> lies in the one of line 1; close that with "
            "</treeglass-demo> before it",
            id="nested",
        ),
        pytest.param(
            f"<p>a\n{TAG}{END}</p>",
            "line 2: this <treeglass-demo> lies in a paragraph, where no answer can stand; write "
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
            "line 3: this <treeglass-demo> lies in the text of the paragraph that begins here; "
            "write its opening tag alone on one line, with a blank line above",
            id="in a paragraph",
        ),
        pytest.param(
            "<treeglass-demo\n  src='a.zip'>\n</treeglass-demo>\n",
            "line 1: this <treeglass-demo> lies in the text of the paragraph that begins here; "
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


def test_an_answer_that_is_no_child_of_the_element_is_none() -> None:
    (found,) = find_in_html(f"<treeglass-demo tool=LS><div><pre data-recorded>x</pre></div>{END}")

    assert found.recorded is None


@pytest.mark.parametrize(
    "before",
    ["<svg><title/></svg>", "<svg><title>t</title><style/></svg>", "<math/><svg/>", "<svg><p>"],
)
def test_a_drawing_hides_no_demo_behind_it(before: str) -> None:
    (found,) = find_in_html(f"{before}</p><treeglass-demo tool=LS>{END}")

    assert found.attributes == {"tool": "LS"}


def test_a_lone_surrogate_is_written_as_a_page_and_its_script_write_it() -> None:
    tree = InlineTree('{"a": "\\ud83d"}')
    demo = Demo(tool="LS", tree=tree)

    assert render_demo(demo, Recording(content="\ud83d", is_error=False)) == (
        '<treeglass-demo tool="LS" arguments="{}">\n'
        '<script type="application/json">{"a":"\\ud83d"}</script>\n'
        "<pre data-recorded>\ufffd</pre>\n"
        f"{END}"
    )
