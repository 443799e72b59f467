"""The MkDocs plugin, in a fresh environment that holds only the built wheel and its extra."""

import re
import shutil
import subprocess
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest

from tests.docs.sites.generators import MkDocs
from tests.docs.sites.site_environment import SITES, demos_of, expected

FENCES = {
    "fenced_code": "",
    "pymdownx.superfences": "  - pymdownx.superfences\n  - pymdownx.highlight\n",
    "codehilite": "  - codehilite\n",
}
"""What may render the other fences of a page, as lines of `mkdocs.yml`."""

_EXTENSIONS = "markdown_extensions:\n  - admonition\n"


@pytest.fixture
def site(mkdocs: MkDocs, tmp_path: Path) -> Path:
    return mkdocs.new_site(tmp_path)


@pytest.fixture(scope="module")
def built(mkdocs: MkDocs, tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """The site with some fences, for tests that only read it."""

    @cache
    def build_once(fences: str) -> Path:
        site = mkdocs.new_site(tmp_path_factory.mktemp("mkdocs"))
        mkdocs.replace(site, _EXTENSIONS, _EXTENSIONS + fences)
        return mkdocs.build_quietly(site)

    return build_once


@pytest.mark.parametrize("fences", FENCES.values(), ids=FENCES)
def test_pages_hold_the_elements_with_their_answers(
    built: Callable[[str], Path], fences: str
) -> None:
    html = built(fences)

    reading = html / "guide" / "deep" / "reading" / "index.html"
    assert demos_of(html / "index.html") == expected("mkdocs-index.html")
    assert demos_of(reading) == expected("mkdocs-reading.html")


@pytest.mark.parametrize("fences", FENCES.values(), ids=FENCES)
def test_what_only_shows_a_fence_stays_as_it_is(built: Callable[[str], Path], fences: str) -> None:
    html = built(fences)
    page = (html / "index.html").read_text("utf-8")
    shown = [
        re.sub(r"<[^>]+>", "", code)
        for code in re.findall(r'<code(?! class="call">).*?</code>', page, re.DOTALL)
    ]

    assert [text.rstrip() for text in shown] == [
        "```treeglass-demo list_dir\n:tree: trees/shop\n```",
        "```treeglass-demo list_dir\n:tree: trees/shop\n:label: &lt;b&gt;\n```",
    ]
    assert "<!--\n```treeglass-demo list_dir\n```\n-->" in page


def test_an_answer_that_looks_like_a_placeholder_of_markdown_stays_text(
    mkdocs: MkDocs, site: Path
) -> None:
    shutil.rmtree(site / "docs" / "guide")
    (site / "docs" / "trees" / "shop" / "marks").write_text("\x02wzxhzdk:0\x03 \x02amp\x03\n")
    (site / "docs" / "index.md").write_text(
        "# Shop\n\n```treeglass-demo read_file\n:tree: trees/shop\n\n"
        '{"file_path": "/repo/marks"}\n```\n'
    )

    html = mkdocs.build_quietly(site)

    assert re.findall(r"<pre .*</pre>", demos_of(html / "index.html")) == [
        "<pre data-recorded>L1: &#2;wzxhzdk:0&#3; &#2;amp&#3;</pre>"
    ]


@pytest.mark.parametrize(
    ("fence", "complaint"),
    [
        (
            "```treeglass-demo list_dir\n:depth: 2\n```\n",
            (
                "unknown option 'depth'; treeglass-demo takes tree, entries, integrity, "
                "mount-path, config, max-output-bytes, loading, readonly, files, view, form, "
                "playground, label, theme, assets"
            ),
        ),
        (
            "```treeglass-demo list_dir\n:tree: trees/shop\n:tree: trees/shop\n```\n",
            "tree is given twice; leave one of them out",
        ),
        (
            "```treeglass-demo list_dir\n:tree: trees/shop\n",
            "the fence is never closed; end it with the marks that it begins with",
        ),
    ],
)
def test_a_fence_that_makes_no_sense_fails_a_strict_build_with_its_place(
    mkdocs: MkDocs, site: Path, fence: str, complaint: str
) -> None:
    place = mkdocs.write_alone(site, fence)

    assert mkdocs.complaints(site) == [mkdocs.warning(f"treeglass-demo: {complaint}", place)]


def test_serving_watches_the_trees_that_lie_elsewhere(mkdocs: MkDocs, site: Path) -> None:
    tree = site.parent / "elsewhere"
    shutil.copytree(SITES / "shop", tree)
    (site / "docs" / "index.md").write_text(
        "# Shop\n\n```treeglass-demo list_dir\n:tree: ../../elsewhere\n```\n"
    )

    serving = subprocess.Popen(
        [mkdocs.environment.python, "-m", "mkdocs", "serve", "--dev-addr", "127.0.0.1:0"],
        cwd=site,
        stderr=subprocess.PIPE,
        encoding="utf-8",
    )
    with serving:
        assert serving.stderr is not None
        said = [line for line in _until(serving, "Watching paths") if "Watching" in line]
        serving.terminate()

    assert said == [
        f"INFO    -  [TIME] Watching paths for changes: 'docs', 'mkdocs.yml', '{tree}'\n"
    ]


def _until(serving: subprocess.Popen[str], word: str) -> list[str]:
    """Return a server's output up to a word, with TIME for the time."""
    lines: list[str] = []
    while serving.stderr is not None and (line := serving.stderr.readline()):
        lines.append(re.sub(r"\[\d\d:\d\d:\d\d\]", "[TIME]", line))
        if word in line:
            break
    return lines
