"""A reader who follows a quick start to the letter sees what it promises."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.browser.playground.agent_view import serve_providers
from tests.docs.start_page import PageUnclear, WriteFile, read_steps
from tests.docs.start_registry import Registry
from tests.docs.start_runner import reading

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.support.browser_support import Browsers

_PAGES = Path(__file__).parent.parent.parent / "docs" / "start"


@pytest.fixture(scope="module")
def registry(dist: Path, tmp_path_factory: pytest.TempPathFactory) -> Registry:
    """The built packages, installed in place of the published ones."""
    return Registry(dist, tmp_path_factory.mktemp("registry"))


@pytest.fixture(scope="module")
def model_origin() -> Iterator[str]:
    """The origin of a scripted model."""
    with serve_providers() as origin:
        yield origin


@pytest.mark.browser
@pytest.mark.parametrize(
    "name", sorted(page.stem for page in _PAGES.glob("*.md") if page.stem != "index")
)
def test_a_reader_who_follows_the_page_sees_what_it_says(
    name: str, registry: Registry, model_origin: str, browsers: Browsers, tmp_path: Path
) -> None:
    steps = read_steps((_PAGES / f"{name}.md").read_text("utf-8"))

    with reading(tmp_path, registry, lambda: browsers.get("chromium"), model_origin) as reader:
        reader.follow(steps)


def test_there_is_a_start_for_each_kind_of_user() -> None:
    starts = {page.stem for page in _PAGES.glob("*.md")} - {"index"}

    assert starts == {"agents", "comparing", "documentation", "edge", "python"}


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
        WriteFile(line=3, path="a.txt", text="one\n\ntwo\n")
    ]
