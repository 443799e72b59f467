"""Demos of every kind of tree, and their message if a tree cannot be mounted."""

import base64
import hashlib
import json
from pathlib import Path
from typing import Any

import pytest

from tests.browser.cpython_answers import CPythonAnswers
from tests.browser.element.element_page import (
    LIST,
    RECORDED,
    SHOP,
    SharedDemoPage,
    demo_of,
)
from tests.browser.packed_trees import tar_of, zip_of
from treeglass.__main__ import main

_READ = {"file_path": "/repo/README.md"}


def _entries_script(tree: object) -> str:
    text = json.dumps(tree).replace("<", "\\u003c")
    return f'<script type="application/json">{text}</script><pre data-recorded>{RECORDED}</pre>'


@pytest.mark.each_browser
def test_archives_manifests_and_inline_entries_give_the_same_answers(
    demo_page: SharedDemoPage, tmp_path: Path, shop: CPythonAnswers
) -> None:
    tree = tmp_path / "tree"
    for name, text in SHOP.items():
        (tree / name).parent.mkdir(parents=True, exist_ok=True)
        (tree / name).write_text(text, "utf-8", newline="")
    code = main(["pack", str(tree), "-o", str(tmp_path / "shop.json")])
    manifest = json.loads((tmp_path / "shop.json").read_text("utf-8")) | {"base_url": "tree/"}
    files = {f"/trees/tree/{name}": text.encode() for name, text in SHOP.items()}
    files["/trees/shop.json"] = json.dumps(manifest).encode()
    files["/shop.tgz"] = tar_of(SHOP, "gz")
    integrity = "sha256-" + base64.b64encode(hashlib.sha256(zip_of(SHOP)).digest()).decode()
    sources: list[dict[str, Any]] = [
        {"src": "shop.zip", "integrity": integrity},
        {"src": "shop.tgz"},
        {"src": "trees/shop.json"},
        {"src": None, "inside": _entries_script(SHOP)},
    ]
    calls: list[tuple[str, dict[str, Any]]] = [
        ("list_dir", {"dir_path": "/repo", "depth": 4}),
        ("read_file", _READ),
    ]
    written = [
        demo_of(tool, arguments, **source) for source in sources for tool, arguments in calls
    ]
    demo_page.show(*written, files=files)
    shown = [demo_page.demo(number).run() for number in range(len(written))]
    workers = len(demo_page.page.workers)

    assert code == 0
    assert shown == [shop.content(tool, arguments) for _ in sources for tool, arguments in calls]
    assert workers == 1


def test_the_property_wins_over_src_and_src_over_inline_entries(
    demo_page: SharedDemoPage, shop: CPythonAnswers
) -> None:
    written = demo_of(inside=_entries_script({"inline.txt": "1\n"}))
    demo = demo_page.show(written)
    shown = [demo.run()]
    demo.element.evaluate("(demo) => { demo.source = { entries: { 'given.txt': '1' } }; }")
    shown.append(demo.run())
    demo.element.evaluate("(demo) => { demo.source = null; demo.removeAttribute('src'); }")
    shown.append(demo.run())

    assert shown == [
        shop.content("list_dir", LIST),
        "Absolute path: /repo\ngiven.txt",
        "Absolute path: /repo\ninline.txt",
    ]


def _fail(page: SharedDemoPage, written: str) -> tuple[dict[str, str], object]:
    """Run a demo that fails; return the failure's detail, and what the demo shows."""
    demo = page.show(written)
    with demo.ending():
        demo.run_button.click()
    (event,) = page.heard()
    message = event["detail"]["message"]
    demo.element.get_by_text("Details for the author of this page").click()
    seen = (
        demo.state,
        demo.recorded.is_visible(),
        demo.recorded.text_content(),
        demo.element.get_by_text(message).first.is_visible(),
        demo.run_button.is_enabled(),
        (event["type"], event["bubbles"], event["composed"]),
    )
    return event["detail"], seen


_KEPT = ("failed", True, RECORDED, True, True, ("failure", True, True))


# Not even the browser complains, which would fail the story: it is the worker that asks.
def test_a_tree_that_is_not_there_is_told_of_and_the_recorded_answer_stays(
    demo_page: SharedDemoPage,
) -> None:
    told, seen = _fail(demo_page, demo_of(src="/nothing.zip"))

    assert told["name"] == "SourceUnreadable"
    told_of = told["message"].partition("/nothing.zip")[2]
    assert told_of == " cannot be mounted: the server answered HTTP 404; check the address."
    assert seen == _KEPT


@pytest.mark.parametrize(
    ("attributes", "name"),
    [
        ({"integrity": "sha256-" + base64.b64encode(bytes(32)).decode()}, "SourceUnreadable"),
        ({"src": "/page.html"}, "SourceUnreadable"),
        ({"src": None}, "BadRequest"),
        ({"config": '{"tools": {"nothing": 1}}'}, "ConfigInvalid"),
        ({"config": "{"}, "BadRequest"),
        ({"mount_path": "repo"}, "WorkspaceInvalid"),
        ({"max_output_bytes": "many"}, "BadRequest"),
    ],
    ids=lambda value: next(iter(value)) if isinstance(value, dict) else None,
)
def test_what_makes_no_sense_is_told_of_in_words(
    demo_page: SharedDemoPage, attributes: dict[str, Any], name: str
) -> None:
    told, seen = _fail(demo_page, demo_of(**attributes))

    assert (told["name"], seen) == (name, _KEPT)


def test_run_rejects_with_the_name_and_a_corrected_demo_answers(
    demo_page: SharedDemoPage, shop: CPythonAnswers
) -> None:
    demo_page.show(demo_of(src="page.html"))
    told = demo_page.page.evaluate(
        """async () => {
            const demo = document.querySelector("treeglass-demo");
            const caught = await demo.run().catch(({ name }) => name);
            demo.src = "shop.zip";
            return [caught, (await demo.run()).content, demo.state];
        }"""
    )

    assert told == ["SourceUnreadable", shop.content("list_dir", LIST), "answered"]
