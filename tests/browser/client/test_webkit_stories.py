"""The main stories in WebKitGTK, driven over WebDriver: Playwright drives only its own WebKit."""

import base64
import hashlib
import json
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest

from tests.browser.client.webkit_story import ASK, StoryPage
from tests.browser.cpython_answers import CPythonAnswers
from tests.browser.element.element_page import LIST, SHOP, answers_of, demo_of, page_of
from tests.browser.hostile.case import reported
from tests.browser.package_page import PACKAGE_PAGES
from tests.browser.packed_trees import tar_of, zip_of
from tests.support.hosts.missing_hosts import skip_or_fail
from tests.support.hosts.webkit_support import WebKitNotFound, launch_webkit, serve_watched
from tests.support.offered_tools import OFFERED_TOOLS
from tests.support.served_directory import serve_directory
from treeglass.__main__ import main

pytestmark = pytest.mark.slow

_READABLE = {"Access-Control-Allow-Origin": "*"}
_STRICT = (
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; "
    "connect-src 'self'; worker-src 'self'; img-src data:"
)
_TREE = {
    "README.md": "# Hi\n",
    "src/app.py": "".join(f"line_{number} = {number}\n" for number in range(30)),
    "src/lib/deep/er/x.txt": "x\n",
    "grüße 🌳.txt": "schön\n",
}
_FLAT = {"README.md": "# Hi\n", "10": "ten\n", "grüße 🌳.txt": "schön\n"}
_CALLS = (
    ("list_dir", {"dir_path": "/repo", "depth": 8, "limit": 3}),
    ("read_file", {"file_path": "/repo/README.md"}),
    ("read_file", {"file_path": "/repo/src/app.py", "limit": 12}),
    ("read_file", {"file_path": "/repo/missing.py"}),
    ("list_dir", {"dir_path": "/repo/../repo/./src/lib"}),
)
# An empty icon keeps the browser from asking for one.
_BLANK = b'<!doctype html><title>page</title><link rel="icon" href="data:,">'
_CLOSED = {"name": "Closed", "message": "The client was closed; connect again."}
_ABORTED = {"name": "AbortError"}


@pytest.fixture(scope="module")
def opened(dist: Path) -> Iterator[StoryPage]:
    """One page of one WebKit for all stories."""
    try:
        with (
            serve_watched(dist / "npm", pages=PACKAGE_PAGES) as origin,
            launch_webkit() as webkit,
        ):
            webkit.driver.get(f"{origin}/blank.html")
            yield StoryPage(webkit)
    except WebKitNotFound as missing:
        skip_or_fail("webkit", missing)


@pytest.fixture
def page(opened: StoryPage) -> StoryPage:
    """The page, with a client whose mounts are gone."""
    opened.run("""
        const client = await sharedClient();
        for (const { path } of await client.mounts()) await client.unmount(path);
    """)
    return opened


def _told_by(
    tree: Mapping[str, str], answers: CPythonAnswers, *, directories: int, origin: str | None = None
) -> dict[str, Any]:
    """Return what a page is told of a tree: the report, and CPython's word for each call."""
    size = sum(len(text.encode()) for text in tree.values())
    counts = reported(files=len(tree), directories=directories, byte_count=size)
    return {
        "report": counts | {"origin": origin},
        "answers": [content for tool, args in _CALLS for content in answers.pages(tool, args)],
    }


def _text_of(content: bytes) -> str:
    return base64.b64encode(content).decode()


def test_every_source_that_a_script_can_make_is_listed_and_read_to_its_end(
    page: StoryPage, tmp_path: Path
) -> None:
    archives = {"zip": zip_of(_TREE), "tgz": tar_of(_TREE, "gz")}
    told = page.run(
        ASK
        + """
        await tell("entries", { entries: given.tree });
        for (const [form, text] of Object.entries(given.archives)) {
            await tell(`${form} in bytes`, { archive: bytesFrom(text) });
            await tell(`${form} in a Blob`, { archive: new Blob([bytesFrom(text)]) });
        }
        return told;
        """,
        {
            "tree": _TREE,
            "calls": _CALLS,
            "archives": {form: _text_of(archive) for form, archive in archives.items()},
        },
    )

    right = _told_by(_TREE, answers_of(_TREE, tmp_path), directories=4)
    forms = ["entries", *(f"{form} in {held}" for form in archives for held in ("bytes", "a Blob"))]
    assert told == dict.fromkeys(forms, right)


def test_files_that_were_chosen_are_a_tree(page: StoryPage, tmp_path: Path) -> None:
    told = page.run(
        ASK
        + """
        const files = Object.entries(given.tree).map(([name, text]) => new File([text], name));
        const transfer = new DataTransfer();
        for (const file of files) transfer.items.add(file);
        const input = document.createElement("input");
        input.type = "file";
        input.multiple = true;
        input.files = transfer.files;
        await tell("array", { files });
        await tell("input", { files: input.files });
        return told;
        """,
        {"tree": _FLAT, "calls": _CALLS},
    )

    right = _told_by(_FLAT, answers_of(_FLAT, tmp_path), directories=0)
    # Their sizes are unknown until one is read.
    right["report"]["bytes"] = None
    assert told == dict.fromkeys(["array", "input"], right)


def test_what_lies_on_the_web_is_fetched_and_held_to_its_integrity(
    page: StoryPage, tmp_path: Path, make_tree: Callable[[Mapping[str, str]], Path]
) -> None:
    served = tmp_path / "served"
    served.mkdir()
    archive = zip_of(_TREE)
    (served / "tree.zip").write_bytes(archive)
    assert main(["pack", str(make_tree(_TREE)), "-o", str(served / "tree.json")]) == 0
    (tmp_path / "tree").rename(served / "tree")
    integrity = f"sha256-{base64.b64encode(hashlib.sha256(archive).digest()).decode()}"
    wrong = f"sha256-{base64.b64encode(bytes(32)).decode()}"
    with serve_directory(served, headers=_READABLE) as origin:
        told = page.run(
            ASK
            + """
            const { url, integrity, wrong } = given;
            await tell("archive", { url: `${url}.zip`, integrity });
            await tell("manifest", { url: `${url}.json` });
            await tell("manifest ahead", { url: `${url}.json`, prefetch: true });
            const other = client.mount("/two", { url: `${url}.zip`, integrity: wrong });
            const refused = await outcome(other);
            return [told, refused, (await client.mounts()).map(({ path }) => path)];
            """,
            {"calls": _CALLS, "url": f"{origin}/tree", "integrity": integrity, "wrong": wrong},
        )

    answers = answers_of(_TREE, tmp_path)
    message = (
        f"{origin}/tree.zip cannot be mounted: its bytes have the integrity {integrity}, "
        "which is not the given one; check whether it was changed, "
        "and give the integrity of the bytes that you trust."
    )
    sources = {"archive": "zip", "manifest": "json", "manifest ahead": "json"}
    assert told == [
        {
            name: _told_by(_TREE, answers, directories=4, origin=f"{origin}/tree.{form}")
            for name, form in sources.items()
        },
        {"name": "SourceUnreadable", "message": message},
        ["/repo"],
    ]


def test_a_mount_and_a_call_that_are_aborted_leave_nothing_and_the_next_ones_work(
    page: StoryPage,
) -> None:
    told = page.run("""
        const client = await sharedClient();
        const entries = {};
        for (let number = 0; number < 100_000; number += 1) {
            entries[`group ${number % 500}/entry ${number}`] = "";
        }
        const controller = new AbortController();
        const { signal } = controller;
        const onProgress = () => controller.abort();
        const mounting = await outcome(client.mount("/repo", { entries }, { signal, onProgress }));
        const list = (options) => client.callTool("list_dir", { dir_path: "/" }, options);
        const empty = [(await list()).content, await client.mounts()];
        await client.mount("/repo", { entries: { "a.txt": "" } });
        const late = new AbortController();
        const calling = outcome(list({ signal: late.signal }));
        late.abort();
        return [mounting, ...empty, await calling, (await list()).content];
    """)

    assert told == [
        _ABORTED,
        "Absolute path: /",
        [],
        _ABORTED,
        "Absolute path: /\nrepo/\n  a.txt",
    ]


def test_a_call_without_an_end_is_stopped_and_the_client_goes_on(page: StoryPage) -> None:
    told = page.run("""
        const client = await sharedClient();
        const wide = {};
        for (let number = 0; number < 150_000; number += 1) {
            wide[`group ${number % 300}/entry ${number}`] = "";
        }
        await client.mount("/wide", { entries: wide });
        const file = new File(["one\\ntwo\\n"], "notes.txt");
        await client.mount("/chosen", { files: [file] });
        const walk = { dir_path: "/wide", depth: 2, limit: 150_000 };
        const look = async () => [
            (await client.callTool("read_file", { file_path: "/chosen/notes.txt" })).content,
            (await client.callTool("list_dir", { dir_path: "/wide/group 7", limit: 1 })).content,
            (await client.mounts()).map(({ path, files }) => [path, files]),
        ];
        const before = await look();
        const overrun = outcome(client.callTool("list_dir", walk, { timeoutMs: 50 }));
        const behind = look();
        return [before, await overrun, await behind];
    """)

    looked = [
        "L1: one\nL2: two",
        "Absolute path: /wide/group 7\nentry 100207\nMore than 1 entries found",
        [["/wide", 150_000], ["/chosen", 1]],
    ]
    message = (
        "list_dir ran longer than its 50 ms and was stopped. "
        "The worker was replaced, and every mount is back. "
        "Ask for less at once, or pass a larger timeoutMs."
    )
    assert told == [looked, {"name": "TimedOut", "message": message}, looked]


_TWO_CLIENTS = """
    const look = async (client) => [
        (await client.callTool("list_dir", { dir_path: "/" })).content,
        (await client.listTools()).map(({ name }) => name),
    ];
    await one.mount("/one", { entries: { "a.txt": "1\\n" } });
    await two.mount("/two", { entries: { "b.txt": "2\\n" } });
    await two.configure({ tools: { offered: [] } });
    const both = await Promise.all([look(one), look(two)]);
    await two.close();
    return [...both, await look(one), await outcome(two.listTools())];
"""
_SEEN_BY_ONE = [
    "Absolute path: /\none/\n  a.txt",
    OFFERED_TOOLS,
]
_SEEN_BY_TWO = ["Absolute path: /\ntwo/\n  b.txt", ["grep_files", "list_dir", "read_file"]]


@pytest.mark.parametrize(
    "connecting",
    [
        pytest.param("sharedClient(), connect()", id="a worker each"),
        pytest.param("connect({ shared: true }), connect({ shared: true })", id="a shared worker"),
    ],
)
def test_two_clients_at_once_keep_apart_and_one_goes_on_without_the_other(
    page: StoryPage, connecting: str
) -> None:
    told = page.run(f"const [one, two] = await Promise.all([{connecting}]);{_TWO_CLIENTS}")

    assert told == [_SEEN_BY_ONE, _SEEN_BY_TWO, _SEEN_BY_ONE, _CLOSED]


_FIND = "return document.querySelector('treeglass-demo').shadowRoot.querySelector(arguments[0])"


def test_a_strict_policy_is_kept_and_a_demo_runs_under_it(
    page: StoryPage, dist: Path, tmp_path: Path
) -> None:
    pages = {"/shop.zip": zip_of(SHOP), "/page.html": page_of(demo_of())}
    headers = {"Content-Security-Policy": _STRICT}
    with (
        serve_watched(dist / "npm", pages=pages, headers=headers) as origin,
        page.beside(f"{origin}/page.html") as webkit,
    ):
        driver = webkit.driver
        webkit.run("""
            await customElements.whenDefined("treeglass-demo");
            globalThis.ended = new Promise((end) => {
                addEventListener("treeglass-result", end);
                addEventListener("treeglass-failure", end);
            });
        """)
        recorded = driver.execute_script(
            "return document.querySelector('treeglass-demo pre[data-recorded]').textContent"
        )
        driver.execute_script(_FIND, "button.run").click()
        ended = webkit.run("return (await globalThis.ended).type;")
        shown = driver.execute_script(_FIND, "[part~=answer]").text

    answers = answers_of(SHOP, tmp_path)
    assert (recorded, ended) == ("Absolute path: /repo\nrecorded, not live", "treeglass-result")
    assert shown == answers.content("list_dir", LIST)


def test_the_playground_opens_with_its_sample_and_runs_a_call(
    page: StoryPage, dist: Path, sample: CPythonAnswers
) -> None:
    read = {"file_path": "/repo/README.md"}
    fragment = f"#tool=read_file&arguments={quote(json.dumps(read))}"
    with (
        serve_watched(dist / "site") as origin,
        page.beside(f"{origin}/{fragment}") as webkit,
    ):
        webkit.run(_ANSWERED)
        box = "[aria-label='Answer of read_file'] pre"
        text = webkit.driver.find_element("css selector", box)
        content = str(text.get_property("textContent"))

    assert content == sample.content("read_file", read)


# No frame is drawn in a window that nothing shows, so no loop of frames would end.
_ANSWERED = """
    const changes = { attributes: true, childList: true, subtree: true };
    await new Promise((resolve) => {
        const look = () => document.querySelector(".call[data-kind=answered]") && resolve();
        new MutationObserver(look).observe(document, changes);
        look();
    });
"""


def test_a_page_or_a_worker_that_misbehaves_fails_its_story(
    page: StoryPage, tmp_path: Path
) -> None:
    (tmp_path / "assets").mkdir()
    (tmp_path / "assets" / "start.json").write_text('{"files": {}}')
    (tmp_path / "assets" / "worker.js").write_text(
        'console.error("in the worker"); Promise.reject(new Error("forgotten"));\n'
        'setTimeout(() => { postMessage("done"); throw new Error("thrown"); });\n'
    )
    blank = {"/page.html": _BLANK + b"<img src='/i.png'>"}
    policy = {"Content-Security-Policy": "img-src data:"}
    with (
        pytest.raises(AssertionError) as misbehaved,
        serve_watched(tmp_path, pages=blank, headers=policy) as origin,
        page.beside(f"{origin}/page.html") as webkit,
    ):
        webkit.run("""
            console.error("in the page", 7);
            console.assert(false, "no");
            Promise.reject(new Error("no listener"));
            const worker = new Worker("/assets/worker.js", { type: "module" });
            await new Promise((done) => {
                worker.onmessage = () => {};
                worker.onerror = (event) => { event.preventDefault(); done(); };
            });
        """)

    first, *faults = str(misbehaved.value).splitlines()
    assert first == "the page misbehaved:"
    assert sorted(faults) == [
        "console assert: no",
        "console error: in the page 7",
        "console error: in the worker",
        f"policy violation: img-src {origin}/i.png",
        "unhandled rejection: Error: forgotten",
        "unhandled rejection: Error: no listener",
        "unhandled: Error: thrown",
    ]
