"""A browser answers byte for byte what CPython records.

Only the milliseconds that LS reports differ: recorded, they are the least possible.
"""

import base64
import hashlib
import json
from collections.abc import Iterator
from difflib import ndiff
from pathlib import Path
from typing import Any

import pytest

from tests.browser.cpython_answers import without_duration
from tests.browser.package_page import PackagePage
from tests.browser.recorded_trees import ARCHIVES, ENTRIES, LINKED
from tests.support.served_directory import serve_directory
from treeglass.__main__ import main
from treeglass.authoring import Demo, InlineTree, TreeAt, record_answer
from treeglass.authoring.demo import Tree

_CALLS: list[tuple[str, dict[str, Any]]] = [
    ("list_dir", {"dir_path": "/repo", "depth": 20, "limit": 2000}),
    ("list_dir", {"dir_path": "/repo", "offset": 3, "limit": 4, "depth": 2}),
    ("list_dir", {"dir_path": "/repo/missing"}),
    ("list_dir", {"dir_path": "/repo/README.md"}),
    ("LS", {"path": "."}),
    ("LS", {"path": "src", "offset": 1, "limit": 2}),
    ("LS", {"path": "up"}),
    ("list_directory", {"path": ".", "recursive": True, "max_depth": 20, "include_hidden": True}),
    ("list_directory", {"path": "src", "include_other": True}),
    ("list_directory", {"path": "missing"}),
    ("read_file", {"file_path": "/repo/README.md"}),
    ("read_file", {"file_path": "/repo/src/app.py", "mode": "indentation", "indentation": {}}),
    ("read_file", {"file_path": "/repo/up"}),
    ("read_file", {"file_path": "/repo/out"}),
    ("read_file", {"file_path": "/repo/round"}),
    ("read_file", {"file_path": "/repo/binary.bin"}),
    ("read_file", {"file_path": "/repo/README.md/x"}),
    ("read_file", {"file_path": "/repo/win/dows.txt"}),
    ("read_file", {"file_path": "/repo/empty.txt"}),
]
"""Each of them means something in each tree, if only an error."""

_STORY = """
    const client = await sharedClient();
    const told = {};
    for (const { name, source, path, calls } of given) {
        await client.mount(path, source, { replace: true });
        told[name] = [];
        for (const [tool, args, config, maxOutputBytes] of calls) {
            await client.configure(config === null ? {} : JSON.parse(config));
            const options = maxOutputBytes === null ? {} : { maxOutputBytes };
            const { content, isError } = await client.callTool(tool, JSON.parse(args), options);
            told[name].push([content, isError]);
        }
        await client.unmount(path);
    }
    return told;
"""


def _demos(tree: Tree, mount_path: str = "/repo") -> list[Demo]:
    return [
        Demo(
            tool=tool,
            arguments=json.dumps(arguments).replace("/repo", mount_path),
            tree=tree,
            mount_path=mount_path,
        )
        for tool, arguments in _CALLS
    ]


def _mounted(name: str, source: dict[str, Any], demos: list[Demo]) -> dict[str, Any]:
    calls = [[demo.tool, demo.arguments, demo.config, demo.max_output_bytes] for demo in demos]
    return {"name": name, "source": source, "path": demos[0].mount_path, "calls": calls}


def _recorded(demos: list[Demo], tree: Path | None, root: Path | None = None) -> list[list[object]]:
    recordings = [record_answer(demo, tree, root=root) for demo in demos]
    return [[without_duration(one.content), one.is_error] for one in recordings]


def _told(page: PackagePage, mounts: list[dict[str, Any]]) -> dict[str, list[list[object]]]:
    told = page.run(_STORY, mounts)
    return {
        name: [[without_duration(content), is_error] for content, is_error in answers]
        for name, answers in told.items()
    }


def _differing(recorded: dict[str, Any], told: dict[str, Any]) -> dict[str, list[list[str]]]:
    """Return for each tree a line diff of every pair of answers that differ."""
    assert list(recorded) == list(told)
    return {
        name: [list(ndiff(str(mine).split("\\n"), str(other).split("\\n"))) for mine, other in odd]
        for name in told
        if (
            odd := [
                (mine, other)
                for mine, other in zip(recorded[name], told[name], strict=True)
                if mine != other
            ]
        )
    }


@pytest.fixture(scope="module")
def trees(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Zip archives, and a directory with its manifest and its archive."""
    folder = tmp_path_factory.mktemp("recorded")
    for name, make in ARCHIVES.items():
        (folder / name).write_bytes(make())
    linked = folder / "linked tree"
    for path, content in LINKED.items():
        place = linked / path
        place.parent.mkdir(parents=True, exist_ok=True)
        if content is None:
            place.mkdir()
        elif content.startswith("-> "):
            place.symlink_to(content.removeprefix("-> "))
        else:
            place.write_text(content, "utf-8", newline="")
    for name in ("tree.json", "tree.zip"):
        assert main(["pack", str(linked), "-o", str(folder / name)]) == 0
    return folder


@pytest.fixture(scope="module")
def published(trees: Path) -> Iterator[str]:
    """The origin of the trees."""
    with serve_directory(trees, headers={"Access-Control-Allow-Origin": "*"}) as origin:
        yield origin


@pytest.mark.each_browser
def test_zip_archives_are_recorded_as_browsers_answer(
    package_page: PackagePage, trees: Path, published: str
) -> None:
    demos = {name: _demos(TreeAt(name)) for name in ARCHIVES}

    told = _told(
        package_page,
        [_mounted(name, {"url": f"{published}/{name}"}, demos[name]) for name in ARCHIVES],
    )

    recorded = {name: _recorded(demos[name], trees / name) for name in ARCHIVES}
    assert _differing(recorded, told) == {}


@pytest.mark.each_browser
def test_a_directory_is_recorded_as_its_archive_and_a_manifest_as_its_files(
    package_page: PackagePage, trees: Path, published: str
) -> None:
    demos = _demos(TreeAt("tree"), "/deep/er")

    told = _told(
        package_page,
        [
            _mounted("archive", {"url": f"{published}/tree.zip"}, demos),
            _mounted("manifest", {"url": f"{published}/tree.json"}, demos),
        ],
    )

    recorded = {
        "archive": _recorded(demos, trees / "linked tree"),
        "manifest": _recorded(demos, trees / "tree.json"),
    }
    assert _differing(recorded, told) == {}
    assert _recorded(demos, trees / "tree.zip") == told["archive"]


@pytest.mark.each_browser
def test_inline_entries_are_recorded_as_browsers_answer(package_page: PackagePage) -> None:
    text = json.dumps(ENTRIES)
    demos = _demos(InlineTree(text))

    told = _told(package_page, [_mounted("entries", {"entries": json.loads(text)}, demos)])

    assert _differing({"entries": _recorded(demos, None)}, told) == {}


@pytest.mark.each_browser
def test_arguments_configuration_and_budget_are_recorded_as_browsers_take_them(
    package_page: PackagePage,
) -> None:
    tree = InlineTree('{"a.txt": "one\\ntwo\\n", "b/c.txt": "three", ".env": "x"}')
    spelled = [
        ("LS", '{"path": ".", "limit": 2.0, "b": 1, "10": 2, "9": [1e3, -0, 1e-7], "x": 1e400}'),
        ("LS", '{"path": ".", "path": "b", "n": 12345678901234567890, "e": "\\ud83c\\udf33"}'),
        ("LS", '{"path": 5}'),
        ("list_dir", '{"dir_path": "relative"}'),
        ("list_directory", '{"path": ".", "max_entries": 1}'),
        ("read_file", "{}"),
    ]
    config = '{"tools": {"output": {"escape_names": false}, "list_directory": {"max_depth": 1.0}}}'
    read = '{"file_path": "/repo/a.txt"}'
    demos = [Demo(tool=tool, arguments=text, tree=tree) for tool, text in spelled]
    demos += [
        Demo(tool="list_directory", arguments='{"path": "."}', tree=tree, max_output_bytes=400),
        Demo(tool="read_file", arguments=read, tree=tree, max_output_bytes=1),
        Demo(tool="list_directory", arguments='{"path": "."}', tree=tree, config=config),
        Demo(tool="LS", arguments="{}", tree=tree, config='{"tools": {"offered": []}}'),
    ]

    told = _told(
        package_page,
        [_mounted("entries", {"entries": json.loads(tree.entries_json)}, demos)],
    )

    assert _differing({"entries": _recorded(demos, None)}, told) == {}


def test_an_archive_is_mounted_with_the_integrity_that_recording_asks_for(
    package_page: PackagePage, trees: Path, published: str
) -> None:
    digest = hashlib.sha384((trees / "odd.zip").read_bytes()).digest()
    integrity = f"sha256-AAAA sha384-{base64.b64encode(digest).decode()}"
    demos = _demos(TreeAt("odd.zip", integrity))

    told = _told(
        package_page,
        [_mounted("zip", {"url": f"{published}/odd.zip", "integrity": integrity}, demos)],
    )

    assert _differing({"zip": _recorded(demos, trees / "odd.zip")}, told) == {}
