"""A reader who follows a page to the letter sees what it promises: quick starts, and a recipe."""

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.browser.playground.agent_view import serve_providers
from tests.docs.blocks.code_blocks import DOCS, FOLLOWED
from tests.docs.starts.start_page import PageUnclear, Step, read_steps
from tests.docs.starts.start_reader import Reader
from tests.docs.starts.start_registry import Registry
from tests.support.browser_support import Browsers

_PAGES = {page.stem: page for page in FOLLOWED}


@pytest.fixture(scope="module")
def registry(dist: Path) -> Iterator[Registry]:
    """The built packages, installed in place of the published ones."""
    with serve_providers() as model_origin:
        yield Registry(dist, model_origin)


@pytest.mark.parametrize("name", _PAGES)
def test_a_reader_who_follows_the_page_sees_what_it_says(
    name: str, registry: Registry, browsers: Browsers, tmp_path: Path
) -> None:
    steps = read_steps(_PAGES[name].read_text("utf-8"))

    with ExitStack() as stack:
        reader = Reader(tmp_path, registry, lambda: browsers.get("chromium"), stack)
        for step in steps:
            try:
                step.action(reader, *step.words)
            except BaseException as error:
                error.add_note(f"at line {step.line} of the page: {step.action.__name__}")
                raise


def test_there_is_a_start_for_each_kind_of_user() -> None:
    starts = [name for name, page in _PAGES.items() if page.parent == DOCS / "start"]

    assert starts == ["agents", "comparing", "documentation", "edge", "page", "python"]


@pytest.mark.parametrize(
    ("markdown", "complaint"),
    [
        (
            "Look at this.\n\n```sh\nls\n```\n",
            "line 3: no sentence says what the block is for, but 'Look at this.'",
        ),
        (
            "Press the **Run** button.\n",
            (
                "line 1: bold names a control that is used, and nothing else: "
                "'Press the **Run** button.'"
            ),
        ),
        ("Run:\n\n```sh\nls\n", "line 3: the block does not end"),
    ],
)
def test_a_page_that_nobody_could_follow_to_the_letter_is_refused(
    markdown: str, complaint: str
) -> None:
    with pytest.raises(PageUnclear) as refused:
        read_steps(markdown)

    assert str(refused.value) == complaint


def test_a_block_belongs_to_the_sentence_before_it() -> None:
    assert read_steps("In `a.txt`:\n\n```text\none\n\ntwo\n```\n") == [
        Step(3, Reader.write_file, ("a.txt", "one\n\ntwo\n"))
    ]
