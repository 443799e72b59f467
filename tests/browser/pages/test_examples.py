"""Each example is started by its documented command, and used in a browser."""

import json
import re
import shlex
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from build_steps.programs import find_node_tool
from tests.browser.example_commands import (
    WEB,
    copy_examples,
    documented_commands,
    documented_folders,
    running,
)
from tests.support.browser_support import Browsers, open_watched_page

pytestmark = pytest.mark.network


@pytest.fixture(scope="module")
def checkout(dist: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A checkout of the examples and the built packages, with nothing installed."""
    copy = tmp_path_factory.mktemp("checkout")
    copy_examples(dist, copy)
    return copy


# Of the small tree that three of the pages mount.
_LISTING = "Absolute path: /repo\nREADME.md\nsrc/\n  app.py"


@contextmanager
def _running_example(name: str, checkout: Path) -> Iterator[str]:
    """Run an example by its documented command until the context ends; yields its origin."""
    command = documented_commands()[name]
    if name == "plain-page":
        # Any free port, in the place of the one that the command means; by the Python that runs
        # this, which is the one that the command would find.
        command = re.sub("^uv run python", shlex.quote(sys.executable), f"{command} 0")
        with running(command, checkout, PYTHONUNBUFFERED="1") as origin:
            yield origin
    else:
        with running(command, checkout / "web" / "examples" / name) as origin:
            yield origin


def test_every_example_has_its_command() -> None:
    folders = {path.name for path in (WEB / "examples").iterdir() if path.is_dir()}

    assert set(documented_folders().values()) == folders


def test_the_plain_page_answers_a_call(browsers: Browsers, checkout: Path) -> None:
    with (
        _running_example("plain-page", checkout) as origin,
        open_watched_page(browsers.get("chromium")) as page,
    ):
        page.goto(f"{origin}/web/examples/plain-page/")
        page.get_by_text("Ready.").wait_for()
        page.get_by_label("Tool").select_option("list_dir")
        page.get_by_label("Arguments").fill('{ "dir_path": "/repo" }')
        page.get_by_role("button", name="Call").click()
        page.get_by_text("app.py").wait_for()
        shown = page.locator("pre").text_content()

    assert shown == _LISTING


def test_the_page_asks_the_frame_for_its_tools(browsers: Browsers, checkout: Path) -> None:
    with (
        _running_example("mcp-iframe", checkout) as origin,
        open_watched_page(browsers.get("chromium")) as page,
    ):
        page.goto(origin)
        page.get_by_text("Ready.").wait_for()
        page.get_by_label("Tool").select_option("list_dir")
        page.get_by_label("Arguments").fill('{ "dir_path": "/repo" }')
        page.get_by_role("button", name="Call").click()
        page.get_by_text("app.py").wait_for()
        shown = page.locator("pre").text_content()

    assert shown == _LISTING


def test_the_browser_s_agent_calls_a_tool_until_it_is_taken_away(
    browsers: Browsers, checkout: Path
) -> None:
    with (
        _running_example("webmcp", checkout) as origin,
        open_watched_page(browsers.get("chromium")) as page,
    ):
        page.goto(origin)
        page.get_by_label("Tool").select_option("repo_list_dir")
        page.get_by_label("Arguments").fill("no JSON")
        page.get_by_role("button", name="Call as an agent does").click()
        page.locator("pre:not(:empty)").wait_for()
        refusal = page.locator("pre").text_content()
        page.get_by_label("Arguments").fill('{ "dir_path": "/repo" }')
        page.get_by_role("button", name="Call as an agent does").click()
        page.get_by_text("app.py").wait_for()
        shown = page.locator("pre").text_content()
        offered = page.get_by_label("Tool").locator("option").all_text_contents()
        page.get_by_role("button", name="Take the tools away").click()
        page.get_by_text("The tools were taken away.").wait_for()
        left = page.evaluate("async () => (await document.modelContext.getTools()).length")

    assert refusal == "Failed to parse input arguments"
    assert json.loads(shown or "") == {"ok": True, "text": _LISTING}
    assert offered == ["repo_grep_files", "repo_list_dir", "repo_read_file"]
    assert left == 0


@pytest.fixture(scope="module")
def providers() -> Iterator[str]:
    """The origin of a server that speaks the providers' protocols, with scripted models."""
    serve = "test/providers/serve.ts"
    with running(f"{find_node_tool('tsx')} {serve}", WEB) as origin:
        yield origin


_CONVERSATION = [
    ("user", "What is in /repo?"),
    ("assistant", "I will look around."),
    (
        "call",
        (
            'list_dir {"dir_path":"/repo","limit":3,"depth":1}\n'
            "Absolute path: /repo\nREADME.md\npyproject.toml\nsrc/\nMore than 3 entries found\n"
            '[More: call list_dir with {"dir_path":"/repo","limit":3,"depth":1,"offset":4}]'
        ),
    ),
    (
        "call",
        (
            'list_dir {"dir_path":"/repo","limit":3,"depth":1,"offset":4}\n'
            "Absolute path: /repo\ntests/"
        ),
    ),
    (
        "call",
        (
            'read_file {"file_path":"/repo/no-such-file.txt"}\n'
            "failed to read file: No such file or directory (os error 2)"
        ),
    ),
    ("call", 'read_file {"file_path":"/repo/README.md"}\nL1: # A small project'),
    ("assistant", "README.md begins with: # A small project"),
]


@pytest.mark.parametrize(
    ("browser_name", "command"),
    [
        pytest.param("chromium", documented_commands()["vite-ai-sdk"], id="as documented"),
        pytest.param(
            "firefox", "npm install && npm run build && npm run preview", id="built for production"
        ),
    ],
)
def test_the_chat_explores_the_tree(
    browsers: Browsers,
    checkout: Path,
    providers: str,
    browser_name: str,
    command: str,
) -> None:
    folder = checkout / "web" / "examples" / "vite-ai-sdk"
    with (
        running(command, folder) as origin,
        open_watched_page(browsers.get(browser_name)) as page,
    ):
        page.goto(origin)
        page.get_by_label("Address").fill(f"{providers}/v1")
        page.get_by_label("Model").fill("explorer")
        page.get_by_label("Key").fill("a key")
        page.get_by_role("button", name="Ask").click()
        page.get_by_text("begins with:").wait_for()
        page.locator("button:disabled", has_text="Stop").wait_for()
        entries = page.locator("#conversation li").all()
        shown = [(entry.get_attribute("class"), entry.text_content()) for entry in entries]

    # The time of a call differs each time.
    timeless = [(who, re.sub(r" \(\d+ ms\)", "", text or "")) for who, text in shown]
    assert timeless == _CONVERSATION


def test_a_question_whose_answer_was_stopped_is_asked_anew(
    browsers: Browsers, checkout: Path, providers: str
) -> None:
    with (
        _running_example("vite-ai-sdk", checkout) as origin,
        open_watched_page(browsers.get("chromium")) as page,
    ):
        page.goto(origin)
        question = page.get_by_label("Question")
        page.get_by_label("Address").fill(f"{providers}/v1")
        page.get_by_label("Key").fill("a key")
        page.get_by_label("Model").fill("stalls-stream")
        page.get_by_role("button", name="Ask").click()
        page.get_by_text("I will look around.").wait_for()
        while_asking = question.input_value()
        page.get_by_role("button", name="Stop").click()
        page.get_by_text("Stopped.").wait_for()
        after_stop = question.input_value()
        page.get_by_label("Model").fill("answers-at-once")
        page.get_by_role("button", name="Ask").click()
        page.get_by_text("There is nothing to look up.").wait_for()
        page.locator("button:disabled", has_text="Stop").wait_for()
        after_answer = question.input_value()
        question.fill("And now?")
        page.get_by_role("button", name="Ask").click()
        page.get_by_text("There is nothing to look up.").nth(1).wait_for()
        recorded = page.request.get(f"{providers}/recorded").json()

    asked = "What is in /repo?"
    assert (while_asking, after_stop, after_answer) == ("", asked, "")
    sent = [
        [(message["role"], message["content"]) for message in request["body"]["messages"][1:]]
        for request in recorded[-3:]
    ]
    assert sent == [
        [("user", asked)],
        [("user", asked)],
        [
            ("user", asked),
            ("assistant", "There is nothing to look up."),
            ("user", "And now?"),
        ],
    ]


@pytest.mark.parametrize(
    ("name", "page_path", "shown_in"),
    [
        ("plain-page", "/web/examples/plain-page/", "pre"),
        ("vite-ai-sdk", "/", "li.error"),
        ("mcp-iframe", "/frame.html", "p"),
        ("webmcp", "/", "[role=status]"),
    ],
)
def test_a_page_says_why_it_cannot_start(
    browsers: Browsers, checkout: Path, name: str, page_path: str, shown_in: str
) -> None:
    with (
        _running_example(name, checkout) as origin,
        open_watched_page(browsers.get("chromium")) as page,
    ):
        page.add_init_script("delete globalThis.WebAssembly;")
        page.goto(f"{origin}{page_path}")
        page.locator(shown_in, has_text="WebAssembly").wait_for()
        shown = page.locator(shown_in).text_content()

    assert shown == (
        "This browser has no WebAssembly, or the page's policy forbids it; "
        "allow 'wasm-unsafe-eval' in script-src, or use a current browser."
    )
