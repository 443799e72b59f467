"""The MkDocs plugin, in a fresh environment that holds only the built wheel and its extra."""

from __future__ import annotations

import re
import shutil
import subprocess
from functools import cache
from typing import TYPE_CHECKING

import pytest

from tests.docs.sites.site_environment import (
    CDN,
    PACKAGE_FILES,
    SITES,
    THEME_FILES,
    TREE_FILES,
    SiteEnvironment,
    copy_site,
    demos_of,
    expected,
    make_environment,
    site_files,
    write_package,
)
from treeglass import __version__

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path
    from subprocess import CompletedProcess

FENCES = {
    "fenced_code": "",
    "pymdownx.superfences": "  - pymdownx.superfences\n  - pymdownx.highlight\n",
    "codehilite": "  - codehilite\n",
}
"""What may render the other fences of a page, as lines of `mkdocs.yml`."""

_EXTENSIONS = "markdown_extensions:\n  - admonition\n"
_OPTIONS = "  - treeglass:\n      package: ../npm\n"


@pytest.fixture(scope="module")
def environment(dist: Path, tmp_path_factory: pytest.TempPathFactory) -> SiteEnvironment:
    """The environment that `pip install treeglass[mkdocs] pymdown-extensions` makes."""
    folder = tmp_path_factory.mktemp("mkdocs-environment")
    return make_environment(folder, dist, "mkdocs", "pymdown-extensions==13.1")


def _new_site(folder: Path) -> Path:
    write_package(folder / "npm")
    return copy_site("mkdocs", folder)


@pytest.fixture
def site(tmp_path: Path) -> Path:
    """The sources of a site, with a package of this version beside it."""
    return _new_site(tmp_path)


@pytest.fixture(scope="module")
def built(
    environment: SiteEnvironment, tmp_path_factory: pytest.TempPathFactory
) -> Callable[..., Path]:
    """The site with some fences, built with some options, for tests that only read it."""

    @cache
    def build_once(fences: str, *options: str) -> Path:
        site = _new_site(tmp_path_factory.mktemp("mkdocs"))
        _configure(site, _EXTENSIONS, _EXTENSIONS + fences)
        return _built(environment, site, *options)

    return build_once


def _build(environment: SiteEnvironment, site: Path, *options: str) -> CompletedProcess[str]:
    return environment.run(
        *("-m", "mkdocs", "build", "--strict", *options),
        *("--config-file", site / "mkdocs.yml", "--site-dir", site.parent / "html"),
        cwd=site.parent,
    )


def _built(environment: SiteEnvironment, site: Path, *options: str) -> Path:
    built = _build(environment, site, *options)
    assert (built.returncode, built.stdout, _complaints(built)) == (0, "", [])
    return site.parent / "html"


def _complaints(built: CompletedProcess[str]) -> list[str]:
    return [line for line in built.stderr.splitlines() if line and not line.startswith("INFO")]


def _configure(site: Path, said: str, instead: str) -> None:
    config = site / "mkdocs.yml"
    text = config.read_text("utf-8")
    assert said in text
    config.write_text(text.replace(said, instead), "utf-8")


@pytest.mark.parametrize("fences", FENCES.values(), ids=FENCES)
def test_pages_hold_the_elements_with_their_answers(
    built: Callable[..., Path], fences: str
) -> None:
    html = built(fences)

    reading = html / "guide" / "deep" / "reading" / "index.html"
    assert demos_of(html / "index.html") == expected("mkdocs-index.html")
    assert demos_of(reading) == expected("mkdocs-reading.html")


@pytest.mark.parametrize("fences", FENCES.values(), ids=FENCES)
def test_what_only_shows_a_fence_stays_as_it_is(built: Callable[..., Path], fences: str) -> None:
    html = built(fences)
    page = (html / "index.html").read_text("utf-8")
    shown = [
        re.sub(r"<[^>]+>", "", code) for code in re.findall(r"<code.*?</code>", page, re.DOTALL)
    ]

    assert [text.rstrip() for text in shown] == [
        "```treeglass-demo list_dir\n:tree: trees/shop\n```",
        "```treeglass-demo list_dir\n:tree: trees/shop\n:label: &lt;b&gt;\n```",
    ]
    assert "<!--\n```treeglass-demo list_dir\n```\n-->" in page


def test_an_answer_that_looks_like_a_placeholder_of_markdown_stays_text(
    environment: SiteEnvironment, site: Path
) -> None:
    shutil.rmtree(site / "docs" / "guide")
    (site / "docs" / "trees" / "shop" / "marks").write_text("\x02wzxhzdk:0\x03 \x02amp\x03\n")
    (site / "docs" / "index.md").write_text(
        "# Shop\n\n```treeglass-demo read_file\n:tree: trees/shop\n\n"
        '{"file_path": "/repo/marks"}\n```\n'
    )

    html = _built(environment, site)

    assert re.findall(r"<pre .*</pre>", demos_of(html / "index.html")) == [
        "<pre data-recorded>L1: &#2;wzxhzdk:0&#3; &#2;amp&#3;</pre>"
    ]


def test_a_page_without_a_demo_loads_no_script(built: Callable[..., Path]) -> None:
    plain = built("") / "guide" / "plain" / "index.html"

    assert "treeglass" not in plain.read_text("utf-8")


def test_trees_and_the_package_lie_in_the_site_once(built: Callable[..., Path]) -> None:
    html = built("")

    assert set(site_files(html)) == PACKAGE_FILES | TREE_FILES | THEME_FILES
    copied = html / "_treeglass" / f"package-{__version__}"
    assert {
        name: (copied / name).read_bytes() == (html.parent / "npm" / name).read_bytes()
        for name in ("element.js", "assets/engine/core.wasm.br")
    } == {"element.js": True, "assets/engine/core.wasm.br": True}


@pytest.mark.parametrize(
    ("option", "page", "to_root"),
    [
        ("--use-directory-urls", "guide/deep/reading/index.html", "../../../"),
        ("--no-directory-urls", "guide/deep/reading.html", "../../"),
        ("--use-directory-urls", "index.html", ""),
        ("--no-directory-urls", "index.html", ""),
    ],
)
def test_addresses_lead_from_every_page_to_the_files(
    built: Callable[..., Path], option: str, page: str, to_root: str
) -> None:
    html = built("", option)

    sources = re.findall(r'src="((?:[^"]*/)?_treeglass[^"]*)"', (html / page).read_text("utf-8"))

    assert {address.partition("_treeglass")[0] for address in sources} == {to_root}
    assert all(((html / page).parent / address).is_file() for address in sources)


@pytest.mark.parametrize(
    ("fence", "complaint"),
    [
        (
            "```treeglass-demo list_dir\n:tree: trees/shop\n\n[1]\n```\n",
            "arguments must be one JSON object, and are not: it holds a list",
        ),
        (
            "```treeglass-demo list_dir\n```\n",
            "tree is missing; name a directory or an archive, or set one for the whole site",
        ),
        (
            "```treeglass-demo list_dir\n:tree: trees/gone\n```\n",
            "tree 'trees/gone' does not exist; name a directory or an archive",
        ),
        (
            "```treeglass-demo list_dir\n:depth: 2\n```\n",
            (
                "unknown option 'depth'; treeglass-demo takes tree, entries, integrity, "
                "mount-path, config, max-output-bytes, loading, readonly, files, label, theme, "
                "assets"
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
        (
            "```treeglass-demo list_dirs\n:tree: trees/shop\n```\n",
            (
                "unknown tool 'list_dirs'; choose list_dir, read_file, grep_files, LS, Read, "
                "Glob, Grep, list_directory or Search"
            ),
        ),
        (
            "```treeglass-demo list_dir\n:tree: ../..\n```\n",
            (
                "tree '../..' holds what the build writes, 'html/_treeglass/trees'; name a "
                "directory beside that, or build elsewhere"
            ),
        ),
    ],
)
def test_a_demo_that_makes_no_sense_fails_a_strict_build_with_its_place(
    environment: SiteEnvironment, site: Path, fence: str, complaint: str
) -> None:
    (site / "docs" / "index.md").write_text(f"---\ntitle: Shop\n---\n\n# Shop\n\n{fence}")

    built = _build(environment, site)

    assert built.returncode == 1
    assert _complaints(built) == [
        f"WARNING -  treeglass: index.md:7: treeglass-demo: {complaint}",
    ]


def test_a_tree_that_mkdocs_would_make_pages_of_is_pointed_out(
    environment: SiteEnvironment, site: Path
) -> None:
    _configure(site, "exclude_docs: /trees/\n", "")
    (site / "docs" / "index.md").write_text(
        "# Shop\n\n```treeglass-demo list_dir\n:tree: trees/shop\n```\n"
    )
    shutil.rmtree(site / "docs" / "guide")

    built = _build(environment, site)

    assert built.returncode == 1
    assert _complaints(built) == [
        (
            "WARNING -  treeglass: index.md:3: treeglass-demo: tree trees/shop holds "
            "trees/shop/README.md, which MkDocs makes a page of; set "
            "`exclude_docs: /trees/shop/` in mkdocs.yml"
        ),
    ]


def test_the_tree_of_the_whole_site_makes_no_pages(
    environment: SiteEnvironment, site: Path
) -> None:
    _configure(site, "exclude_docs: /trees/\n", "")
    _configure(site, _OPTIONS, _OPTIONS + "      tree: trees/shop\n")
    (site / "docs" / "index.md").write_text("# Shop\n")
    (site / "docs" / "guide" / "deep" / "reading.md").write_text(
        '# Reading\n\n```treeglass-demo list_dir\n{"dir_path": "/repo", "depth": 2}\n```\n'
    )

    html = _built(environment, site, "--no-directory-urls")

    assert sorted(html.rglob("README*")) == []
    assert demos_of(html / "guide" / "deep" / "reading.html") == (
        expected("mkdocs-default-tree.html")
    )


@pytest.mark.parametrize(
    ("options", "loaded"),
    [
        ("  - treeglass\n", CDN),
        ("  - treeglass:\n      script: ../element.js\n", "../../../../element.js"),
        ("  - treeglass:\n      script: /assets/element.js\n", "/assets/element.js"),
        (
            "  - treeglass:\n      script: https://static.example/element.js\n",
            "https://static.example/element.js",
        ),
    ],
)
def test_the_script_may_lie_elsewhere(
    environment: SiteEnvironment, site: Path, options: str, loaded: str
) -> None:
    _configure(site, _OPTIONS, options)

    html = _built(environment, site)
    page = (html / "guide" / "deep" / "reading" / "index.html").read_text("utf-8")

    assert re.findall(r'<script type="module" src="([^"]*)"', page) == [loaded]
    assert set(site_files(html)) == TREE_FILES | THEME_FILES


def test_a_package_that_is_not_there_ends_the_build(
    environment: SiteEnvironment, site: Path
) -> None:
    _configure(site, "../npm", "node_modules/treeglass")

    built = _build(environment, site)

    assert built.returncode == 1
    assert _complaints(built) == [
        (
            "ERROR   -  treeglass: package: 'node_modules/treeglass' is not a directory; run "
            f"`npm install treeglass@{__version__}` and name its folder"
        ),
    ]


def test_a_package_of_another_version_fails_a_strict_build(
    environment: SiteEnvironment, site: Path
) -> None:
    write_package(site.parent / "npm", version="0.0.9")

    built = _build(environment, site)

    assert built.returncode == 1
    assert _complaints(built) == [
        (
            "WARNING -  treeglass: package: '../npm' is treeglass 0.0.9, and the recorded answers "
            f"are those of {__version__}; run `npm install treeglass@{__version__}` and name its "
            "folder"
        ),
    ]


def test_serving_watches_the_trees_that_lie_elsewhere(
    environment: SiteEnvironment, site: Path
) -> None:
    tree = site.parent / "elsewhere"
    shutil.copytree(SITES / "shop", tree)
    (site / "docs" / "index.md").write_text(
        "# Shop\n\n```treeglass-demo list_dir\n:tree: ../../elsewhere\n```\n"
    )

    serving = subprocess.Popen(
        [environment.python, "-m", "mkdocs", "serve", "--dev-addr", "127.0.0.1:0"],
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
