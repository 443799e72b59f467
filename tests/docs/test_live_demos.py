"""Every demo of the documentation answers in a browser what its page has recorded."""

from pathlib import Path

import pytest

from tests.docs.reference_page import DOCS
from tests.support.browser_support import Browsers, open_watched_page
from tests.support.served_directory import serve_directory

PAGES = sorted(
    path.relative_to(DOCS).with_suffix(".html").as_posix()
    for path in DOCS.rglob("*.md")
    if "\n```{treeglass-demo} " in path.read_text("utf-8")
)

# A tree that lies elsewhere has no recorded answer.
# The durations in an answer of LS and its siblings are its only parts that differ from run to run.
_RUN_ALL = r"""async () => {
  await customElements.whenDefined("treeglass-demo");
  const withoutDuration = (text) => text.replace(/("time_ms": |Took | items in )\d+/g, "$10");
  const recorded = [], answered = [];
  for (const demo of document.querySelectorAll("treeglass-demo")) {
    const pre = demo.querySelector("pre[data-recorded]");
    const isElsewhere = demo.npm || demo.github || /^https?:/i.test(demo.getAttribute("src") ?? "");
    if (pre === null && isElsewhere) {
      continue;
    }
    const text = pre && withoutDuration(pre.textContent);
    recorded.push([demo.label, text, pre?.hasAttribute("data-is-error")]);
    const { content, isError } = await demo.run();
    answered.push([demo.label, withoutDuration(content), isError]);
  }
  return [recorded, answered];
}"""


# That every browser gives the same bytes is shown by the recorded cases; here one page of each
# family shows that Firefox runs the demos of a built page.
_IN_FIREFOX = ["tools/apply_patch.html", "tools/forge_read.html", "tools/Read.html"]


@pytest.mark.parametrize(
    ("page_name", "browser"),
    [*((name, "chromium") for name in PAGES), *((name, "firefox") for name in _IN_FIREFOX)],
)
def test_every_demo_of_a_page_gives_its_recorded_answer(
    page_name: str, browser: str, dist: Path, browsers: Browsers
) -> None:
    with (
        serve_directory(dist / "site") as origin,
        open_watched_page(browsers.get(browser)) as page,
    ):
        page.goto(f"{origin}/docs/{page_name}")
        recorded, answered = page.evaluate(_RUN_ALL)

    assert answered == recorded
    assert recorded != []


def test_a_demo_opens_its_tree_and_its_call_in_the_playground(
    dist: Path, browsers: Browsers
) -> None:
    with (
        serve_directory(dist / "site") as origin,
        open_watched_page(browsers.get("chromium")) as page,
    ):
        page.goto(f"{origin}/docs/tools/list_dir.html")
        demo = page.locator("treeglass-demo").first
        recorded = demo.locator("pre[data-recorded]").text_content()
        demo.get_by_label("More", exact=True).click()
        link = demo.get_by_role("link", name="Open in the playground")
        page.goto(link.get_attribute("href") or "")
        page.get_by_role("button", name=f"Fetch from {origin.partition('://')[2]}").click()
        answered = page.get_by_label("Answer of list_dir", exact=True).text_content()

    assert answered == recorded
