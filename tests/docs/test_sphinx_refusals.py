"""The Sphinx extension refuses wrong demos and settings, and takes files from other places."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from tests.docs.sites.site_environment import (
    CDN,
    THEME_FILES,
    TREE_FILES,
    SiteEnvironment,
    copy_site,
    demos_of,
    expected,
    site_files,
    write_package,
)
from tests.docs.sites.sphinx_build import (
    build,
    build_quietly,
    complaints,
    configuration_errors,
    set_options,
)
from treeglass import __version__

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def environment(sphinx_environment: SiteEnvironment) -> SiteEnvironment:
    return sphinx_environment


@pytest.fixture
def site(tmp_path: Path) -> Path:
    """The sources of a site, with a package of this version beside it."""
    write_package(tmp_path / "npm")
    return copy_site("sphinx", tmp_path)


@pytest.mark.parametrize(
    ("directive", "complaint"),
    [
        (
            ".. treeglass-demo:: list_dir\n   :tree: trees/shop\n\n   [1]\n",
            "arguments must be one JSON object, and are not: it holds a list",
        ),
        (
            ".. treeglass-demo:: list_dir\n",
            "tree is missing; name a directory or an archive, or set one for the whole site",
        ),
        (
            ".. treeglass-demo:: list_dir\n   :tree: trees/gone\n",
            "tree 'trees/gone' does not exist; name a directory or an archive",
        ),
        (
            ".. treeglass-demo:: list_dir\n   :tree: trees/shop\n   :theme: pink\n",
            "theme is 'pink'; choose auto, light or dark",
        ),
        (
            ".. treeglass-demo:: list_dirs\n   :tree: trees/shop\n",
            (
                "unknown tool 'list_dirs'; choose list_dir, read_file, grep_files, LS, Read, "
                "Glob, Grep, list_directory or Search"
            ),
        ),
        (
            ".. treeglass-demo:: list_dir\n   :tree: ..\n",
            (
                "tree '..' holds what the build writes, 'doctrees/treeglass-trees'; name a "
                "directory beside that, or build elsewhere"
            ),
        ),
    ],
)
def test_a_demo_that_makes_no_sense_fails_the_build_with_its_place(
    environment: SiteEnvironment, site: Path, directive: str, complaint: str
) -> None:
    (site / "index.rst").write_text(f":orphan:\n\nThe shop\n========\n\n{directive}", "utf-8")
    (site / "guide" / "plain.rst").unlink()
    (site / "guide" / "deep" / "reading.md").unlink()

    built = build(environment, site)

    assert complaints(built, site) == [
        f"index.rst:6: WARNING: treeglass-demo: {complaint} [treeglass]"
    ]


def test_an_option_that_is_none_is_named_in_both_languages(
    environment: SiteEnvironment, site: Path
) -> None:
    (site / "index.rst").write_text(
        "The shop\n========\n\n.. treeglass-demo:: list_dir\n   :depth: 2\n\n"
        ".. toctree::\n\n   guide/plain\n   guide/deep/reading\n"
    )
    (site / "guide" / "deep" / "reading.md").write_text(
        "# Reading\n\n```{treeglass-demo} list_dir\n:depth: 2\n:tree: /trees/shop\n```\n"
    )

    built = build(environment, site)

    assert [line.partition(" (allowed")[0] for line in complaints(built, site)] == [
        "guide/deep/reading.md:4: WARNING: 'treeglass-demo': Unknown option key: 'depth'",
        'index.rst:4: ERROR: Error in "treeglass-demo" directive:',
        'unknown option: "depth".',
        ".. treeglass-demo:: list_dir",
        "   :depth: 2 [docutils]",
    ]


def test_a_tree_that_sphinx_would_make_pages_of_is_pointed_out(
    environment: SiteEnvironment, site: Path
) -> None:
    set_options(site, exclude_patterns=[])  # type: ignore[arg-type]  # the one option that is a list
    (site / "index.rst").write_text(
        "The shop\n========\n\n.. treeglass-demo:: list_dir\n   :tree: trees/shop\n\n"
        ".. toctree::\n\n   guide/plain\n   trees/shop/README\n"
    )
    (site / "guide" / "deep" / "reading.md").unlink()

    built = build(environment, site)

    assert complaints(built, site) == [
        (
            "index.rst:4: WARNING: treeglass-demo: tree trees/shop holds trees/shop/README, which "
            "Sphinx makes a page of; add 'trees/shop' to exclude_patterns in conf.py [treeglass]"
        )
    ]


def test_the_tree_of_the_whole_site_makes_no_pages(
    environment: SiteEnvironment, site: Path
) -> None:
    set_options(site, exclude_patterns=[], treeglass_tree="trees/shop")  # type: ignore[arg-type]  # a list
    (site / "guide" / "deep" / "reading.md").write_text(
        '# Reading\n\n```{treeglass-demo} list_dir\n{"dir_path": "/repo", "depth": 2}\n```\n'
    )

    html = build_quietly(environment, site)

    assert sorted(path.name for path in html.rglob("README*")) == []
    assert demos_of(html / "guide" / "deep" / "reading.html") == expected(
        "sphinx-default-tree.html"
    )


@pytest.mark.parametrize(
    ("package", "script", "loaded"),
    [
        (None, None, CDN),
        (None, "../element.js", "../../../element.js"),
        (None, "/assets/element.js", "/assets/element.js"),
        (None, "https://static.example/element.js", "https://static.example/element.js"),
    ],
)
def test_the_script_may_lie_elsewhere(
    environment: SiteEnvironment, site: Path, package: None, script: str | None, loaded: str
) -> None:
    set_options(site, treeglass_package=package, treeglass_script=script)

    html = build_quietly(environment, site)
    page = (html / "guide" / "deep" / "reading.html").read_text("utf-8")

    assert re.findall(r'<script type="module" src="([^"]*)"', page) == [loaded]
    assert set(site_files(html)) == TREE_FILES | THEME_FILES


def test_a_package_that_is_not_there_ends_the_build(
    environment: SiteEnvironment, site: Path
) -> None:
    set_options(site, treeglass_package="node_modules/treeglass")

    built = build(environment, site)

    assert configuration_errors(built, site) == [
        (
            "treeglass_package: 'node_modules/treeglass' is not a directory; run "
            f"`npm install treeglass@{__version__}` and name its folder"
        ),
    ]


def test_a_package_of_another_version_is_told(environment: SiteEnvironment, site: Path) -> None:
    write_package(site.parent / "npm", version="0.0.9")

    built = build(environment, site)

    assert complaints(built, site) == [
        (
            "WARNING: treeglass_package: '../npm' is treeglass 0.0.9, and the recorded answers "
            f"are those of {__version__}; run `npm install treeglass@{__version__}` and name its "
            "folder [treeglass]"
        )
    ]


def test_package_and_script_exclude_each_other(environment: SiteEnvironment, site: Path) -> None:
    set_options(site, treeglass_script="../element.js")

    built = build(environment, site)

    assert configuration_errors(built, site) == [
        "treeglass_package: the address of the script is set as well; leave one of them out",
    ]
