"""The reviews that `docs/own-review.md` builds from the data of a client, used in Chromium."""

from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.bundlers.built_project import install, run
from tests.bundlers.bundlers import BUNDLERS, PROJECTS, Bundler
from tests.docs.blocks.code_blocks import blocks_of
from tests.support.browser_support import Browsers, open_watched_page
from tests.support.served_directory import serve_directory

_REACT = """import { useEffect, useState } from "react";
import { createRoot } from "react-dom/client";
import { propose } from "./proposal.js";
import { Review } from "./review.jsx";

function App() {
  const [client, setClient] = useState(null);
  const [version, setVersion] = useState(0);
  useEffect(() => {
    propose((event) => setVersion(event.version)).then(setClient, reportError);
  }, []);
  return client && <Review client={client} version={version} />;
}

createRoot(document.querySelector("#app")).render(<App />);
"""

_VUE = """import { createApp, h, shallowRef } from "vue";
import { propose } from "./proposal.js";
import Review from "./Review.vue";

const version = shallowRef(0);
const client = await propose((event) => {
  version.value = event.version;
});
createApp(() => h(Review, { client, version: version.value })).mount("#app");
"""

_BY_TITLE = {bundler.title: bundler for bundler in BUNDLERS}

EXAMPLES = {
    "React": (_BY_TITLE["React, by Vite"], "src/review.jsx", {"src/main.jsx": _REACT}),
    "Vue": (_BY_TITLE["Vue, by Vite"], "src/Review.vue", {"src/main.js": _VUE}),
    "CodeMirror": (
        Bundler("CodeMirror", "codemirror", "vite", "npx vite build", "public/treeglass"),
        "src/review.js",
        {},
    ),
}
"""By name: the project, the example in it, and what the page around it is."""

_AGENT = """*** Begin Patch
*** Update File: shop.toml
@@
-city = 2
+city = 5
*** End Patch"""

_SHOWN = """async () => {
    const { entries } = await client.changes();
    return entries.map(({ path, decision }) => `${path} ${decision}`);
}"""


@pytest.mark.network
@pytest.mark.parametrize("name", EXAMPLES)
def test_a_person_takes_and_leaves_what_is_proposed(
    browsers: Browsers, tarball: Path, tmp_path: Path, name: str
) -> None:
    bundler, _, sources = EXAMPLES[name]
    project = install(bundler, tarball, tmp_path)
    for path, text in sources.items():
        (project / path).write_text(text, "utf-8")
    run(bundler.command, project)

    with (
        serve_directory(project / bundler.output) as origin,
        open_watched_page(browsers.get("chromium")) as page,
    ):
        page.goto(origin)
        _review(page)


def _review(page: Page) -> None:
    """Decide about each part by its buttons, and look at what the client says after each."""
    takes, leaves = _buttons(page, "Take"), _buttons(page, "Leave")
    expect(leaves).to_have_count(4)
    for shown in ("delete /repo/logo", "create /repo/new/plan.md", "holds NUL bytes"):
        expect(page.locator("#app")).to_contain_text(shown)

    takes.nth(1).click()
    _buttons(page, "Taken").click()
    expect(_buttons(page, "Taken")).to_have_count(0)
    takes.nth(1).click()
    expect(_buttons(page, "Taken")).to_have_count(1)
    leaves.nth(0).click()
    expect(leaves).to_have_count(3)
    decided = page.evaluate(_SHOWN)
    leaves.nth(2).click()
    expect(leaves).to_have_count(2)
    notes = page.evaluate("client.takeNotes()")
    # The agent goes on meanwhile.
    page.evaluate("(input) => client.callTool('apply_patch', { input })", _AGENT)
    expect(page.locator("#app")).to_contain_text("city = 5")

    assert decided == ["/repo/new/plan.md kept", "/repo/shop.toml pending"]
    assert notes == [
        "/repo/logo: the person rejected the change.",
        "/repo/shop.toml: the person rejected 1 of 2 changes.",
    ]


def _buttons(page: Page, name: str) -> Locator:
    return page.locator("#app").get_by_role("button", name=name, exact=True)


def test_the_page_has_each_example_whole_and_none_is_long() -> None:
    written = [block.text for block in blocks_of("docs/own-review.md") if block.tag != "text"]
    examples = [
        (PROJECTS / bundler.project / source).read_text("utf-8")
        for bundler, source, _ in EXAMPLES.values()
    ]

    assert [text for text in written if text in examples] == examples
    assert [len(text.splitlines()) < 60 for text in examples] == [True, True, True]
