"""A visitor configures the tools, and takes the configuration along."""

import pytest
from playwright.sync_api import Locator, expect

from tests.browser.accessibility_rules import FINE, check_rules
from tests.browser.playground.playground_page import DESKTOP, PHONE, Playground

_DISABLED = '{"tools":{"mode":"disabled"}}'
_LISTING = '{"dir_path": "/repo/data"}'
_WHOLE = "Absolute path: /repo/data\nexample.json"
_REFUSED = "Tool execution disabled"


@pytest.fixture
def playground(playground: Playground) -> Playground:
    """Chromium alone: other stories hold what browsers do differently."""
    return playground


def _open_box(playground: Playground) -> Locator:
    playground.page.get_by_label("More", exact=True).click()
    playground.page.get_by_role("button", name="Configuration…").click()
    return playground.page.get_by_role("dialog", name="Configuration of the tools")


def _use(dialog: Locator, text: str) -> None:
    dialog.get_by_role("textbox").fill(text)
    dialog.get_by_role("button", name="Use", exact=True).click()


def test_a_configuration_holds_for_the_calls_that_follow(playground: Playground) -> None:
    dialog = _open_box(playground)
    _use(dialog, _DISABLED)
    expect(dialog).to_be_hidden()
    assert playground.call("list_dir", _LISTING) == _REFUSED

    _use(_open_box(playground), "")
    expect(dialog).to_be_hidden()
    assert playground.call("list_dir", _LISTING) == _WHOLE


def test_a_badge_shows_the_configuration_that_is_in_force(playground: Playground) -> None:
    badge = playground.page.get_by_role("banner").get_by_role("button", name="Configured")
    expect(badge).to_be_hidden()
    dialog = _open_box(playground)
    _use(dialog, _DISABLED)
    expect(dialog).to_be_hidden()

    for size in (PHONE, DESKTOP):
        playground.page.set_viewport_size(size)
        expect(badge).to_be_in_viewport(ratio=1)
    assert check_rules(playground.page) == FINE
    badge.click()
    shown = '{\n  "tools": {\n    "mode": "disabled"\n  }\n}'
    expect(dialog.get_by_role("textbox")).to_have_value(shown)
    dialog.get_by_role("button", name="Use the defaults").click()

    expect(dialog).to_be_hidden()
    expect(badge).to_be_hidden()
    assert playground.call("list_dir", _LISTING) == _WHOLE


def test_a_tool_that_changes_is_offered_beside_a_configuration(playground: Playground) -> None:
    _use(_open_box(playground), '{"tools": {"offered": ["LS"], "mode": "disabled"}}')
    expect(playground.page.get_by_role("dialog")).to_be_hidden()

    assert playground.call("MultiEdit", "{}").find(_REFUSED) != -1


def test_a_faulty_configuration_says_why_and_changes_nothing(playground: Playground) -> None:
    dialog = _open_box(playground)
    _use(dialog, "[tools]")
    expect(dialog.get_by_role("alert")).to_have_text(
        'This is not a JSON object. Write one, such as {"tools": {"output": {"max_bytes": 400}}}.'
    )
    _use(dialog, '{"tools": {"output": {"colour": "red"}}}')
    expect(dialog.get_by_role("alert")).to_have_text(
        "tools.output.colour: unknown key; the known ones are escape_names, max_bytes"
    )
    dialog.get_by_role("button", name="Close", exact=True).click()

    assert playground.call("list_dir", _LISTING) == _WHOLE


def test_a_link_and_a_program_carry_the_configuration(playground: Playground) -> None:
    dialog = _open_box(playground)
    _use(dialog, _DISABLED)
    # Where it closes, it takes the focus from the field of the call.
    expect(dialog).to_be_hidden()
    playground.call("list_dir", _LISTING)
    # The call comes into the address later than the configuration.
    playground.page.wait_for_function("() => /tool=.*config=/.test(location.hash)")
    playground.page.reload()
    playground.wait_until_ready()

    expect(playground.calls).to_have_count(1)
    assert playground.read_content() == _REFUSED
    playground.page.get_by_role("button", name="Use in…").click()
    programs = playground.page.get_by_role("dialog", name="Use this in your program")
    expect(programs.locator("pre")).to_contain_text(f"connect({{ config: {_DISABLED} }})")
