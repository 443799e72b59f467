"""Elements are written so that every reader of pages gives the same back."""

from hypothesis import given, settings
from hypothesis import strategies as st
from markdown import markdown
from markdown_it import MarkdownIt

from treeglass.authoring.demo import (
    BARE,
    PRESENTATION,
    Demo,
    InlineTree,
    Tree,
    TreeAt,
    TreeOfPackage,
)
from treeglass.authoring.javascript_json import write_json
from treeglass.authoring.markup import render_demo
from treeglass.authoring.pages.found_demo import FoundDemo
from treeglass.authoring.pages.html_finder import find_in_html
from treeglass.authoring.pages.markdown_finder import find_in_markdown
from treeglass.authoring.recording import Recording

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
        if name in BARE
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


@settings(deadline=None)
@given(demo=DEMOS, recording=RECORDINGS)
def test_what_is_written_is_found_again(demo: Demo, recording: Recording | None) -> None:
    written = render_demo(demo, recording)

    assert told(find_in_html(written)) == [(demo, recording)]
    assert told(find_in_html(f"<p>a</p>{written}<p>b</p>")) == [(demo, recording)]
    assert told(find_in_html(written.replace("\n", "\r\n"))) == [(demo, recording)]
    assert told(find_in_markdown(f"Text\n\n{written}\n\nmore *text*\n")) == [(demo, recording)]


@settings(deadline=None)
@given(demo=DEMOS, recording=RECORDINGS)
def test_markdown_renders_it_as_it_is_written(demo: Demo, recording: Recording | None) -> None:
    written = render_demo(demo, recording)

    rendered = MarkdownIt("commonmark").render(f"Text\n\n{written}\n\nmore\n")

    assert rendered == f"<p>Text</p>\n{written}\n<p>more</p>\n"


@settings(max_examples=50, deadline=None)
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
        '<code class="call">read_file {"file_path": "/repo/it\'s.txt"}</code>\n'
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


def test_a_lone_surrogate_is_written_as_a_page_and_its_script_write_it() -> None:
    tree = InlineTree('{"a": "\\ud83d"}')
    demo = Demo(tool="LS", tree=tree)

    assert render_demo(demo, Recording(content="\ud83d", is_error=False)) == (
        '<treeglass-demo tool="LS" arguments="{}">\n'
        '<script type="application/json">{"a":"\\ud83d"}</script>\n'
        '<code class="call">LS {}</code>\n'
        "<pre data-recorded>\ufffd</pre>\n"
        "</treeglass-demo>"
    )
