"""The documentation is built strictly, looks like the playground, and works without a network."""

import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from build_steps.failure import BuildFailed
from build_steps.folders import ROOT, WEB
from build_steps.site import documentation
from tests.docs.site_pages import read_pages
from tests.support.browser_support import BROWSERS, Browsers, open_watched_page
from tests.support.served_directory import serve_directory

# In a frame, since a window costs twice as much to fill.
_WIDE_PARTS = """async (names) => {
    const frame = document.body.appendChild(document.createElement("iframe"));
    frame.style = "border: 0; height: 844px; width: 390px";
    const widePartsOf = async (name) => {
        await new Promise((resolve) => Object.assign(frame, { onload: resolve, src: name }));
        const { documentElement } = frame.contentDocument;
        return [documentElement, ...documentElement.querySelectorAll(".table-wrapper")]
            .filter((part) => part.scrollWidth > part.clientWidth || part.clientWidth > 390)
            .map((part) => `${name}: ${part.innerText.slice(0, 80)}`);
    };
    const wide = [];
    for (const name of names) wide.push(...(await widePartsOf(name)));
    return wide;
}"""

_STYLES = WEB / "src" / "playground" / "styles" / "base.css"


@pytest.fixture(scope="module")
def origin(dist: Path) -> Iterator[str]:
    """The site, served as `build.py serve` does."""
    with serve_directory(dist / "site", headers={"Cache-Control": "max-age=600"}) as origin:
        yield origin


def _make_source(folder: Path, page: str) -> Path:
    source = folder / "docs"
    source.mkdir()
    configuration = (ROOT / "docs" / "conf.py").read_text("utf-8")
    (source / "conf.py").write_text(configuration, "utf-8")
    (source / "_static").mkdir()
    for name in ("page.js", "theme.js", "treeglass.css"):
        (source / "_static" / name).write_text("", "utf-8")
    (source / "index.md").write_text(page, "utf-8")
    (source / "guide.md").write_text("---\norphan: true\n---\n\n# Guide\n\n## A part\n", "utf-8")
    (source / "changes.md").write_text("---\norphan: true\n---\n\n# Changes\n", "utf-8")
    shutil.copytree(ROOT / "docs" / "_templates", source / "_templates")
    for name in ("favicon.svg", "styles/base.css"):
        copy = folder / "web" / "src" / "playground" / name
        copy.parent.mkdir(parents=True, exist_ok=True)
        copy.write_bytes((WEB / "src" / "playground" / name).read_bytes())
    return source


def _build(folder: Path, page: str) -> str:
    documentation.run_sphinx(_make_source(folder, page), folder / "html")
    html = (folder / "html" / "index.html").read_text("utf-8")
    return html.partition('<article role="main"')[2].partition("</article>")[0]


def test_a_page_with_a_dead_link_fails_the_build_in_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(BuildFailed) as failure:
        _build(tmp_path, "# Page\n\n[Gone](gone.md)\n")

    assert str(failure.value) == (
        "The documentation could not be made: correct in docs/, or in the docstrings, "
        "what Sphinx says above and run again."
    )


def test_links_out_of_the_documentation_become_words_or_pages_of_the_site(tmp_path: Path) -> None:
    article = _build(
        tmp_path,
        "# Page\n\n"
        "- [The example](../web/examples/mcp-iframe/)\n"
        "- [`src/treeglass/config.py`](../src/treeglass/config.py)\n"
        "- [What it is](../README.md)\n"
        "- [The playground](../index.html)\n"
        "- [A part](guide.md#a-part)\n",
    )

    items = re.findall(r"<li><p>(.*?)</p></li>", article, re.DOTALL)
    plain = [re.sub(r'<(?!a |/a>)[^>]*>|class="[^"]*" ', "", item) for item in items]
    assert plain == [
        "The example (web/examples/mcp-iframe)",
        "src/treeglass/config.py",
        '<a href="#">What it is</a>',
        '<a href="../index.html">The playground</a>',
        '<a href="guide.html#a-part">A part</a>',
    ]


def test_script_stands_on_the_pages_with_a_demo_and_on_no_other(dist: Path) -> None:
    pages = read_pages(dist / "site" / "docs").values()
    with_script = {
        page.path.name
        for page in pages
        if any(link.address.endswith("/element.js") for link in page.loaded)
    }

    assert with_script == {
        page.path.name for page in pages if "treeglass-demo" in page.texts_by_element
    }


def _colour(scheme: str, name: str) -> tuple[int, ...]:
    pair = rf"--{name}: light-dark\(#([0-9a-f]{{6}}), #([0-9a-f]{{6}})\);"
    (digits,) = re.findall(pair, _STYLES.read_text("utf-8"))
    return tuple(bytes.fromhex(digits[scheme == "dark"]))


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_page_has_the_colours_of_the_playground(
    scheme: str, origin: str, browsers: Browsers
) -> None:
    with open_watched_page(browsers.get("chromium")) as page:
        page.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
        page.goto(f"{origin}/docs/hosting.html")
        seen = page.evaluate(
            """() => [
                getComputedStyle(document.body).backgroundColor,
                getComputedStyle(document.body).color,
                getComputedStyle(document.querySelector("article a.reference")).color,
                getComputedStyle(document.body).colorScheme,
            ]"""
        )

    wanted = [_colour(scheme, name) for name in ("panel", "ink", "accent")]
    assert seen == [*(f"rgb({r}, {g}, {b})" for r, g, b in wanted), scheme]


def test_no_page_and_no_table_is_wider_than_a_phone(
    origin: str, dist: Path, browsers: Browsers
) -> None:
    folder = dist / "site" / "docs"
    names = sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*.html"))
    with open_watched_page(browsers.get("chromium")) as page:
        page.goto(f"{origin}/docs/search.html")

        assert page.evaluate(_WIDE_PARTS, names) == []


@pytest.mark.parametrize("browser_name", BROWSERS)
def test_demo_of_the_first_page_runs_over_the_sites_own_runtime(
    browser_name: str, origin: str, browsers: Browsers
) -> None:
    with open_watched_page(browsers.get(browser_name)) as page:
        page.goto(f"{origin}/docs/index.html")
        demo = page.locator("treeglass-demo").first
        recorded = demo.locator("pre[data-recorded]").inner_text()
        live = demo.evaluate("async (demo) => (await demo.run()).content")

    assert live == recorded
