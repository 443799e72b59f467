"""HTML for notebooks is whole, escaped, bounded, and readable without a mouse."""

import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

from treeglass import (
    Config,
    ToolAnnotations,
    ToolDefinition,
    ToolFailure,
    ToolRegistry,
    ToolResult,
    Workspace,
)
from treeglass.rich_display import (
    MAX_SHOWN_CONTENT_CHARS,
    MAX_SHOWN_NOTE_CHARS,
    MAX_SHOWN_ROWS,
    definitions_html,
    workspace_html,
)

_PRE = '<pre dir="ltr" style="white-space:pre-wrap;overflow-wrap:anywhere">\n'
_HOSTILE = "</pre><script>alert(1)</script>&amp;\"'"
_HOSTILE_AS_TEXT = "&lt;/pre&gt;&lt;script&gt;alert(1)&lt;/script&gt;&amp;amp;&quot;&#x27;"


def _figure(caption: str, rest: str) -> str:
    return f'<figure style="margin:0"><figcaption>{caption}</figcaption>{rest}</figure>'


def _answer(caption: str, text: str) -> str:
    return _figure(caption, f"{_PRE}{text}</pre>")


def test_an_answer_is_its_content_under_a_caption(
    make_tree: Callable[[Mapping[str, str | bytes | None]], Path],
) -> None:
    workspace = Workspace({"/repo": make_tree({"src/app.py": "print()", "README.md": "# Hi"})})
    registry = ToolRegistry(workspace, Config())

    answer = registry.call_tool("list_dir", {"dir_path": "/repo", "limit": 1})
    failed = registry.call_tool("read_file", {"file_path": "/repo/<none>"})

    assert answer._repr_html_() == _answer(
        "<strong>The tool answered</strong>.<br>Something was left out.<br>To go on, call it again "
        "with <code>{&quot;dir_path&quot;: &quot;/repo&quot;, &quot;limit&quot;: 1, "
        "&quot;offset&quot;: 2}</code>.",
        "Absolute path: /repo\nREADME.md\nMore than 1 entries found",
    )
    assert failed._repr_html_() == _answer(
        "<strong>The call failed</strong> (RespondToModel).",
        "failed to read file: No such file or directory (os error 2)",
    )


def test_an_empty_answer_says_that_it_is_empty() -> None:
    assert ToolResult(content="")._repr_html_() == _figure("The answer is empty.", "")


def test_every_part_of_a_result_is_text_and_never_markup() -> None:
    result = ToolResult(
        content=_HOSTILE,
        error=ToolFailure(_HOSTILE, _HOSTILE),
        next_arguments={"</code><b>": {1}},
        warnings=(_HOSTILE, "a\nsecond line"),
    )

    assert result._repr_html_() == _answer(
        f"<strong>The call failed</strong> ({_HOSTILE_AS_TEXT}).<br>To go on, call it again with "
        "<code>{&quot;&lt;/code&gt;&lt;b&gt;&quot;: &quot;{1}&quot;}</code>.<br>"
        f"Warning: {_HOSTILE_AS_TEXT}<br>Warning: a\nsecond line",
        _HOSTILE_AS_TEXT,
    )


def test_characters_that_html_cannot_carry_or_that_reverse_lines_are_spelled_out() -> None:
    content = "\n\tkept\r\nno\rline\x00\x1b[0m\u202eexe.txt\u2028\ud800 \u05e9\u05dc\u05d5\u05dd"

    assert ToolResult(content=content)._repr_html_() == _answer(
        "<strong>The tool answered</strong>.",
        "\n\tkept\r\nno\\u{D}line\\u{0}\\u{1B}[0m\\u{202E}exe.txt\\u{2028}\\u{D800} "
        "\u05e9\u05dc\u05d5\u05dd",
    )


def test_an_answer_of_any_size_is_shown_up_to_its_limits_and_says_so() -> None:
    result = ToolResult(
        content="&" * (MAX_SHOWN_CONTENT_CHARS + 1),
        next_arguments={"x": "y" * MAX_SHOWN_NOTE_CHARS},
        warnings=("w" * (MAX_SHOWN_NOTE_CHARS + 1),) + ("again",) * MAX_SHOWN_ROWS,
    )
    shown_arguments = "{&quot;x&quot;: &quot;" + "y" * (MAX_SHOWN_NOTE_CHARS - len('{"x": "'))

    assert result._repr_html_() == _answer(
        "<strong>The tool answered</strong>.<br>"
        f"To go on, call it again with <code>{shown_arguments}… (cut: 2,009 characters)</code>."
        f"<br>Warning: {'w' * MAX_SHOWN_NOTE_CHARS}… (cut: 2,001 characters)"
        + "<br>Warning: again"
        * (MAX_SHOWN_ROWS - 1)
        + "<br>Of 51 warnings the first 50 are shown.<br>Of 100,001 characters the first 100,000 "
        "are shown; the attribute <code>content</code> has all of them.",
        "&amp;" * MAX_SHOWN_CONTENT_CHARS,
    )


_DEFINITION = ToolDefinition(
    name="find<b>",
    title="Find & tell",
    description="One line.\nAnother.",
    input_schema={"type": "object", "required": ["</pre>"]},
    output_schema=None,
    annotations=ToolAnnotations(),
    family="own",
    is_side_effecting=False,
    requires_approval=False,
    risk_level="low",
    supports_parallel_tool_calls=True,
)


def test_a_tool_is_shown_with_its_description_and_schema() -> None:
    schema = (
        "{\n  &quot;type&quot;: &quot;object&quot;,\n  &quot;required&quot;: [\n"
        "    &quot;&lt;/pre&gt;&quot;\n  ]\n}"
    )

    assert _DEFINITION._repr_html_() == _figure(
        "<strong>find&lt;b&gt;</strong>: Find &amp; tell",
        f"{_PRE}One line.\nAnother.</pre>"
        f"<details><summary>Input schema</summary>{_PRE}{schema}</pre></details>",
    )


def _table(heads: tuple[str, ...], *rows: tuple[str, ...]) -> str:
    head = "".join(f'<th scope="col" style="text-align:left">{name}</th>' for name in heads)
    cells = ("".join(f'<td style="text-align:left">{cell}</td>' for cell in row) for row in rows)
    body = "".join(f"<tr>{row}</tr>" for row in cells)
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


_TOOL_HEADS = ("Name", "Title", "Description")


def test_a_registry_is_shown_as_the_tools_that_it_offers(tmp_path: Path) -> None:
    workspace = Workspace({"/repo": tmp_path})
    offered = {"tools": {"experimental_supported_tools": [], "offered": ["list_directory"]}}

    registry = ToolRegistry(workspace, Config.model_validate(offered))
    nothing = ToolRegistry(workspace, Config.model_validate({"tools": {"mode": "disabled"}}))

    assert registry._repr_html_() == _figure(
        "Offered tools: 1.",
        _table(_TOOL_HEADS, ("list_directory", "List directory entries", "List directory entries")),
    )
    assert nothing._repr_html_() == _figure("Offered tools: 0.", "")


def test_only_the_first_of_many_tools_are_shown() -> None:
    assert definitions_html([("n", "t", "d")] * (MAX_SHOWN_ROWS + 1)) == _figure(
        "Offered tools: 51.<br>Of 51 tools the first 50 are shown.",
        _table(_TOOL_HEADS, *[("n", "t", "d")] * MAX_SHOWN_ROWS),
    )


def test_a_workspace_is_shown_by_virtual_paths_alone(tmp_path: Path) -> None:
    workspace = Workspace({"/b": tmp_path, "/a<i>": tmp_path}, working_dir="/b")

    assert workspace._repr_html_() == _figure(
        "Mounts: 2.<br>Project root: <code>/</code>.<br>Working directory: <code>/b</code>.",
        _table(("Mount point",), ("/a&lt;i&gt;",), ("/b",)),
    )
    assert workspace_html([], {}) == _figure("Mounts: 0.", "")


def test_the_text_of_an_answer_stays_python_s_own() -> None:
    assert repr(ToolResult(content="a")) == (
        "ToolResult(content='a', structured_content=None, error=None, truncated=False, "
        "next_arguments=None, warnings=(), elapsed_ms=0.0)"
    )


def test_nothing_of_it_is_imported_before_a_notebook_asks() -> None:
    script = (
        "import sys, treeglass\n"
        "print('treeglass.rich_display' in sys.modules)\n"
        "treeglass.ToolResult(content='')._repr_html_()\n"
        "print('treeglass.rich_display' in sys.modules)\n"
    )
    ran = subprocess.run(
        [sys.executable, "-I", "-c", script], capture_output=True, encoding="utf-8", check=True
    )

    assert ran.stdout == "False\nTrue\n"
