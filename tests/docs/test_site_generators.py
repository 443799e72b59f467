"""What Sphinx and MkDocs make of a site with demos alike, and what they refuse alike."""

import re
from collections.abc import Callable
from functools import cache
from itertools import accumulate
from pathlib import Path

import pytest

from tests.docs.sites.generators import Generator
from tests.docs.sites.site_environment import (
    CDN,
    PACKAGE_FILES,
    THEME_FILES,
    TREE_FILES,
    demos_of,
    expected,
    site_files,
    write_package,
)
from treeglass import __version__


@pytest.fixture(scope="module", params=["sphinx", "mkdocs"])
def generator(request: pytest.FixtureRequest) -> Generator:
    found: Generator = request.getfixturevalue(request.param)
    return found


@pytest.fixture
def site(generator: Generator, tmp_path: Path) -> Path:
    return generator.new_site(tmp_path)


@pytest.fixture(scope="module")
def built(generator: Generator, tmp_path_factory: pytest.TempPathFactory) -> Callable[..., Path]:
    """The output for the site as it stands with some options, for tests that only read it."""

    @cache
    def build_once(*options: str) -> Path:
        site = generator.new_site(tmp_path_factory.mktemp(generator.name))
        return generator.build_quietly(site, *options)

    return build_once


def test_pages_hold_the_elements_with_their_answers(
    built: Callable[..., Path], generator: Generator
) -> None:
    html = built()

    for page in ("index", "reading"):
        answered = expected(f"{generator.name}-{page}.html")
        assert demos_of(html / generator.pages[page]) == answered


def test_a_page_without_a_demo_loads_no_script(
    built: Callable[..., Path], generator: Generator
) -> None:
    assert "treeglass" not in (built() / generator.pages["plain"]).read_text("utf-8")


def test_trees_and_the_package_lie_in_the_site_once(built: Callable[..., Path]) -> None:
    html = built()

    assert set(site_files(html)) == PACKAGE_FILES | TREE_FILES | THEME_FILES
    copied = html / "_treeglass" / f"package-{__version__}"
    assert {
        name: (copied / name).read_bytes() == (html.parent / "npm" / name).read_bytes()
        for name in ("element.js", "assets/engine/core.wasm.br")
    } == {"element.js": True, "assets/engine/core.wasm.br": True}


@pytest.mark.parametrize(
    ("generator", "option", "page", "to_root"),
    [
        ("sphinx", "html", "guide/deep/reading.html", "../../"),
        ("sphinx", "dirhtml", "guide/deep/reading/index.html", "../../../"),
        ("sphinx", "singlehtml", "index.html", ""),
        ("mkdocs", "--use-directory-urls", "guide/deep/reading/index.html", "../../../"),
        ("mkdocs", "--no-directory-urls", "guide/deep/reading.html", "../../"),
        ("mkdocs", "--use-directory-urls", "index.html", ""),
        ("mkdocs", "--no-directory-urls", "index.html", ""),
    ],
    indirect=["generator"],
)
def test_addresses_lead_from_every_page_to_the_files(
    built: Callable[..., Path], option: str, page: str, to_root: str
) -> None:
    output = built(option)

    sources = re.findall(r'src="((?:[^"]*/)?_treeglass[^"]*)"', (output / page).read_text("utf-8"))

    assert {address.partition("_treeglass")[0] for address in sources} == {to_root}
    assert all(((output / page).parent / address).is_file() for address in sources)


_NO_SENSE: dict[str, dict[str, str]] = {
    "arguments must be one JSON object, and are not: it holds a list": {
        "content": "[1]",
        "tree": "trees/shop",
    },
    "tree is missing; name a directory or an archive, or set one for the whole site": {},
    "tree 'trees/gone' does not exist; name a directory or an archive": {"tree": "trees/gone"},
    "theme is 'pink'; choose auto, light or dark": {"tree": "trees/shop", "theme": "pink"},
    "unknown tool 'list_dirs'; choose list_dir, read_file, grep_files, apply_patch, LS, Read, "
    "Glob, Grep, Write, Edit, MultiEdit, list_directory or Search": {
        "tool": "list_dirs",
        "tree": "trees/shop",
    },
}
"""By the complaint, what a demo says."""


def test_demos_that_make_no_sense_fail_the_build_with_their_places(
    generator: Generator, site: Path
) -> None:
    demos = [generator.demo(**{"tool": "list_dir", **said}) for said in _NO_SENSE.values()]
    page, _, first_line = generator.write_alone(site, "\n".join(demos)).partition(":")

    lines = accumulate((demo.count("\n") + 1 for demo in demos[:-1]), initial=int(first_line))
    assert generator.complaints(site) == [
        generator.warning(f"treeglass-demo: {complaint}", f"{page}:{line}")
        for complaint, line in zip(_NO_SENSE, lines, strict=True)
    ]


@pytest.mark.parametrize(
    ("generator", "tree", "written"),
    [("sphinx", "..", "doctrees/treeglass-trees"), ("mkdocs", "../..", "html/_treeglass/trees")],
    indirect=["generator"],
)
def test_a_tree_that_holds_what_the_build_writes_is_refused(
    generator: Generator, site: Path, tree: str, written: str
) -> None:
    place = generator.write_alone(site, generator.demo("list_dir", tree=tree))

    complaint = (
        f"treeglass-demo: tree '{tree}' holds what the build writes, '{written}'; "
        "name a directory beside that, or build elsewhere"
    )
    assert generator.complaints(site) == [generator.warning(complaint, place)]


@pytest.mark.parametrize(
    ("generator", "page", "remedy"),
    [
        ("sphinx", "README, which Sphinx", "add 'trees/shop' to exclude_patterns in conf.py"),
        ("mkdocs", "README.md, which MkDocs", "set `exclude_docs: /trees/shop/` in mkdocs.yml"),
    ],
    indirect=["generator"],
)
def test_a_tree_that_pages_would_be_made_of_is_pointed_out(
    generator: Generator, site: Path, page: str, remedy: str
) -> None:
    generator.configure(site, excludes_trees=False, package="../npm")
    demo = generator.demo("list_dir", tree="trees/shop")
    place = generator.write_alone(site, demo, "trees/shop/README")

    complaint = f"tree trees/shop holds trees/shop/{page} makes a page of; {remedy}"
    assert generator.complaints(site) == [generator.warning(f"treeglass-demo: {complaint}", place)]


@pytest.mark.parametrize(
    ("generator", "fence", "options"),
    [("sphinx", "{treeglass-demo}", ()), ("mkdocs", "treeglass-demo", ("--no-directory-urls",))],
    indirect=["generator"],
)
def test_the_tree_of_the_whole_site_makes_no_pages(
    generator: Generator, site: Path, fence: str, options: tuple[str, ...]
) -> None:
    generator.configure(site, excludes_trees=False, package="../npm", tree="trees/shop")
    (page,) = site.rglob("reading.md")
    page.write_text(f'# Reading\n\n```{fence} list_dir\n{{"dir_path": "/repo", "depth": 2}}\n```\n')

    html = generator.build_quietly(site, *options)

    assert sorted(path.name for path in html.rglob("README*")) == []
    demos = demos_of(html / "guide" / "deep" / "reading.html")
    assert demos == expected(f"{generator.name}-default-tree.html")


@pytest.mark.parametrize(
    "script", [None, "../element.js", "/assets/element.js", "https://static.example/element.js"]
)
def test_the_script_may_lie_elsewhere(generator: Generator, site: Path, script: str | None) -> None:
    generator.configure(site, package=None, script=script)

    html = generator.build_quietly(site)
    page = (html / generator.pages["reading"]).read_text("utf-8")

    relative = generator.to_root if (script or "").startswith(".") else ""
    loaded = re.findall(r'<script type="module" src="([^"]*)"', page)
    assert loaded == [CDN if script is None else relative + script]
    assert set(site_files(html)) == TREE_FILES | THEME_FILES


def test_a_package_that_is_not_there_ends_the_build(generator: Generator, site: Path) -> None:
    generator.configure(site, package="node_modules/treeglass")

    assert generator.complaints(site) == [
        generator.error(
            f"{generator.setting}package: 'node_modules/treeglass' is not a directory; run "
            f"`npm install treeglass@{__version__}` and name its folder"
        )
    ]


def test_a_package_of_another_version_is_told(generator: Generator, site: Path) -> None:
    write_package(site.parent / "npm", version="0.0.9")

    assert generator.complaints(site) == [
        generator.warning(
            f"{generator.setting}package: '../npm' is treeglass 0.0.9, and the recorded answers "
            f"are those of {__version__}; run `npm install treeglass@{__version__}` and name its "
            "folder"
        )
    ]
