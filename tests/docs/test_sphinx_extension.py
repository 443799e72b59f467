"""The Sphinx extension, in a fresh environment that holds only the built wheel and its extra."""

import json
import re
from collections.abc import Callable
from functools import cache
from pathlib import Path
from subprocess import CompletedProcess

import pytest

from tests.docs.sites.generators import Sphinx
from tests.docs.sites.site_environment import (
    CDN,
    PACKAGE_FILES,
    THEME_FILES,
    TREE_FILES,
    demos_of,
    expected,
    site_files,
)
from treeglass import __version__


@pytest.fixture
def site(sphinx: Sphinx, tmp_path: Path) -> Path:
    return sphinx.new_site(tmp_path)


@pytest.fixture(scope="module")
def built(sphinx: Sphinx, tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """The output of a builder for the site as it stands, for tests that only read it."""

    @cache
    def build_once(builder: str) -> Path:
        return sphinx.build_quietly(sphinx.new_site(tmp_path_factory.mktemp(builder)), builder)

    return build_once


@pytest.mark.parametrize(
    ("builder", "file"),
    [
        ("latex", "shop.tex"),
        ("text", "index.txt"),
        ("epub", "index.xhtml"),
        ("man", "shop.1"),
        ("texinfo", "shop.texi"),
        ("xml", "index.xml"),
        ("pseudoxml", "index.pseudoxml"),
    ],
)
def test_a_format_without_scripts_gets_the_answers_alone(
    sphinx: Sphinx, site: Path, builder: str, file: str
) -> None:
    sphinx.append(site, "copyright = 'anybody'\nversion = '1'\ntreeglass_package = None\n")

    output = sphinx.build_quietly(site, builder)
    written = (output / file).read_text("utf-8")

    assert ("Absolute path" in written, "treeglass-demo" in written) == (True, False)
    assert not (output / "_treeglass").exists()


def test_text_shows_the_call_and_its_answer(built: Callable[[str], Path]) -> None:
    assert (built("text") / "index.txt").read_text("utf-8") == expected("sphinx-index.txt")


@pytest.mark.parametrize("builder", ["gettext", "linkcheck"])
def test_builders_that_write_no_pages_pass_demos_by(
    built: Callable[[str], Path], builder: str
) -> None:
    written = {path.name: path.read_bytes() for path in built(builder).rglob("*.*")}

    assert written
    assert [name for name, content in written.items() if b"Absolute path" in content] == []


def _read_pages(built: CompletedProcess[str]) -> list[str]:
    assert built.returncode == 0, built.stderr
    return sorted(
        re.findall(r"^reading sources\.\.\. \[ *\d+%\] (\S+)", built.stdout, re.MULTILINE)
    )


def _build_aloud(sphinx: Sphinx, site: Path) -> CompletedProcess[str]:
    return sphinx.environment.run(
        *("-m", "sphinx", "-W", "-N", "-b", "html", site, site.parent / "html"), cwd=site.parent
    )


def test_only_pages_whose_tree_changed_are_read_again(sphinx: Sphinx, site: Path) -> None:
    first = _build_aloud(sphinx, site)
    second = _build_aloud(sphinx, site)
    before = set(site_files(site.parent / "html").values())
    (site / "trees" / "shop" / "src" / "discounts.py").write_text("HALF = 0.5\n")
    third = _build_aloud(sphinx, site)
    after = site_files(site.parent / "html")
    assert _read_pages(first) == ["guide/deep/reading", "guide/plain", "index"]
    assert _read_pages(second) == []
    assert _read_pages(third) == ["guide/deep/reading", "index"]
    assert set(after) == PACKAGE_FILES | TREE_FILES | THEME_FILES
    assert len(set(after.values()) - before) == 1
    answer = expected("sphinx-index.html").partition("</treeglass-demo>")[0]
    assert demos_of(site.parent / "html" / "index.html").startswith(
        answer.replace("  prices.py", "  discounts.py\n  prices.py")
    )


def test_a_page_is_read_again_when_a_file_of_its_manifest_changes(
    sphinx: Sphinx, site: Path
) -> None:
    listed = {"path": "a.txt", "kind": "file", "size_bytes": 2}
    manifest = {"manifest_version": 1, "base_url": "files/", "entries": [listed]}
    (site / "trees" / "files").mkdir()
    (site / "trees" / "files" / "a.txt").write_text("a\n")
    (site / "trees" / "tree.json").write_text(json.dumps(manifest))
    demo = sphinx.demo("read_file", '{"file_path": "/repo/a.txt"}', tree="trees/tree.json")
    sphinx.write_alone(site, demo)
    _build_aloud(sphinx, site)
    before = (site.parent / "html" / "index.html").read_text("utf-8")
    (site / "trees" / "files" / "a.txt").write_text("b\n")

    again = _build_aloud(sphinx, site)
    after = (site.parent / "html" / "index.html").read_text("utf-8")

    assert _read_pages(again) == ["index"]
    assert [re.findall(r"<pre data.*</pre>", page) for page in (before, after)] == [
        ["<pre data-recorded>L1: a</pre>"],
        ["<pre data-recorded>L1: b</pre>"],
    ]
    addresses = [re.findall(r'src="(_treeglass/trees/tree-.*?)"', page) for page in (before, after)]
    assert addresses[0] != addresses[1]


def test_a_tree_may_hold_the_pages(sphinx: Sphinx, site: Path) -> None:
    project = site.parent / "project"
    project.mkdir()
    docs = site.rename(project / "docs")
    sphinx.configure(docs, package=None)
    asked = '{"dir_path": "/repo", "depth": 1}'
    sphinx.write_alone(docs, sphinx.demo("list_dir", asked, tree=".."))

    built = sphinx.environment.run(
        *("-m", "sphinx", "-W", "-q", docs, site.parent / "html"), cwd=site.parent
    )

    assert (built.returncode, built.stderr) == (0, "")
    assert "<pre data-recorded>Absolute path: /repo\ndocs/</pre>" in demos_of(
        site.parent / "html" / "index.html"
    )


def test_another_version_of_treeglass_reads_the_pages_with_demos_again(
    sphinx: Sphinx, site: Path
) -> None:
    sphinx.configure(site, package=None)
    _build_aloud(sphinx, site)

    upgraded = sphinx.environment.run(
        "-c",
        "import sys, treeglass; treeglass.__version__ = '9.9.9'; "
        "from sphinx.cmd.build import main; sys.exit(main(sys.argv[1:]))",
        *("-W", "-N", "-b", "html", site, site.parent / "html"),
        cwd=site.parent,
    )

    assert _read_pages(upgraded) == ["guide/deep/reading", "index"]
    assert f'src="{CDN.replace(__version__, "9.9.9")}"' in (
        site.parent / "html" / "index.html"
    ).read_text("utf-8")


def test_processes_side_by_side_write_the_same_site(sphinx: Sphinx, site: Path) -> None:
    page = (site / "guide" / "deep" / "reading.md").read_text("utf-8")
    for number in range(8):
        (site / "guide" / "deep" / f"copy-{number}.md").write_text(f"---\norphan:\n---\n{page}")
    alone = sphinx.build_quietly(site).rename(site.parent / "alone")

    together = sphinx.build_quietly(site, "html", "-j", "2", "-E")

    pages = sorted(path.relative_to(alone) for path in alone.rglob("*.html"))
    assert [(together / path).read_bytes() for path in pages] == [
        (alone / path).read_bytes() for path in pages
    ]
    assert site_files(together) == site_files(alone)


def test_an_option_that_is_none_is_named_in_both_languages(sphinx: Sphinx, site: Path) -> None:
    (site / "index.rst").write_text(
        "The shop\n========\n\n.. treeglass-demo:: list_dir\n   :depth: 2\n\n"
        ".. toctree::\n\n   guide/plain\n   guide/deep/reading\n"
    )
    (site / "guide" / "deep" / "reading.md").write_text(
        "# Reading\n\n```{treeglass-demo} list_dir\n:depth: 2\n:tree: /trees/shop\n```\n"
    )

    said = sphinx.complaints(site)

    assert [line.partition(" (allowed")[0] for line in said] == [
        "guide/deep/reading.md:4: WARNING: 'treeglass-demo': Unknown option key: 'depth'",
        'index.rst:4: ERROR: Error in "treeglass-demo" directive:',
        'unknown option: "depth".',
        ".. treeglass-demo:: list_dir",
        "   :depth: 2 [docutils]",
    ]


def test_package_and_script_exclude_each_other(sphinx: Sphinx, site: Path) -> None:
    sphinx.configure(site, script="../element.js")

    assert sphinx.complaints(site) == [
        sphinx.error(
            "treeglass_package: the address of the script is set as well; leave one of them out"
        )
    ]
