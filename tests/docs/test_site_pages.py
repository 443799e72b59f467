"""What a page of the documentation has and does: search, buttons, and what it says of itself."""

import json
import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import parse_qsl

import pytest
from playwright.sync_api import Route, expect

from build_steps.folders import ROOT
from build_steps.packaged_pages import REPOSITORY, SITE
from build_steps.site.stackblitz import EXAMPLES, VITE
from tests.browser.clipboard import NOTE_COPIES
from tests.docs.site_pages import Page, read_pages, stackblitz_projects
from tests.support.browser_support import BROWSERS, Browsers, open_watched_page
from tests.support.served_directory import serve_directory
from treeglass import __version__

_POLICY = (
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; "
    "img-src 'self' data:; connect-src 'self'; worker-src 'self'; "
    "require-trusted-types-for 'script'; trusted-types default; "
    "form-action 'self' https://stackblitz.com"
)
"""What docs/hosting.md says of the playground, and of the forms of the documentation."""

_FIRST_PAGES_BY_WORDS = {
    "brotli_static": "hosting.html",
    "compare": "playground.html",
    "cors": "troubleshooting.html",
    "csp": "troubleshooting.html",
    "faq": "faq.html",
    "offline": "troubleshooting.html",
    "openai": "adapters.html",
    "patch": "tools/apply_patch.html",
    "playground": "playground.html",
    "react": "bundlers.html",
    "readFile": "reference/javascript/index/classes/TreeglassClient.html",
    "safari": "troubleshooting.html",
    "timeout": "troubleshooting.html",
    "tokens": "tokens.html",
    "tool registy": "start/python.html",
    "upload zip": "faq.html",
    "write": "tools/Write.html",
}
"""What a reader may type, misspelled too, and the page that is the first answer."""


@pytest.fixture(scope="module")
def below(dist: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The documentation below a path, under the strict policy."""
    folder = tmp_path_factory.mktemp("below")
    shutil.copytree(dist / "site", folder / "some" / "path")
    with serve_directory(folder, headers={"Content-Security-Policy": _POLICY}) as origin:
        yield f"{origin}/some/path/docs"


@pytest.mark.parametrize("browser_name", BROWSERS)
def test_search_finds_a_fitting_page_first_for_each_of_these_words(
    browser_name: str, below: str, browsers: Browsers
) -> None:
    found = {}
    with open_watched_page(browsers.get(browser_name)) as page:
        page.goto(f"{below}/hosting.html")
        field = page.get_by_role("textbox", name="Search")
        field.fill("what has no page")
        field.press("Enter")
        for words in _FIRST_PAGES_BY_WORDS:
            page.get_by_role("searchbox").fill("xylophone")
            page.get_by_text("No page has “xylophone”.").wait_for()
            page.get_by_role("searchbox").fill(words)
            first = page.locator("#search-results > li:first-child h2 a")
            found[words] = first.get_attribute("href")

    assert found == _FIRST_PAGES_BY_WORDS


@pytest.mark.parametrize("width", [1440, 390])
def test_the_keyboard_reaches_the_search_field_where_it_is_seen(
    width: int, below: str, browsers: Browsers
) -> None:
    with open_watched_page(browsers.get("chromium")) as page:
        page.emulate_media(reduced_motion="reduce")
        page.set_viewport_size({"width": width, "height": 844})
        page.goto(f"{below}/hosting.html")
        field = page.locator(".sidebar-search")
        for _ in range(10):
            page.keyboard.press("Tab")
            if field.evaluate("(field) => field === document.activeElement"):
                break
        expect(page.locator(":focus")).to_be_in_viewport(ratio=1)
        outline = field.evaluate("(field) => getComputedStyle(field).outline")
        page.keyboard.type("csp")
        page.keyboard.press("Enter")
        page.wait_for_url("**/search.html?q=csp")

    assert outline == "rgb(11, 107, 93) solid 2px"


def test_search_shows_the_words_in_their_section_and_says_when_there_are_none(
    below: str, browsers: Browsers
) -> None:
    with open_watched_page(browsers.get("chromium")) as page:
        page.goto(f"{below}/search.html?q=brotli_static")
        section = page.locator("#search-results li li").first
        address = section.locator("a").get_attribute("href")
        marked = set(section.locator("mark").all_inner_texts())
        page.get_by_role("searchbox").fill("xylophone")
        page.get_by_text("No page has “xylophone”.").wait_for()
        results = page.locator("#search-results li").count()

    assert (address, marked, results) == ("hosting.html#nginx", {"brotli", "static"}, 0)


def test_no_page_breaks_the_strict_policy(below: str, dist: Path, browsers: Browsers) -> None:
    docs = dist / "site" / "docs"
    with open_watched_page(browsers.get("chromium")) as page:
        for name in ("index", "tools/list_dir", "reference/python", "search", "hosting"):
            page.goto(f"{below}/{name}.html")
        page.goto(f"{below}/hosting.html")
        seen = page.evaluate("getComputedStyle(document.body).backgroundColor")

    inline = [
        path.name
        for path in docs.rglob("*.html")
        if re.search(r"<style|<script>| style=", path.read_text("utf-8"))
    ]
    assert (inline, seen) == ([], "rgb(252, 252, 250)")


def test_recorded_answers_of_demos_are_not_searched(dist: Path) -> None:
    pages = json.loads((dist / "site" / "docs" / "search.json").read_text("utf-8"))
    texts = {page["address"]: page["sections"][0][2] for page in pages}

    answer = "Absolute path: /repo"
    assert answer in (dist / "site" / "docs" / "tools" / "list_dir.html").read_text("utf-8")
    assert answer not in texts["tools/list_dir.html"]
    assert texts["tools/list_dir.html"].startswith("Lists a directory and the directories below it")


def test_a_button_copies_a_block_and_only_the_commands_of_a_session(
    below: str, browsers: Browsers
) -> None:
    with open_watched_page(browsers.get("chromium")) as page:
        page.goto(f"{below}/recording.html")
        page.evaluate(NOTE_COPIES)
        for kind in ("sh", "console"):
            block = page.locator(f"div.highlight-{kind}").first
            block.hover()
            block.get_by_role("button", name="Copy").click()
            block.get_by_text("Copied").wait_for()
        copied = page.evaluate("copied")

    call = (
        "echo \"<treeglass-demo src='shop.zip' tool='read_file' "
        'arguments=\'{\\"file_path\\": \\"/repo/README.md\\"}\'></treeglass-demo>" > page.html'
    )
    record = "treeglass record page.html"
    commands = ["treeglass pack trees/shop -o shop.zip", call, record, "cat page.html", record]
    assert copied == [
        'pip install "treeglass[markdown]"\n',
        "".join(f"{command}\n" for command in commands),
    ]


def test_every_page_says_its_title_its_first_sentence_and_the_version(dist: Path) -> None:
    docs = dist / "site" / "docs"
    hosting = (docs / "hosting.html").read_text("utf-8")

    said = dict(re.findall(r'<meta (?:name|property)="([\w:]+)" content="([^"]*)">', hosting))
    assert said == {
        "viewport": said["viewport"],
        "description": "Treeglass is static files.",
        "og:description": "Treeglass is static files.",
        "og:title": "Hosting the assets",
        "og:site_name": "treeglass",
        "og:type": "article",
    }
    without = [
        path.name
        for path, page in read_pages(docs).items()
        if REPOSITORY not in {link.address for link in page.links}
        or f">{__version__}</a>" not in path.read_text("utf-8")
    ]
    assert without == []


def test_every_page_names_its_published_address_and_the_sitemap_lists_all(dist: Path) -> None:
    docs = dist / "site" / "docs"
    named = {
        path.relative_to(docs).as_posix(): re.findall(
            r'<link rel="canonical" href="([^"]*)"', path.read_text("utf-8")
        )
        for path in docs.rglob("*.html")
        if path.name != "search.html"
    }
    wanted = {name: [f"{SITE}docs/{name}"] for name in named}
    listed = re.findall("<loc>(.*)</loc>", (docs / "sitemap.xml").read_text("utf-8"))

    assert SITE == "https://treeglass.github.io/treeglass/"
    assert named == wanted
    assert sorted(listed) == sorted(address for (address,) in wanted.values())


def test_navigation_has_five_folded_parts(dist: Path) -> None:
    page = Page(dist / "site" / "docs" / "search.html")
    html = page.path.read_text("utf-8")

    parts = re.findall(r'<li class="toctree-l1 has-children">.*?>([^<]+)</a>', html)
    folded = re.findall(r'<input class="toctree-checkbox"[^>]*>', html)
    assert parts == ["Start", "Guides", "The tools", "Reference", "About"]
    assert [box for box in folded if "checked" in box] == []


def test_button_sends_the_files_of_an_example_to_stackblitz(
    below: str, dist: Path, browsers: Browsers
) -> None:
    sent: list[str] = []

    def answer(route: Route) -> None:
        sent.append(route.request.post_data or "")
        route.fulfill(content_type="text/html", body="<link rel=icon href=data:,><title>Opened")

    hosts = frozenset({"stackblitz.com"})
    with open_watched_page(browsers.get("chromium"), answered_hosts=hosts) as page:
        page.context.route("https://stackblitz.com/run", answer)
        page.goto(f"{below}/adapters.html")
        with page.expect_popup() as opened:
            page.get_by_role("button", name="Open in StackBlitz").first.click()
        expect(opened.value).to_have_title("Opened")

    (fields,) = [dict(parse_qsl(body, strict_parsing=True)) for body in sent]
    shown = Page(dist / "site" / "docs" / "adapters.html")
    wanted = next(fields for fields in shown.hidden_fields if fields)
    assert fields == {name: value.replace("\n", "\r\n") for name, value in wanted.items()}


def test_buttons_hold_the_examples_with_the_published_package(dist: Path) -> None:
    examples = ROOT / "web" / "examples"
    projects = stackblitz_projects(Page(dist / "site" / "docs" / "adapters.html"))
    published = '"treeglass": "file:../../../dist/npm"', f'"treeglass": "{__version__}"'
    wanted = {
        title: {
            path.name: re.sub(
                r'"vite": "[\d.]+"', f'"vite": "{VITE}"', path.read_text("utf-8")
            ).replace(*published)
            for path in sorted((examples / name).glob("*.*"))
            if not path.name.startswith(".") and path.name != "package-lock.json"
        }
        for name, title in EXAMPLES.items()
    }

    assert projects == wanted
