"""What makes a demo, and the sentences that refuse one."""

from typing import Any

import pytest

from tests.support.offered_tools import CHOICE_OF_TOOLS
from treeglass.authoring.demo import (
    Demo,
    DemoInvalid,
    InlineTree,
    Tree,
    TreeAt,
    TreeOfPackage,
    parse_max_output_bytes,
)
from treeglass.authoring.javascript_json import parse_json, write_json
from treeglass.authoring.recording import record_answer

TREE = TreeAt("shop.zip")


def test_a_demo_needs_a_tool_and_a_tree_and_assumes_the_rest() -> None:
    demo = Demo(tool="LS", tree=TREE)

    assert (demo.arguments, demo.mount_path, demo.config) == ("{}", "/repo", None)
    assert (demo.max_output_bytes, dict(demo.presentation)) == (None, {})


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        pytest.param(
            {"tool": " "}, "tool is missing; name the tool to call, such as list_dir", id="no tool"
        ),
        pytest.param(
            {"arguments": "{"},
            "arguments must be one JSON object, and are not: Expecting property name enclosed in "
            "double quotes: line 1 column 2 (char 1)",
            id="broken arguments",
        ),
        pytest.param(
            {"arguments": "[1]"},
            "arguments must be one JSON object, and are not: it holds a list",
            id="a list of arguments",
        ),
        pytest.param(
            {"arguments": '"text"'},
            'arguments must be one JSON object, and are not: it holds the value "text"',
            id="a text of arguments",
        ),
        pytest.param(
            {"arguments": '{"a": NaN}'},
            "arguments must be one JSON object, and are not: NaN is not a JSON number",
            id="no number",
        ),
        pytest.param(
            {"arguments": "[" * 100_000},
            "arguments must be one JSON object, and are not: it is nested too deeply",
            id="nested without end",
        ),
        pytest.param(
            {"mount_path": "repo"},
            "mount-path 'repo' must be an absolute virtual path without '.' and '..'",
            id="a relative mount path",
        ),
        pytest.param(
            {"mount_path": "//"},
            "mount-path is '/', which lists the mounts; use a name like '/repo'",
            id="the root as a mount path",
        ),
        pytest.param(
            {"config": '{"tools": {"glob": {"seconds": 1}}}'},
            (
                "config: tools.glob.seconds: unknown key; the known ones are max_seconds, "
                "max_visited_entries"
            ),
            id="an unknown key",
        ),
        pytest.param(
            {"config": "tools = 1"},
            "config must be one JSON object, and is not: Expecting value: line 1 column 1 (char 0)",
            id="a configuration that is no JSON",
        ),
        pytest.param(
            {"max_output_bytes": 0}, "max-output-bytes is 0; give 1 or more", id="no budget"
        ),
        pytest.param(
            {"presentation": {"loading": "lazy"}},
            "loading is 'lazy'; choose click, visible or eager",
            id="an unknown choice",
        ),
        pytest.param(
            {"presentation": {"colour": "red"}},
            "unknown attribute 'colour'; a demo takes loading, readonly, files, view, form, "
            "playground, label, theme, assets",
            id="an unknown attribute",
        ),
    ],
)
def test_an_invalid_attribute_is_refused_by_its_name(fields: dict[str, Any], sentence: str) -> None:
    with pytest.raises(DemoInvalid) as refused:
        Demo(**{"tool": "LS", "tree": TREE, **fields})

    assert str(refused.value) == sentence


def test_a_tree_says_where_it_is() -> None:
    refusals = []
    for make in (
        lambda: TreeAt(" "),
        lambda: TreeOfPackage("npm", ""),
        lambda: TreeOfPackage("github", " "),
        lambda: InlineTree("[]"),
    ):
        with pytest.raises(DemoInvalid) as refused:
            make()
        refusals.append(str(refused.value))

    assert refusals == [
        "src is empty; name an archive or a manifest",
        "npm is empty; write name@version",
        "github is empty; write owner/repo@ref",
        "the entries must be one JSON object of paths, and are not: it holds a list",
    ]


def test_entries_are_brought_into_one_form_that_a_script_can_hold() -> None:
    tree = InlineTree('{ "b": "</script>",\n\n "2": null, "1": "é", "b": "<!--" }')

    assert tree.entries_json == '{"1":"é","2":null,"b":"\\u003c!--"}'
    assert InlineTree(tree.entries_json) == tree


@pytest.mark.parametrize("text", ["", "-1", "1.5", "1e3", "٣", "0x10"])
def test_a_budget_is_a_whole_number(text: str) -> None:
    with pytest.raises(DemoInvalid) as refused:
        parse_max_output_bytes(text)

    assert str(refused.value) == f"max-output-bytes is {text!r}; give a whole number above 0"


@pytest.mark.parametrize(
    ("text", "written"),
    [
        pytest.param('{"a": 1.0, "b": -0, "c": 1e3}', '{"a":1,"b":0,"c":1000}', id="whole numbers"),
        pytest.param("[0.1, 1e-7, 1e21, 1e400]", "[0.1,1e-07,1e+21,null]", id="other numbers"),
        pytest.param("12345678901234567890", "12345678901234567000", id="beyond a double"),
        pytest.param(
            '{"b": 1, "10": 2, "9": 3, "01": 4, "4294967295": 5}',
            '{"9":3,"10":2,"b":1,"01":4,"4294967295":5}',
            id="indices come first",
        ),
        pytest.param('{"a": 1, "b": 2, "a": 3}', '{"a":3,"b":2}', id="the last of a name counts"),
    ],
)
def test_json_is_read_and_written_as_a_script_does(text: str, written: str) -> None:
    assert write_json(parse_json(text)) == written


@pytest.mark.parametrize("tree", [InlineTree("{}"), TreeOfPackage("npm", "a@1")])
def test_an_unknown_tool_is_refused_wherever_the_tree_lies(tree: Tree) -> None:
    with pytest.raises(DemoInvalid) as refused:
        record_answer(Demo(tool="list_dirs", tree=tree), None)

    assert str(refused.value) == (f"unknown tool 'list_dirs'; choose {CHOICE_OF_TOOLS}")
