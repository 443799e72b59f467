"""How a demo looks: light and dark, narrow, themed by the page, and hidden."""

import json
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.element.element_page import (
    SCRIPT,
    SHOP,
    DemoPage,
    SharedDemoPage,
    demo_of,
    open_demos,
)
from tests.support.browser_support import Browsers

_LUMINANCES = """() => [...document.querySelectorAll("treeglass-demo")].map((demo) => {
    const bright = (color) => {
        const canvas = document.createElement("canvas").getContext("2d");
        canvas.fillStyle = color;
        canvas.fillRect(0, 0, 1, 1);
        const [red, green, blue] = canvas.getImageData(0, 0, 1, 1).data;
        return 0.2126 * red + 0.7152 * green + 0.0722 * blue > 127;
    };
    const box = demo.shadowRoot.querySelector("[part~=box]");
    const { color, backgroundColor } = getComputedStyle(box);
    return bright(backgroundColor) === bright(color) ? "unreadable"
        : bright(backgroundColor) ? "light" : "dark";
})"""

_HOLD_WORKER = (
    "() => { globalThis.Worker = class extends EventTarget { postMessage() {} terminate() {} }; }"
)

_FOLLOWS = "<style>:root { color-scheme: light dark }</style>"


def _themes(page: Page) -> Any:
    return page.evaluate(_LUMINANCES)


@pytest.mark.each_browser
def test_auto_follows_the_page_and_a_theme_does_not(demo_page: SharedDemoPage) -> None:
    written = [
        demo_of(),
        demo_of(theme="light"),
        demo_of(theme="dark"),
        f'<div style="color-scheme: dark">{demo_of()}</div>',
        f'<div style="color-scheme: light">{demo_of(theme="dark")}</div>',
    ]
    seen = {}
    demo_page.show(_FOLLOWS, *written)
    expect(demo_page.demo(4).run_button).to_be_visible()
    for scheme in ("light", "dark"):
        # Set by the page: the driver of Firefox cannot emulate a reader's preference.
        demo_page.page.evaluate(
            "(one) => { document.documentElement.style.colorScheme = one; }", scheme
        )
        seen[scheme] = _themes(demo_page.page)

    assert seen == {
        "light": ["light", "light", "dark", "dark", "dark"],
        "dark": ["dark", "light", "dark", "dark", "dark"],
    }


@pytest.mark.parametrize(("head", "theme"), [(SCRIPT, "light"), (SCRIPT + _FOLLOWS, "dark")])
def test_a_reader_who_likes_it_dark_has_it_so_where_the_page_has(
    browsers: Browsers, dist: Path, head: str, theme: str
) -> None:
    with open_demos(browsers.get("chromium"), dist / "npm", demo_of(), head=head) as demos:
        expect(demos.demo().run_button).to_be_visible()
        demos.page.emulate_media(color_scheme="dark")
        seen = _themes(demos.page)

    assert seen == [theme]


def _overflow(demos: DemoPage) -> int:
    return int(
        demos.page.evaluate(
            "document.documentElement.scrollWidth - document.documentElement.clientWidth"
        )
    )


@pytest.mark.each_browser
def test_nothing_overflows_at_390_pixels(demo_page: SharedDemoPage) -> None:
    long_line = "x" * 2000
    written = [
        demo_of(files="open"),
        demo_of("LS", {"path": "/repo"}),
        demo_of("list_dir", {"dir_path": f"/repo/{long_line}"}),
    ]
    overflows = []
    demo_page.show(*written)
    demo_page.page.set_viewport_size({"width": 390, "height": 844})
    expect(demo_page.demo(2).run_button).to_be_visible()
    overflows.append(_overflow(demo_page))
    for number in range(3):
        demo_page.demo(number).run()
        overflows.append(_overflow(demo_page))
    demo = demo_page.demo()
    demo.element.get_by_text("README.md", exact=True).first.click()
    expect(demo.element.locator("[part~=lines]")).to_contain_text("It sells")
    overflows.append(_overflow(demo_page))

    assert overflows == [0] * 5


def test_custom_properties_and_parts_theme_a_demo(demo_page: SharedDemoPage) -> None:
    style = (
        "<style>treeglass-demo { --treeglass-background: rgb(1, 2, 3); }"
        "treeglass-demo::part(answer) { color: rgb(4, 5, 6); }</style>"
    )
    demo = demo_page.show(style, demo_of())
    demo.run()
    background = demo.element.locator("[part~=box]").evaluate(
        "(box) => getComputedStyle(box).backgroundColor"
    )
    color = demo.answer.evaluate("(box) => getComputedStyle(box).color")

    assert (background, color) == ("rgb(1, 2, 3)", "rgb(4, 5, 6)")


def test_a_hidden_demo_is_hidden(demo_page: SharedDemoPage) -> None:
    demo = demo_page.show(demo_of(hidden=""))
    shown = (demo.element.is_visible(), demo.run_button.count())

    assert shown == (False, 0)


def test_a_bar_that_moves_is_hidden_where_less_motion_is_asked_for_and_its_words_stay(
    browsers: Browsers, dist: Path
) -> None:
    shown = {}
    with open_demos(browsers.get("chromium"), dist / "npm", demo_of()) as demos:
        demo = demos.demo()
        expect(demo.run_button).to_be_visible()
        demos.page.evaluate(_HOLD_WORKER)
        demo.run_button.click()
        expect(demo.element.locator("progress")).to_be_visible()
        for wish in ("no-preference", "reduce"):
            demos.page.emulate_media(reduced_motion=wish)
            shown[wish] = (
                demo.element.locator("progress").evaluate("(bar) => getComputedStyle(bar).display"),
                demo.element.locator(".progress span").first.is_visible(),
            )

    assert shown == {"no-preference": ("block", True), "reduce": ("none", True)}


@pytest.mark.each_browser
def test_the_buttons_stay_together_at_the_right_below_a_long_name(
    demo_page: SharedDemoPage,
) -> None:
    demo_page.show(demo_of("list_directory"))
    demo_page.page.set_viewport_size({"width": 390, "height": 844})
    expect(demo_page.demo().run_button).to_be_visible()
    places = demo_page.page.evaluate(
        """() => {
            const root = document.querySelector("treeglass-demo").shadowRoot;
            const place = (element) => element.getBoundingClientRect();
            const buttons = [...root.querySelectorAll(".bar button")]
                .filter((button) => button.checkVisibility())
                .map(place);
            const { right } = place(root.querySelector(".bar"));
            const rows = new Set(buttons.map(({ top }) => top)).size;
            return [rows, Math.round(right - buttons.at(-1).right)];
        }"""
    )

    assert places == [1, 6]


@pytest.mark.each_browser
def test_the_menu_is_as_wide_as_its_words_and_inside_a_phone(demo_page: SharedDemoPage) -> None:
    inline = f'<script type="application/json">{json.dumps(SHOP)}</script>'
    demo_page.show(demo_of(playground="/play/"), demo_of(src=None, inside=inline))
    demo_page.page.set_viewport_size({"width": 390, "height": 844})
    outside = []
    for number in range(2):
        demo = demo_page.demo(number)
        demo.element.get_by_label("More", exact=True).click()
        demo.element.get_by_role("button", name="Copy as code").wait_for()
        outside.append(
            demo.element.locator(".menu > div").evaluate(
                """(box) => {
                    const { left, right } = box.getBoundingClientRect();
                    const words = document.createRange();
                    return [...box.children].filter((item) => {
                        words.selectNodeContents(item);
                        const place = words.getBoundingClientRect();
                        return place.left < left || place.right > right;
                    }).length + (left < 0 || right > innerWidth ? 1 : 0);
                }"""
            )
        )

    assert outside == [0, 0]
