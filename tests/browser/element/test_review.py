"""A review of proposed changes: what it shows, how a person decides, and what it never does."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.accessibility_rules import FINE, check_rules
from tests.support.browser_support import Browsers, open_watched_page
from tests.support.served_directory import serve_directory

_FOLDER = Path(__file__).parent / "review"
_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src data:; form-action 'none'; "
    "require-trusted-types-for 'script'"
)

_CART = "/repo/src/cart.py"
_LEAVE = "Leave of cart.py in /repo/src"
_WORKFLOW = "/repo/.github/workflows/ci.yml"
_PRICES = "/repo/tests/data/prices.csv"
_STALE = "This has changed since it was shown, so nothing was done. Look at it again."

_FOCUSED = """() => {
    let focused = document.activeElement;
    while (focused?.shadowRoot?.activeElement) {
        focused = focused.shadowRoot.activeElement;
    }
    return focused.ariaLabel ?? focused.textContent;
}"""

_LONGEST_WAIT = """async () => {
    const { ReviewClient, everyChange } = await import("/review_client.js");
    const element = document.querySelector("treeglass-review");
    element.client = new ReviewClient(everyChange(10_000));
    const inside = (selector) => [...element.shadowRoot.querySelectorAll(selector)];
    const turn = () => new Promise((resolve) => setTimeout(resolve));
    while (inside(".toggle").length < 12 || inside("[aria-expanded=true]").length < 11) {
        await turn();
    }
    inside(".toggle").at(-1).click();
    let longest = 0;
    for (let last = performance.now(); inside(".hunk:last-child .line").length < 10_000; ) {
        await turn();
        longest = Math.max(longest, performance.now() - last);
        last = performance.now();
    }
    return longest;
}"""


_LEFTS = """(code) => {
    const range = document.createRange();
    const [text] = code.childNodes;
    range.setStart(text, /\\S/.exec(text.data).index);
    range.setEnd(text, text.length);
    // The blank at the end of a row has a box of its own.
    const lefts = {};
    for (const { top, left } of range.getClientRects()) {
        lefts[top] = Math.min(left, lefts[top] ?? left);
    }
    return Object.values(lefts);
}"""
"""The left edges of the rows that a wrapped line takes."""


class Review:
    """The element on its page, driven by the names that a reader sees in it."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.element = page.locator("treeglass-review")
        self.status = self.element.get_by_role("status")
        self.problems = self.element.locator(".problem:not(:empty)")
        self.reasons = self.element.get_by_role("textbox")

    def button(self, name: str) -> Locator:
        """Return the button with exactly this name."""
        return self.element.get_by_role("button", name=name, exact=True)

    def leave(self, name: str, reason: str = "") -> None:
        """Leave something by the keyboard."""
        self.button(f"Leave {name}").focus()
        self.page.keyboard.press("Enter")
        self.page.keyboard.type(reason)
        self.page.keyboard.press("Enter")

    def expect_left(self, name: str) -> None:
        """Wait until something is left, which the page says once."""
        expect(self.button(f"Leave {name}")).to_have_count(0)
        expect(self.element.get_by_text(f"{name}: left.")).to_have_count(1)

    @property
    def focused(self) -> str:
        """The name of the element with the focus."""
        return str(self.page.evaluate(_FOCUSED))

    @property
    def asked(self) -> Any:
        """What the element has asked its client to do."""
        return self.page.evaluate("client.asked")


@contextmanager
def _open(browsers: Browsers, dist: Path, name: str, policy: str = _POLICY) -> Iterator[Review]:
    pages = {f"/{file.name}": file.read_bytes() for file in _FOLDER.iterdir()}
    headers = {"Content-Security-Policy": policy} if policy else {}
    with (
        serve_directory(dist / "npm", pages=pages, headers=headers) as origin,
        open_watched_page(browsers.get(name)) as page,
    ):
        page.goto(f"{origin}/review.html")
        review = Review(page)
        # Of the last file that opens by itself.
        expect(review.element.locator(".more")).to_have_count(2)
        yield review
        assert page.evaluate("violations") == []


@pytest.fixture
def review(browser_name: str, browsers: Browsers, dist: Path) -> Iterator[Review]:
    """A review under a strict policy, which nothing may break."""
    with _open(browsers, dist, browser_name) as opened:
        yield opened


@pytest.fixture
def open_chromium(browsers: Browsers, dist: Path) -> Iterator[Callable[[], Review]]:
    """A function that opens a review in Chromium, without a policy."""
    with _open(browsers, dist, "chromium", policy="") as opened:
        yield lambda: opened


def test_files_that_act_come_first_and_every_file_says_what_it_is(review: Review) -> None:
    heads = review.element.locator(".toggle").all_inner_texts()
    marks = review.element.locator(".marks li").all_inner_texts()

    assert [" ".join(head.split()) for head in heads] == [
        f"Changed {_WORKFLOW}",
        "Created /repo/scripts/release.sh",
        "Changed /repo/README.md",
        "Changed /repo/assets/logo.png",
        "Created directory /repo/docs/empty",
        "Changed /repo/invoiceU+202Egnp.js",
        f"Changed {_CART}",
        "Renamed /repo/src/items.py \u2192 /repo/src/cart/line_items.py",
        "Deleted /repo/src/legacy.py",
        "Changed /repo/src/windows.ini",
        "Changed /repo/static/app.min.js",
        f"Changed {_PRICES}",
    ]
    assert marks == [
        *("scripts of a package", "runs when a commit is made", "file mode: 644 to 755"),
        *("binary: holds NUL bytes", "changed in the mount since"),
        *("invisible characters: U+202E", "last line feed: removed"),
        *("gone from the mount since", "line ends: CRLF to LF", "byte order mark: removed"),
        "compared coarsely",
    ]
    expect(review.element.get_by_role("heading")).to_have_text(
        ["These act by themselves when exported", "Other changes"]
    )


@pytest.mark.each_browser
def test_content_is_text_and_hides_nothing(review: Review) -> None:
    expect(review.element.get_by_role("link")).to_have_count(0)
    expect(review.element.locator("ins", has_text="the list</a>")).to_be_visible()
    marks = review.element.locator(".line .invisible:not(.tabs, .blanks)")
    expect(marks).to_have_text(["U+200B", "U+202E", "U+2066", "U+2069", "U+2066", "BEL NUL ESC"])

    long_line = review.element.locator("del", has_text="!function")
    review.button("3,616 more characters").click()
    assert len(long_line.inner_text()) == 4016


def test_lines_have_their_numbers_before_and_after(open_chromium: Callable[[], Review]) -> None:
    review = open_chromium()
    hunk = review.element.get_by_role("group", name=f"Hunk 1 of 3 in {_CART}")
    shown = hunk.locator(".line").evaluate_all(
        "lines => lines.map(({ dataset }) => dataset.before + '|' + dataset.after)"
    )
    said = hunk.locator(".lines").aria_snapshot()
    widths = []
    for width in (1280, 390):
        review.page.set_viewport_size({"width": width, "height": 900})
        widths.append(
            hunk.locator("del").first.evaluate(
                "code => code.getBoundingClientRect().x - code.parentElement.offsetLeft"
            )
        )

    assert shown[2:7] == ["3|3\xa0 ", "4|\xa0-", "5|\xa0-", "|4\xa0+", "|5\xa0+"]
    assert "removed, line 5" in said
    assert "added, line 4 +" in said
    assert max(widths) < 120


@pytest.mark.each_browser
def test_a_hunk_is_taken_by_the_keyboard_and_keeps_the_focus(review: Review) -> None:
    review.button(f"Take Hunk 1 of 3 in {_CART}").focus()
    review.page.keyboard.press("Enter")

    expect(review.status).to_have_text(f"Hunk 1 of 3 in {_CART}: taken.")
    assert review.focused == f"Taken Hunk 1 of 3 in {_CART}"
    review.page.keyboard.press("Enter")
    expect(review.status).to_have_text(f"Hunk 1 of 3 in {_CART}: not taken.")
    assert review.focused == f"Take Hunk 1 of 3 in {_CART}"
    assert [asked[0] for asked in review.asked] == ["keep", "keep no more"]


def test_a_hunk_is_left_at_once_and_its_reason_follows(review: Review) -> None:
    review.button(f"Leave Hunk 2 of 3 in {_CART}").click()
    review.expect_left(f"Hunk 2 of 3 in {_CART}")
    expect(review.reasons).to_be_focused()
    review.page.keyboard.type("keep the list")
    review.page.keyboard.press("Enter")

    expect(review.status).to_have_text(f"Hunk 2 of 3 in {_CART}: the agent gets the reason.")
    assert review.focused == f"Hunk 2 of 2 in {_CART}, Lines 120\u2013121, now 124\u2013125"
    expect(review.reasons).to_have_value("keep the list")
    assert [asked[2:] for asked in review.asked] == [
        [["48:8:176"], None],
        [None, "keep the list"],
    ]
    heard = review.page.evaluate("heard")
    assert [(event["decision"], event["reason"]) for event in heard] == [
        ("leave", ""),
        ("reason", "keep the list"),
    ]


def test_the_enter_that_ends_a_reason_opens_and_closes_no_file(review: Review) -> None:
    opened = "(toggles) => toggles.map((toggle) => toggle.ariaExpanded)"
    toggles = review.page.locator(".toggle")
    review.button("Leave /repo/README.md").click()
    review.page.keyboard.type("not now")
    before = toggles.evaluate_all(opened)
    review.page.keyboard.press("Enter")

    expect(review.status).to_have_text("/repo/README.md: the agent gets the reason.")
    assert toggles.evaluate_all(opened) == before


def test_a_click_on_the_next_button_passes_the_reason_on_and_decides(review: Review) -> None:
    review.button("Leave /repo/README.md").click()
    review.page.keyboard.type("not now")
    review.button(f"Leave Hunk 3 of 3 in {_CART}").click()

    review.expect_left(f"Hunk 3 of 3 in {_CART}")
    assert [asked[3] for asked in review.asked] == [None, "not now", None]
    expect(review.reasons).to_have_count(2)
    review.button(f"Undo {_LEAVE}").click()
    expect(review.reasons).to_have_count(0)


def test_a_reason_that_is_being_typed_is_passed_on_when_another_step_takes_its_row(
    review: Review,
) -> None:
    review.button("Leave /repo/README.md").click()
    review.expect_left("/repo/README.md")
    review.page.keyboard.type("not now")
    review.page.evaluate(
        "client.undo().then(() => document.querySelector('treeglass-review').refresh())"
    )

    expect(review.reasons).to_have_count(0)
    expect(review.status).to_have_text("/repo/README.md: the agent gets the reason.")
    assert [asked[3] for asked in review.asked if asked[0] == "reject"] == [None, "not now"]


@pytest.mark.each_browser
def test_a_file_that_goes_gives_the_focus_to_the_one_in_its_place(review: Review) -> None:
    review.leave("/repo/src/legacy.py")

    review.expect_left("/repo/src/legacy.py")
    assert "windows.ini" in review.focused


def test_escape_closes_the_field_without_a_reason(review: Review) -> None:
    review.button("Leave /repo/README.md").click()
    review.expect_left("/repo/README.md")
    review.page.keyboard.type("no reason after all")
    review.page.keyboard.press("Escape")

    expect(review.reasons).to_have_count(0)
    expect(review.element.locator(".left")).to_have_text("/repo/README.md: left.")
    assert "logo.png" in review.focused
    assert review.asked == [["reject", "/repo/README.md", None, None]]


def test_a_decision_is_undone_and_redone_by_its_name(review: Review) -> None:
    review.leave(_CART)
    expect(review.button(f"Take {_CART}")).to_have_count(0)
    review.button(f"Undo {_LEAVE}").click()
    expect(review.status).to_have_text(f"Undone: {_LEAVE}.")
    expect(review.button(f"Take Hunk 1 of 3 in {_CART}")).to_be_visible()
    review.button(f"Redo {_LEAVE}").click()
    expect(review.status).to_have_text(f"Redone: {_LEAVE}.")
    expect(review.button("Undo the change of 12 paths")).to_have_count(0)


def test_a_hunk_that_the_agent_changed_meanwhile_is_not_decided(review: Review) -> None:
    review.page.evaluate(f"client.edit('{_CART}', ' # Cart', '-a', '+b')")
    review.button(f"Take Hunk 1 of 3 in {_CART}").click()

    expect(review.problems).to_have_text([_STALE])
    added = review.element.locator(".file:has(.problem:not(:empty)) ins")
    expect(added).to_have_text(["+1", "b"])
    expect(review.button(f"Taken {_CART}")).to_have_count(0)


@pytest.mark.each_browser
def test_the_rest_of_a_long_line_keeps_the_indentation(review: Review) -> None:
    review.page.set_viewport_size({"width": 390, "height": 900})
    line = review.element.locator("ins", has_text="Return what a customer pays")
    lefts = line.evaluate(_LEFTS)

    assert len(lefts) > 1
    assert max(lefts) - min(lefts) < 1


def test_a_change_of_one_hunk_has_the_buttons_of_the_change_alone(review: Review) -> None:
    file = review.element.locator('.file:has([aria-label="Take /repo/README.md"])')
    expect(file.get_by_role("group", name="Hunk 1 of 1 in /repo/README.md")).to_be_visible()

    expect(file.locator(".buttons > button")).to_have_text(["Take", "Leave"])


@pytest.mark.each_browser
def test_an_export_leaves_out_what_is_checked_and_is_saved(review: Review) -> None:
    review.element.get_by_role("checkbox", name=f"Do not export: {_PRICES}").check()
    expect(review.element).to_contain_text(
        "An export holds 11 of 12 proposed changes, taken or not: 11 not taken."
    )
    if review.page.context.browser and review.page.context.browser.browser_type.name == "chromium":
        with review.page.expect_download() as download:
            review.button("Export archive").click()
        assert download.value.suggested_filename == "changes.zip"
    else:
        # The driver of Firefox hears of no download.
        review.page.evaluate(
            "addEventListener('treeglass-export', (event) => event.preventDefault())"
        )
        review.button("Export archive").click()
    expect(review.status).to_have_text("Exported changes.zip.")
    assert review.asked == [["export", "archive", [_PRICES]]]


def test_a_large_file_opens_when_asked_and_never_holds_up_the_page(
    open_chromium: Callable[[], Review],
) -> None:
    review = open_chromium()
    assert review.element.locator("[aria-expanded=false]").count() == 1
    longest_ms = review.page.evaluate(_LONGEST_WAIT)
    assert longest_ms < 500


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1280, 390])
def test_no_state_breaks_a_rule(
    open_chromium: Callable[[], Review], width: int, scheme: Any
) -> None:
    review = open_chromium()
    review.page.set_viewport_size({"width": width, "height": 900})
    review.page.emulate_media(color_scheme=scheme)
    checked = [check_rules(review.page)]
    review.button("Take /repo/README.md").click()
    expect(review.status).to_have_text("/repo/README.md: taken.")
    review.button(f"Leave Hunk 1 of 3 in {_CART}").click()
    checked.append(check_rules(review.page))

    assert checked == [FINE, FINE]
    assert review.page.evaluate("document.documentElement.scrollWidth") == width


def test_buttons_suit_a_finger(browsers: Browsers, dist: Path) -> None:
    pages = {f"/{file.name}": file.read_bytes() for file in _FOLDER.iterdir()}
    with serve_directory(dist / "npm", pages=pages) as origin:
        context = browsers.get("chromium").new_context(
            viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True
        )
        page = context.new_page()
        page.goto(f"{origin}/review.html")
        review = Review(page)
        take = review.button("Take /repo/README.md")
        take.tap()
        expect(review.status).to_have_text("/repo/README.md: taken.")
        box = review.button("Leave /repo/README.md").bounding_box()
        context.close()

    assert box is not None
    assert box["height"] >= 44
    assert box["width"] >= 44
