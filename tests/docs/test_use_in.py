"""Every program that the playground offers under "Use in…" runs and gives the call's answer."""

import json
import os
import re
import sys
from base64 import b64encode
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Page, Route, expect

from build_steps.folders import NPM, WEB
from build_steps.programs import find_node_tool
from tests.browser.pyodide_stand_ins import CDN_HOST, fulfill
from tests.docs.blocks.code_blocks import bundle
from tests.docs.blocks.markup_blocks import run_html
from tests.support.browser_support import Browsers, open_watched_page
from tests.support.mcp_process import OPENED, OPENING, answered, call, serving
from tests.support.programs import (
    TYPES_OF_EXAMPLES,
    check_types,
    install_package,
    printed_by,
    run,
)
from tests.support.served_directory import serve_directory
from treeglass import Config, ToolRegistry, Workspace
from treeglass.pack import pack_zip

pytestmark = pytest.mark.usefixtures("dist")

# Each character of it ends or changes something in one of the languages.
_HOSTILE = "</script><b>\"'$`{0} \u0085\u202e\U0001f600.md"
_TREE = {"README.md": "# Shop\n", f"src/{_HOSTILE}": "one\ntwo\n"}
_SHOP = "https://shop.example/shop.zip"
_SAID = "It holds a shop."


class _Case(NamedTuple):
    """A tree and a call on screen."""

    tool: str
    arguments: Mapping[str, object]
    link: str | None = None
    """The kind of the link; null for a tree of the visitor's device."""
    max_output_bytes: int | None = None


_CASES = {
    "archive": _Case("list_dir", {"dir_path": "/repo"}),
    "address": _Case("read_file", {"file_path": f"/repo/src/{_HOSTILE}"}, "url"),
    "package": _Case("grep_files", {"pattern": r"o\b|\u0085", "path": "/repo"}, "npm", 200),
}
_SDKS = ("AI SDK", "OpenAI", "Anthropic")
_RUN_IN_A_PAGE = ("archive", "address")

_RENDER = """
import { PROGRAMS } from "./src/playground/share/programs.ts";
import { readFileSync } from "node:fs";
const inputs = Object.entries(JSON.parse(readFileSync(0, "utf8")));
const renderOne = ({ render, steps }, input) => [render(input), steps(input.link)];
const render = (input) =>
  Object.fromEntries(PROGRAMS.map((program) => [program.title, renderOne(program, input)]));
console.log(JSON.stringify(Object.fromEntries(inputs.map(([name, i]) => [name, render(i)]))));
"""


class _Programs(NamedTuple):
    """The programs of each case, and what they run on."""

    texts: Mapping[str, Mapping[str, str]]
    """The texts by the name of the case and the title of the program."""
    folder: Path
    """The tree as a folder."""
    archive: Path
    """The tree as an archive."""

    def answer(self, case: _Case) -> str:
        registry = ToolRegistry(Workspace({"/repo": self.folder}), Config())
        limit = case.max_output_bytes
        return registry.call_tool(case.tool, case.arguments, max_output_bytes=limit).content


@pytest.fixture
def programs(
    make_tree: Callable[[Mapping[str, str | bytes | None]], Path], tmp_path: Path
) -> _Programs:
    folder = make_tree({"README.md": _TREE["README.md"], "src": None})
    # The name has a slash, so it is a file in a folder.
    for name, content in _TREE.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(content, "utf-8")
    archive = tmp_path / "tree.zip"
    with archive.open("wb") as file:
        pack_zip(Workspace({"/repo": folder}), "/repo", file)
    rendered = _render({name: _input_of(case, archive) for name, case in _CASES.items()})
    texts = {
        name: {title: text for title, (text, _) in programs.items()}
        for name, programs in rendered.items()
    }
    return _Programs(texts, folder, archive)


def _render(
    inputs: Mapping[str, Mapping[str, object]],
) -> Mapping[str, Mapping[str, tuple[str, Sequence[str]]]]:
    """Return the programs of each input by their titles, each with the commands to run it."""
    tsx = (find_node_tool("tsx"), "--input-type=module", "--eval", _RENDER)
    rendered: Mapping[str, Mapping[str, tuple[str, Sequence[str]]]] = json.loads(
        printed_by(*tsx, folder=WEB, given=json.dumps(inputs))
    )
    return rendered


def _input_of(case: _Case, archive: Path) -> Mapping[str, object]:
    """Return the tree and the call as the dialog hands them to a program."""
    hashed = f"sha256-{b64encode(sha256(archive.read_bytes()).digest()).decode()}"
    links = {
        "url": {"kind": "url", "specifier": _SHOP, "integrity": hashed},
        "npm": {"kind": "npm", "specifier": "fflate@0.8.2", "integrity": None},
    }
    return {
        "link": None if case.link is None else links[case.link],
        "call": {
            "toolName": case.tool,
            # With line ends, as a visitor may write it.
            "argumentsText": json.dumps(case.arguments, ensure_ascii=False, indent=2),
            "maxOutputBytes": case.max_output_bytes,
        },
        "question": f"What is in /repo/src/{_HOSTILE}?",
        "config": None,
    }


def test_every_kind_of_program_is_run_here(programs: _Programs) -> None:
    for texts in programs.texts.values():
        assert [*texts] == ["A page", *_SDKS, "MCP", "Python", "Documentation"]


def test_a_typescript_program_has_the_types_of_the_package(
    programs: _Programs, tmp_path: Path
) -> None:
    install_package(tmp_path, has_libraries=True)
    names = []
    for case, texts in programs.texts.items():
        for sdk in _SDKS:
            names.append(f"{case}-{sdk.replace(' ', '-')}.ts")
            (tmp_path / names[-1]).write_text(texts[sdk], "utf-8")
    (tmp_path / "package.json").write_text('{"type": "module"}', "utf-8")

    checked = check_types(*TYPES_OF_EXAMPLES, *names, folder=tmp_path)

    assert (checked.stdout, checked.returncode) == ("", 0)


@pytest.mark.parametrize("case", _CASES)
@pytest.mark.parametrize("title", ["A page", "Documentation"])
def test_a_page_is_whole_and_its_script_imports_what_there_is(
    title: str, case: str, programs: _Programs, tmp_path: Path
) -> None:
    text = programs.texts[case][title]

    def run_module(script: str) -> list[str]:
        return bundle(re.sub(r'"https://[^"]+/index\.js"', '"treeglass"', script), tmp_path)

    assert run_html(text, tmp_path, run_module) == []


@pytest.mark.parametrize("case", _CASES)
def test_the_python_program_prints_the_answer(
    case: str, programs: _Programs, tmp_path: Path
) -> None:
    (tmp_path / "ask.py").write_text(programs.texts[case]["Python"], "utf-8")

    ran = run(sys.executable, "-W", "error", "-X", "utf8", "ask.py", folder=tmp_path)

    assert (ran.stdout, ran.stderr) == (f"{programs.answer(_CASES[case])}\n", "")


def test_the_commands_of_the_python_program_fetch_the_tree_and_print_the_answer(
    dist: Path, tmp_path: Path
) -> None:
    folder = tmp_path / "program"
    (folder / "bin").mkdir(parents=True)
    (folder / "bin" / "python").symlink_to(sys.executable)
    case = _Case("grep_files", {"pattern": "TODO", "include": "*.py"})
    with serve_directory(dist / "site") as origin:
        link = {"kind": "url", "specifier": f"{origin}/sample-project.zip", "integrity": None}
        call = {"toolName": case.tool, "argumentsText": json.dumps(case.arguments)}
        given = {"link": link, "call": {**call, "maxOutputBytes": None}, "question": "What?"}
        told = {"sample": {**given, "config": {"tools": {}}}}
        text, commands = _render(told)["sample"]["Python"]
        (folder / "ask.py").write_text(text, "utf-8")
        install, *others = commands
        path = os.pathsep.join([str(folder / "bin"), os.environ["PATH"]])
        environment = {**os.environ, "PATH": path, "PYTHONPATH": os.pathsep.join(sys.path)}
        ran = run("sh", "-e", "-c", "\n".join(others), folder=folder, env=environment)

    registry = ToolRegistry(Workspace({"/repo": folder / "tree"}), Config())
    answer = registry.call_tool(case.tool, case.arguments).content
    assert install == "python -m pip install treeglass"
    assert (ran.stdout, ran.returncode) == (f"{answer}\n", 0)
    assert answer.endswith("/repo/src/larder/expiry.py")


def test_the_mcp_configuration_starts_a_server_of_the_folder(programs: _Programs) -> None:
    (server,) = json.loads(programs.texts["archive"]["MCP"])["mcpServers"].values()
    package, command, *arguments = server["args"]
    case = _CASES["archive"]

    with serving(*(word.replace("/path/to/tree", str(programs.folder)) for word in arguments)) as (
        started
    ):
        started.send(*OPENING, call(case.tool, case.arguments))
        said = [started.answer(), started.answer()]

    assert (server["command"], package, command) == ("uvx", "treeglass[mcp]", "mcp")
    assert said == [OPENED, answered(programs.answer(case))]


@pytest.mark.parametrize("case", _RUN_IN_A_PAGE)
def test_the_page_shows_the_answer(
    case: str, programs: _Programs, browsers: Browsers, tmp_path: Path
) -> None:
    page_file = tmp_path / "index.html"
    page_file.write_text(programs.texts[case]["A page"], "utf-8")

    with _opened(browsers, programs) as page:
        # From the disk, as its reader opens it.
        page.goto(page_file.as_uri())
        if _CASES[case].link is None:
            page.get_by_label("Your archive").set_input_files(programs.archive)

        expect(page.locator("pre")).to_have_js_property(
            "textContent", programs.answer(_CASES[case]), timeout=60_000
        )


@pytest.mark.parametrize("case", _RUN_IN_A_PAGE)
def test_the_demo_gives_the_answer(
    case: str, programs: _Programs, browsers: Browsers, tmp_path: Path
) -> None:
    pages = {"/page.html": programs.texts[case]["Documentation"].encode()}

    with (
        serve_directory(tmp_path, pages=pages) as origin,
        _opened(browsers, programs) as page,
    ):
        page.goto(f"{origin}/page.html")
        given = page.evaluate("""async () => {
          await customElements.whenDefined("treeglass-demo");
          return (await document.querySelector("treeglass-demo").run()).content;
        }""")

    assert given == programs.answer(_CASES[case])


@pytest.mark.parametrize("case", _RUN_IN_A_PAGE)
@pytest.mark.parametrize("sdk", _SDKS)
def test_an_sdk_program_makes_the_call_and_asks_a_model(
    sdk: str, case: str, programs: _Programs, browsers: Browsers, tmp_path: Path
) -> None:
    (tmp_path / "treeglass").symlink_to(NPM / "assets", target_is_directory=True)
    install_package(tmp_path, has_libraries=True)
    (tmp_path / "ask.ts").write_text(programs.texts[case][sdk], "utf-8")
    options = ("--bundle", "--format=esm", "--target=es2022", "--log-level=warning")
    # The package is a link, and what its adapters import lies beside the link.
    places = ("--external:node:*", "--preserve-symlinks")
    module = printed_by(find_node_tool("esbuild"), "ask.ts", *options, *places, folder=tmp_path)
    pages = {"/": b'<!doctype html><link rel="icon" href="data:,">', "/ask.js": module.encode()}

    with (
        serve_directory(tmp_path, pages=pages) as origin,
        _opened(browsers, programs) as page,
    ):
        page.goto(f"{origin}/")
        logged = page.evaluate("""async () => {
          const logged = [];
          console.log = (value) => logged.push(value);
          await import("/ask.js");
          return logged;
        }""")

    content = [{"type": "text", "text": _SAID}] if sdk == "Anthropic" else _SAID
    assert logged == [programs.answer(_CASES[case]), content]


_CHAT = {
    "id": "1",
    "object": "chat.completion",
    "created": 1,
    "model": "any",
    "choices": [
        {
            "index": 0,
            "finish_reason": "stop",
            "message": {"role": "assistant", "content": _SAID},
        }
    ],
    "usage": {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2},
}
_MESSAGE = {
    "id": "1",
    "type": "message",
    "role": "assistant",
    "model": "any",
    "content": [{"type": "text", "text": _SAID}],
    "stop_reason": "end_turn",
    "stop_sequence": None,
    "usage": {"input_tokens": 1, "output_tokens": 1},
}
_MODELS = {
    "http://localhost:11434/v1/chat/completions": _CHAT,
    "https://api.openai.com/v1/chat/completions": _CHAT,
    "https://api.anthropic.com/v1/messages": _MESSAGE,
}


@contextmanager
def _opened(browsers: Browsers, programs: _Programs) -> Iterator[Page]:
    """Yield a page for which the hosts that the programs name are answered from here."""
    hosts = {CDN_HOST, *(urlsplit(url).hostname or "" for url in [_SHOP, *_MODELS])}
    with open_watched_page(browsers.get("chromium"), answered_hosts=frozenset(hosts)) as page:
        # Two programs ask their reader for a key.
        page.on("dialog", lambda dialog: dialog.accept("sk-of-the-reader"))
        context = page.context
        context.route(f"https://{CDN_HOST}/npm/treeglass@*/**", _answer_package)
        context.route(_SHOP, _answering("shop.zip", programs.archive.read_bytes()))
        for url, said in _MODELS.items():
            context.route(url, _answering("said.json", json.dumps(said).encode()))
        yield page


def _answering(name: str, body: bytes) -> Callable[[Route], None]:
    # A default of a parameter would be taken for a parameter that wants the request.
    return lambda route: fulfill(route, name, body)


def _answer_package(route: Route) -> None:
    path = re.sub(r"^/npm/treeglass@[^/]+/", "", urlsplit(route.request.url).path)
    fulfill(route, path, (NPM / path).read_bytes())
