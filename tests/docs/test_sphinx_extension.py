"""The Sphinx extension, in a fresh environment that holds the built wheel and nothing else."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

import pytest

from tests.docs.sites.site_environment import (
    CDN,
    PACKAGE_FILES,
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
    from pathlib import Path
    from subprocess import CompletedProcess


@pytest.fixture(scope="module")
def environment(dist: Path, tmp_path_factory: pytest.TempPathFactory) -> SiteEnvironment:
    """What `pip install treeglass[sphinx] myst-parser furo` gives."""
    folder = tmp_path_factory.mktemp("sphinx-environment")
    return make_environment(folder, dist, "sphinx", "myst-parser", "furo")


@pytest.fixture
def site(tmp_path: Path) -> Path:
    """The sources of a site, with a package of this version beside it."""
    write_package(tmp_path / "npm")
    return copy_site("sphinx", tmp_path)


def _build(
    environment: SiteEnvironment, site: Path, builder: str = "html", *options: str
) -> CompletedProcess[str]:
    return environment.run(
        *("-m", "sphinx", "-W", "--keep-going", "-q", *options, "-b", builder),
        *("-d", site.parent / "doctrees", site, site.parent / builder),
        cwd=site.parent,
    )


def _built(environment: SiteEnvironment, site: Path, builder: str = "html", *options: str) -> Path:
    built = _build(environment, site, builder, *options)
    assert (built.returncode, built.stdout, built.stderr) == (0, "", "")
    return site.parent / builder


def _complaints(built: CompletedProcess[str], site: Path) -> list[str]:
    """Return the lines that a failed build wrote, without colours and the site's own path."""
    assert built.returncode != 0
    text = re.sub(r"\x1b\[[0-9;]*m", "", built.stderr).replace(f"{site}/", "")
    return [line for line in text.splitlines() if line]


def _configuration_errors(built: CompletedProcess[str], site: Path) -> list[str]:
    lines = [line.strip() for line in _complaints(built, site)]
    name = "sphinx.errors.ConfigError: "
    return [line.removeprefix(name) for line in lines if line.startswith(name)]


def _set(site: Path, **values: str | None) -> None:
    lines = "".join(f"{name} = {value!r}\n" for name, value in values.items())
    conf = site / "conf.py"
    conf.write_text(f"{conf.read_text('utf-8')}\n{lines}", "utf-8")


def test_pages_hold_the_elements_with_their_answers(
    environment: SiteEnvironment, site: Path
) -> None:
    html = _built(environment, site)

    assert demos_of(html / "index.html") == expected("sphinx-index.html")
    assert demos_of(html / "guide" / "deep" / "reading.html") == expected("sphinx-reading.html")


def test_a_page_without_a_demo_loads_no_script(environment: SiteEnvironment, site: Path) -> None:
    html = _built(environment, site)

    assert "treeglass" not in (html / "guide" / "plain.html").read_text("utf-8")


def test_trees_and_the_package_lie_in_the_site_once(
    environment: SiteEnvironment, site: Path
) -> None:
    html = _built(environment, site)

    assert set(site_files(html)) == PACKAGE_FILES | TREE_FILES | THEME_FILES
    copied = html / "_treeglass" / f"package-{__version__}"
    assert {
        name: (copied / name).read_bytes() == (site.parent / "npm" / name).read_bytes()
        for name in ("element.js", "assets/engine/core.wasm.br")
    } == {"element.js": True, "assets/engine/core.wasm.br": True}


@pytest.mark.parametrize(
    ("builder", "page", "to_root"),
    [
        ("html", "guide/deep/reading.html", "../../"),
        ("dirhtml", "guide/deep/reading/index.html", "../../../"),
        ("singlehtml", "index.html", ""),
    ],
)
def test_addresses_lead_from_every_page_to_the_files(
    environment: SiteEnvironment, site: Path, builder: str, page: str, to_root: str
) -> None:
    output = _built(environment, site, builder)

    sources = re.findall(r'src="((?:[^"]*/)?_treeglass[^"]*)"', (output / page).read_text("utf-8"))

    assert {address.partition("_treeglass")[0] for address in sources} == {to_root}
    assert all(((output / page).parent / address).is_file() for address in sources)


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
def test_what_runs_no_scripts_gets_the_answers_alone(
    environment: SiteEnvironment, site: Path, builder: str, file: str
) -> None:
    _set(site, copyright="nobody", version="1", treeglass_package=None)

    output = _built(environment, site, builder)
    written = (output / file).read_text("utf-8")

    assert ("Absolute path" in written, "treeglass-demo" in written) == (True, False)
    assert not (output / "_treeglass").exists()


def test_text_shows_the_call_and_its_answer(environment: SiteEnvironment, site: Path) -> None:
    output = _built(environment, site, "text")

    assert (output / "index.txt").read_text("utf-8") == expected("sphinx-index.txt")


@pytest.mark.parametrize("builder", ["gettext", "linkcheck"])
def test_builders_that_write_no_pages_pass_demos_by(
    environment: SiteEnvironment, site: Path, builder: str
) -> None:
    output = _built(environment, site, builder)

    written = {path.name: path.read_bytes() for path in output.rglob("*.*")}

    assert written
    assert [name for name, content in written.items() if b"Absolute path" in content] == []


def _read_pages(built: CompletedProcess[str]) -> list[str]:
    assert built.returncode == 0, built.stderr
    return sorted(
        re.findall(r"^reading sources\.\.\. \[ *\d+%\] (\S+)", built.stdout, re.MULTILINE)
    )


def _build_aloud(environment: SiteEnvironment, site: Path) -> CompletedProcess[str]:
    return environment.run(
        *("-m", "sphinx", "-W", "-N", "-b", "html", site, site.parent / "html"), cwd=site.parent
    )


def test_only_pages_whose_tree_changed_are_read_again(
    environment: SiteEnvironment, site: Path
) -> None:
    first = _build_aloud(environment, site)
    second = _build_aloud(environment, site)
    before = set(site_files(site.parent / "html").values())
    (site / "trees" / "shop" / "src" / "discounts.py").write_text("HALF = 0.5\n")
    third = _build_aloud(environment, site)
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
    environment: SiteEnvironment, site: Path
) -> None:
    listed = {"path": "a.txt", "kind": "file", "size_bytes": 2}
    manifest = {"manifest_version": 1, "base_url": "files/", "entries": [listed]}
    (site / "trees" / "files").mkdir()
    (site / "trees" / "files" / "a.txt").write_text("a\n")
    (site / "trees" / "tree.json").write_text(json.dumps(manifest))
    (site / "index.rst").write_text(
        "The shop\n========\n\n.. treeglass-demo:: read_file\n   :tree: trees/tree.json\n\n"
        '   {"file_path": "/repo/a.txt"}\n\n.. toctree::\n\n   guide/plain\n'
        "   guide/deep/reading\n"
    )
    _build_aloud(environment, site)
    before = (site.parent / "html" / "index.html").read_text("utf-8")
    (site / "trees" / "files" / "a.txt").write_text("b\n")

    again = _build_aloud(environment, site)
    after = (site.parent / "html" / "index.html").read_text("utf-8")

    assert _read_pages(again) == ["index"]
    assert [re.findall(r"<pre data.*</pre>", page) for page in (before, after)] == [
        ["<pre data-recorded>L1: a</pre>"],
        ["<pre data-recorded>L1: b</pre>"],
    ]
    addresses = [re.findall(r'src="(_treeglass/trees/tree-.*?)"', page) for page in (before, after)]
    assert addresses[0] != addresses[1]


def test_a_tree_may_hold_the_pages(environment: SiteEnvironment, site: Path) -> None:
    project = site.parent / "project"
    project.mkdir()
    docs = site.rename(project / "docs")
    _set(docs, treeglass_package=None)
    (docs / "index.rst").write_text(
        "The shop\n========\n\n.. treeglass-demo:: list_dir\n   :tree: ..\n\n"
        '   {"dir_path": "/repo", "depth": 1}\n\n.. toctree::\n\n   guide/plain\n'
        "   guide/deep/reading\n"
    )

    built = environment.run(
        *("-m", "sphinx", "-W", "-q", docs, site.parent / "html"), cwd=site.parent
    )

    assert (built.returncode, built.stderr) == (0, "")
    assert "<pre data-recorded>Absolute path: /repo\ndocs/</pre>" in demos_of(
        site.parent / "html" / "index.html"
    )


def test_another_version_of_treeglass_reads_the_pages_with_demos_again(
    environment: SiteEnvironment, site: Path
) -> None:
    _set(site, treeglass_package=None)
    _build_aloud(environment, site)

    upgraded = environment.run(
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


def test_processes_side_by_side_write_the_same_site(
    environment: SiteEnvironment, site: Path
) -> None:
    page = (site / "guide" / "deep" / "reading.md").read_text("utf-8")
    for number in range(8):
        (site / "guide" / "deep" / f"copy-{number}.md").write_text(f"---\norphan:\n---\n{page}")
    alone = _built(environment, site).rename(site.parent / "alone")

    together = _built(environment, site, "html", "-j", "2", "-E")

    pages = sorted(path.relative_to(alone) for path in alone.rglob("*.html"))
    assert [(together / path).read_bytes() for path in pages] == [
        (alone / path).read_bytes() for path in pages
    ]
    assert site_files(together) == site_files(alone)


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
            "tool 'list_dirs' is none; choose list_dir, read_file, LS or list_directory",
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

    built = _build(environment, site)

    assert _complaints(built, site) == [
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

    built = _build(environment, site)

    assert [line.partition(" (allowed")[0] for line in _complaints(built, site)] == [
        "guide/deep/reading.md:4: WARNING: 'treeglass-demo': Unknown option key: 'depth'",
        'index.rst:4: ERROR: Error in "treeglass-demo" directive:',
        'unknown option: "depth".',
        ".. treeglass-demo:: list_dir",
        "   :depth: 2 [docutils]",
    ]


def test_a_tree_that_sphinx_would_make_pages_of_is_pointed_out(
    environment: SiteEnvironment, site: Path
) -> None:
    _set(site, exclude_patterns=[])  # type: ignore[arg-type]  # the one option that is a list
    (site / "index.rst").write_text(
        "The shop\n========\n\n.. treeglass-demo:: list_dir\n   :tree: trees/shop\n\n"
        ".. toctree::\n\n   guide/plain\n   trees/shop/README\n"
    )
    (site / "guide" / "deep" / "reading.md").unlink()

    built = _build(environment, site)

    assert _complaints(built, site) == [
        (
            "index.rst:4: WARNING: treeglass-demo: tree trees/shop holds trees/shop/README, which "
            "Sphinx makes a page of; add 'trees/shop' to exclude_patterns in conf.py [treeglass]"
        )
    ]


def test_the_tree_of_the_whole_site_makes_no_pages(
    environment: SiteEnvironment, site: Path
) -> None:
    _set(site, exclude_patterns=[], treeglass_tree="trees/shop")  # type: ignore[arg-type]  # a list
    (site / "guide" / "deep" / "reading.md").write_text(
        '# Reading\n\n```{treeglass-demo} list_dir\n{"dir_path": "/repo", "depth": 2}\n```\n'
    )

    html = _built(environment, site)

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
    _set(site, treeglass_package=package, treeglass_script=script)

    html = _built(environment, site)
    page = (html / "guide" / "deep" / "reading.html").read_text("utf-8")

    assert re.findall(r'<script type="module" src="([^"]*)"', page) == [loaded]
    assert set(site_files(html)) == TREE_FILES | THEME_FILES


def test_a_package_that_is_not_there_ends_the_build(
    environment: SiteEnvironment, site: Path
) -> None:
    _set(site, treeglass_package="node_modules/treeglass")

    built = _build(environment, site)

    assert _configuration_errors(built, site) == [
        (
            "treeglass_package: 'node_modules/treeglass' is no directory; run "
            f"`npm install treeglass@{__version__}` and name its folder"
        ),
    ]


def test_a_package_of_another_version_is_told(environment: SiteEnvironment, site: Path) -> None:
    write_package(site.parent / "npm", version="0.0.9")

    built = _build(environment, site)

    assert _complaints(built, site) == [
        (
            "WARNING: treeglass_package: '../npm' is treeglass 0.0.9, and the recorded answers "
            f"are those of {__version__}; run `npm install treeglass@{__version__}` and name its "
            "folder [treeglass]"
        )
    ]


def test_package_and_script_exclude_each_other(environment: SiteEnvironment, site: Path) -> None:
    _set(site, treeglass_script="../element.js")

    built = _build(environment, site)

    assert _configuration_errors(built, site) == [
        "treeglass_package: the address of the script is set as well; leave one of them out",
    ]
