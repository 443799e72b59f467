import pytest

from treeglass.authoring.demo import DemoInvalid, InlineTree, TreeAt, TreeOfPackage
from treeglass.authoring.site.directive import (
    OPTIONS,
    describe_call,
    describe_unrecorded,
    parse_directive,
    split_fence,
)


@pytest.mark.parametrize(
    ("said", "default", "tree", "path"),
    [
        ("trees/shop", None, TreeAt("trees/shop"), "trees/shop"),
        ("/trees/shop", "other", TreeAt("/trees/shop"), "/trees/shop"),
        (None, "trees/shop", TreeAt("/trees/shop"), "/trees/shop"),
        (None, "/trees/shop", TreeAt("/trees/shop"), "/trees/shop"),
        (None, "npm:fflate@0.8.3", TreeOfPackage("npm", "fflate@0.8.3"), None),
        ("github:a/b@c", None, TreeOfPackage("github", "a/b@c"), None),
        ("https://a.example/b.zip", None, TreeAt("https://a.example/b.zip"), None),
        ("HTTP://a.example/b.zip", None, TreeAt("HTTP://a.example/b.zip"), None),
    ],
)
def test_a_tree_is_a_path_a_package_or_an_address(
    said: str | None, default: str | None, tree: object, path: str | None
) -> None:
    options = {} if said is None else {"tree": said}

    directive = parse_directive("list_dir", options, "", default_tree=default)

    assert (directive.demo.tree, directive.tree_path) == (tree, path)


def test_entries_stand_in_place_of_the_tree_of_the_site() -> None:
    directive = parse_directive("list_dir", {"entries": '{"a": "b"}'}, "", default_tree="shop")

    assert (directive.demo.tree, directive.tree_path) == (InlineTree('{"a": "b"}'), None)


def test_every_option_reaches_the_demo() -> None:
    options = {
        "tree": "shop.zip",
        "integrity": "sha384-x",
        "mount-path": "/shop",
        "config": '{"tools": {}}',
        "max-output-bytes": "600",
        "loading": "visible",
        "readonly": "",
        "files": "none",
        "view": "model",
        "form": "",
        "playground": "/play/",
        "label": "A shop",
        "theme": "dark",
        "assets": "/a/",
    }

    demo = parse_directive(" LS ", options, '{\n  "path": "/shop"\n}').demo

    assert {*options, "entries"} == set(OPTIONS)
    assert (demo.tool, demo.arguments, demo.tree) == (
        "LS",
        '{ "path": "/shop" }',
        TreeAt("shop.zip", "sha384-x"),
    )
    assert (demo.mount_path, demo.config, demo.max_output_bytes) == ("/shop", '{"tools": {}}', 600)
    assert demo.presentation == {
        name: options[name]
        for name in (
            *("loading", "readonly", "files", "view", "form"),
            *("playground", "label", "theme", "assets"),
        )
    }


@pytest.mark.parametrize(
    ("options", "content", "message"),
    [
        (
            {},
            "",
            "tree is missing; name a directory or an archive, or set one for the whole site",
        ),
        (
            {"tree": "a", "entries": "{}"},
            "",
            "tree and entries are both given; leave one of them out",
        ),
        (
            {"entries": "{}", "integrity": "sha384-x"},
            "",
            "integrity is for a fetched archive or manifest: entries stand in the page itself",
        ),
        (
            {"tree": "npm:a@1", "integrity": "sha384-x"},
            "",
            (
                "integrity is for a fetched archive or manifest: the list of npm packages has the "
                "hash of every file"
            ),
        ),
        ({"tree": "a\0b"}, "", "tree holds a NUL, which no path has; leave it out"),
        (
            {"tree": "a"},
            '{"a":\n "b\nc"}',
            (
                "arguments must be one JSON object, and are not: "
                "Invalid control character at: line 2 column 4 (char 9)"
            ),
        ),
        (
            {"tree": "a", "max-output-bytes": "-1"},
            "",
            "max-output-bytes is '-1'; give a whole number above 0",
        ),
        (
            {"tree": "a", "depth": "2"},
            "",
            f"unknown option 'depth'; treeglass-demo takes {', '.join(OPTIONS)}",
        ),
    ],
)
def test_an_invalid_directive_is_refused_by_the_name_of_the_option(
    options: dict[str, str], content: str, message: str
) -> None:
    with pytest.raises(DemoInvalid) as refused:
        parse_directive("list_dir", options, content)

    assert str(refused.value) == message


def test_a_fence_has_options_above_its_content() -> None:
    lines = [
        ":tree: trees/shop ",
        ":config: {",
        '    "tools": {}',
        "  }",
        ":readonly:",
        "",
        "{",
        '  ":tree:": 1',
        "}",
    ]

    assert split_fence(lines) == (
        {"tree": "trees/shop", "config": '{ "tools": {} }', "readonly": ""},
        '{\n  ":tree:": 1\n}',
    )


def test_a_fence_may_be_empty_or_all_content() -> None:
    assert (split_fence([]), split_fence(['{"a": 1}'])) == (({}, ""), ({}, '{"a": 1}'))


def test_an_option_that_is_given_twice_is_refused() -> None:
    with pytest.raises(DemoInvalid) as refused:
        split_fence([":tree: a", ":tree: b"])

    assert str(refused.value) == "tree is given twice; leave one of them out"


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (
            {"tree": "npm:a@1"},
            'On click, this page fetches npm:a@1 and shows what LS answers to {"path": "."}.',
        ),
        (
            {"tree": "https://a.example/b.zip", "loading": "visible"},
            (
                "When it comes into view, this page fetches https://a.example/b.zip and shows what "
                'LS answers to {"path": "."}.'
            ),
        ),
        (
            {"tree": "github:a@c", "loading": "eager"},
            'Once loaded, this page fetches github:a@c and shows what LS answers to {"path": "."}.',
        ),
    ],
)
def test_a_demo_without_an_answer_is_described_in_one_sentence(
    options: dict[str, str], sentence: str
) -> None:
    demo = parse_directive("LS", options, '{"path": "."}').demo

    assert (describe_unrecorded(demo), describe_call(demo)) == (sentence, 'LS {"path": "."}')


def test_separators_in_a_json_string_end_no_line() -> None:
    separators = "a\u2028 b\u2029 c\x85 d"

    directive = parse_directive("LS", {"tree": "shop"}, f'{{\r\n  "path":\n  "{separators}"\r}}')

    assert directive.demo.arguments == f'{{ "path": "{separators}" }}'
