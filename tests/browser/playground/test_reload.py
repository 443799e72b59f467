"""A visitor reloads the page: what comes back, and what does not."""

import json
from urllib.parse import quote

import pytest
from playwright.sync_api import Dialog, expect

from tests.browser.packed_trees import zip_of
from tests.browser.playground.playground_page import DESKTOP, HOLD_REQUESTS, SAMPLE_NAME, Playground

_TREE = zip_of({"README.md": "# Hi\n", "src/app.py": "print('hello')  # TODO\n"})
_LISTING = '{"dir_path": "/repo"}'

# A predicate of the driver cannot await, so the page itself looks again and again.
_WAIT_UNTIL_KEPT = """async (wanted) => {
    const open = indexedDB.open("treeglass-playground");
    const database = await new Promise((resolve) => {
        open.onsuccess = () => resolve(open.result);
    });
    const read = () => new Promise((resolve) => {
        const request = database.transaction("kept").objectStore("kept").get("work");
        request.onsuccess = () => resolve(request.result);
    });
    const word = (work) => [work?.openFile?.path, work?.items.length, work?.state != null];
    let found = "";
    for (let tries = 0; tries < 1000; tries += 1) {
        found = JSON.stringify(word(await read()));
        if (found === JSON.stringify(wanted)) break;
        await new Promise((resolve) => setTimeout(resolve, 20));
    }
    database.close();
    return JSON.parse(found);
}"""


# Waits for proposals that are kept and are not those of before; returns them as text.
_KEPT_PROPOSALS = """async (before) => {
    const opened = (request) => new Promise((resolve) => {
        request.onsuccess = () => resolve(request.result);
    });
    const database = await opened(indexedDB.open("treeglass-playground"));
    let state = before;
    while (state === before) {
        await new Promise(requestAnimationFrame);
        const work = await opened(database.transaction("kept").objectStore("kept").get("work"));
        state = String(work?.state ?? before);
    }
    database.close();
    return state;
}"""


def _answer_offer(playground: Playground, button: str) -> None:
    offer = playground.page.get_by_role("region", name="Keep this tree")
    offer.get_by_role("button", name=button, exact=True).click()
    expect(offer).to_be_hidden()


def _wait_until_kept(playground: Playground, work: list[object]) -> None:
    """Wait until this is kept: the open file, the number of items, and whether proposals are."""
    assert playground.page.evaluate(_WAIT_UNTIL_KEPT, work) == work


def test_a_tree_that_is_not_kept_gives_way_to_the_sample_and_no_call_runs(
    playground: Playground,
) -> None:
    playground.mount_archive("mine.zip", _TREE)
    _answer_offer(playground, "Do not keep")
    playground.call("list_dir", _LISTING)
    playground.page.wait_for_function("() => location.hash.includes('tool=list_dir')")
    playground.page.reload()
    playground.wait_until_ready()

    expect(playground.source_button).to_contain_text(SAMPLE_NAME)
    expect(playground.calls).to_have_count(0)


@pytest.mark.each_browser
def test_a_tree_that_a_reload_has_lost_is_named(playground: Playground) -> None:
    playground.mount_archive("mine.zip", _TREE)
    playground.page.reload()
    playground.wait_until_ready()

    expect(playground.source_button).to_contain_text(SAMPLE_NAME)
    expect(playground.alert).to_have_text("mine.zip was not kept. Open it again.")


def test_what_was_taken_of_a_kept_tree_is_taken_after_a_reload(playground: Playground) -> None:
    page = playground.page
    playground.mount_archive("mine.zip", _TREE)
    _answer_offer(playground, "Keep")
    playground.take_tour()
    proposed = page.evaluate(_KEPT_PROPOSALS, "")
    page.get_by_role("button", name="Take /repo/NOTES.md", exact=True).click()
    page.evaluate(_KEPT_PROPOSALS, proposed)
    page.reload()
    playground.wait_until_ready()

    expect(page.get_by_role("button", name="Taken /repo/NOTES.md", exact=True)).to_be_visible()


def _wait_until_tab_keeps(playground: Playground, calls: int, *, proposals: bool = False) -> None:
    """Wait until the tab keeps so many calls, and whether it keeps proposals."""
    playground.page.wait_for_function(
        """([calls, proposals]) => {
            const { work } = JSON.parse(sessionStorage["treeglass-work"] ?? "{}");
            const kept = work?.items.filter(({ kind }) => kind === "call");
            return kept?.length === calls && (work.state !== null) === proposals;
        }""",
        arg=[calls, proposals],
    )


@pytest.mark.each_browser
def test_calls_and_proposals_on_the_sample_come_back(playground: Playground) -> None:
    playground.take_tour()
    calls = playground.calls.count()
    _wait_until_tab_keeps(playground, calls, proposals=True)
    playground.page.reload()
    playground.wait_until_ready()

    expect(
        playground.page.get_by_role("button", name="Take /repo/src/larder/expiry.py")
    ).to_be_visible()
    expect(playground.calls).to_have_count(calls)
    # What was read of it was read before it changed.
    expect(playground.tree_item("expiry.py")).to_have_text("expiry.pyM changed")


def test_a_call_waits_until_the_proposals_are_back(playground: Playground) -> None:
    page = playground.page.context.new_page()
    page.set_viewport_size(DESKTOP)
    tab = Playground(page, playground.origin)
    tab.open()
    tab.take_tour()
    calls = tab.calls.count()
    _wait_until_tab_keeps(tab, calls, proposals=True)
    page.add_init_script(f"({HOLD_REQUESTS})('restoreState')")
    page.reload()
    tab.wait_until_ready()
    tab.choose_tool("LS")
    tab.run_button.click()
    expect(tab.calls).to_have_count(0)
    page.evaluate("letGo()")

    expect(tab.calls).to_have_count(calls + 1)
    expect(tab.calls.last).to_contain_text("LS")
    expect(page.get_by_role("button", name="Take /repo/src/larder/expiry.py")).to_be_visible()
    page.close()
    playground.page.bring_to_front()


def test_a_sample_that_is_not_the_first_comes_back_with_its_calls(playground: Playground) -> None:
    dialog = playground.open_sources()
    dialog.get_by_role("button", name="The sources of treeglass").click()
    playground.wait_for_tree("The sources of treeglass")
    playground.call("list_dir", _LISTING)
    _wait_until_tab_keeps(playground, 1)
    playground.page.reload()
    playground.wait_until_ready()

    expect(playground.source_button).to_contain_text("The sources of treeglass")
    expect(playground.calls).to_have_count(1)


def test_calls_do_not_come_back_once_another_tree_has_taken_their_place(
    playground: Playground,
) -> None:
    playground.call("list_dir", _LISTING)
    _wait_until_tab_keeps(playground, 1)
    playground.mount_archive("mine.zip", _TREE)
    _answer_offer(playground, "Do not keep")
    assert playground.page.evaluate("sessionStorage['treeglass-work']") is None
    playground.page.wait_for_function("() => location.hash.includes('elsewhere')")
    playground.page.reload()
    playground.wait_until_ready()

    expect(playground.source_button).to_contain_text(SAMPLE_NAME)
    expect(playground.calls).to_have_count(0)


@pytest.mark.parametrize(
    ("damaged", "said"),
    [
        ("{", []),
        (
            json.dumps({"tree": SAMPLE_NAME, "work": {}}),
            ["The earlier calls on this tree were not brought back."],
        ),
    ],
    ids=["no JSON", "no calls"],
)
def test_a_page_opens_whatever_is_left_of_the_work(
    playground: Playground, damaged: str, said: list[str]
) -> None:
    playground.call("list_dir", _LISTING)
    _wait_until_tab_keeps(playground, 1)
    playground.page.wait_for_function("() => location.hash.includes('tool=list_dir')")
    playground.page.evaluate("(text) => { sessionStorage['treeglass-work'] = text; }", damaged)
    playground.page.reload()
    playground.wait_until_ready()

    # The address names the call, too.
    expect(playground.calls).to_have_count(1)
    expect(playground.alert).to_have_text(said)


@pytest.mark.each_browser
def test_the_browser_asks_before_proposals_are_lost(playground: Playground) -> None:
    page = playground.page
    asked: list[str] = []

    def leave(dialog: Dialog) -> None:
        asked.append(dialog.type)
        dialog.accept()

    page.on("dialog", leave)
    playground.mount_archive("mine.zip", _TREE)
    _answer_offer(playground, "Do not keep")
    page.reload()
    playground.wait_until_ready()
    playground.mount_archive("mine.zip", _TREE)
    playground.take_tour()
    page.reload()
    playground.wait_until_ready()
    page.remove_listener("dialog", leave)

    assert asked == ["beforeunload"]


def test_a_visitor_who_changes_their_mind_leaves_nothing_behind(playground: Playground) -> None:
    playground.mount_archive("mine.zip", _TREE)
    _answer_offer(playground, "Keep")
    playground.open_file("README.md")
    _wait_until_kept(playground, ["README.md", 0, False])
    playground.page.get_by_label("More", exact=True).first.click()
    playground.page.get_by_label("Keep trees in this browser for a reload").uncheck()
    _wait_until_kept(playground, [None, None, False])
    playground.page.reload()
    playground.wait_until_ready()

    expect(playground.source_button).to_contain_text(SAMPLE_NAME)


def test_a_file_of_the_sample_and_the_last_call_come_back_by_the_address(
    playground: Playground,
) -> None:
    playground.open_file("docs", "units.md")
    playground.call("list_dir", _LISTING)
    playground.page.wait_for_function("() => location.hash.includes('tool=list_dir')")
    playground.page.reload()
    playground.wait_until_ready()
    playground.expect_open("docs/units.md")

    expect(playground.calls).to_have_count(1)
    expect(playground.calls.first).to_contain_text("Absolute path: /repo")


def test_a_link_fills_in_a_call_that_changes_files_and_does_not_make_it(
    playground: Playground,
) -> None:
    patch = "*** Begin Patch\n*** Add File: NEW.md\n+new\n*** End Patch"
    arguments = quote(json.dumps({"input": patch}))
    page_address = playground.page.url.partition("#")[0]
    playground.page.goto("about:blank")
    playground.page.goto(f"{page_address}#tool=apply_patch&arguments={arguments}")
    playground.wait_until_ready()

    expect(playground.page.get_by_role("textbox", name="input")).to_have_value(patch)
    expect(playground.calls).to_have_count(0)
