"""The browser's own agent finds and calls the tools, natively and by a polyfill."""

import json
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser

from build_steps.folders import WEB
from build_steps.web.scripts import bundle_script
from tests.browser.package_page import PACKAGE_PAGES, PackagePage
from tests.support.browser_support import (
    Browsers,
    chromium_arguments_here,
    find_chromium,
    open_watched_page,
)
from tests.support.served_directory import serve_directory
from treeglass import Config, ToolRegistry, Workspace

pytestmark = pytest.mark.slow

_POLYFILL = WEB / "node_modules" / "@mcp-b" / "webmcp-polyfill" / "dist" / "index.js"

_FILES = {f"part-{index:03}.txt": f"This is part {index}.\n" for index in range(200)}


@pytest.fixture(scope="module")
def native(browsers: Browsers) -> Iterator[Browser]:
    """A Chromium with native WebMCP."""
    plain = browsers.get("chromium")
    browser = plain.browser_type.launch(
        executable_path=find_chromium(plain.browser_type),
        args=["--enable-features=WebMCP", *chromium_arguments_here()],
    )
    yield browser
    browser.close()


@pytest.fixture(scope="module")
def opened_pages(
    browsers: Browsers,
    dist: Path,
    tmp_path_factory: pytest.TempPathFactory,
    request: pytest.FixtureRequest,
) -> Iterator[Callable[[str], PackagePage]]:
    """A page in which tools can be registered; one for all stories."""
    bundled = tmp_path_factory.mktemp("polyfill") / "polyfill.js"
    bundle_script(_POLYFILL, bundled)
    pages = {**PACKAGE_PAGES, "/polyfill.js": bundled.read_bytes()}
    with ExitStack() as stack:
        # Without the header, Firefox gives a page no agent cluster of its own, which WebMCP needs.
        headers = {"Origin-Agent-Cluster": "?1"}
        origin = stack.enter_context(serve_directory(dist / "npm", pages=pages, headers=headers))

        @cache
        def open_once(name: str) -> PackagePage:
            is_native = name == "native"
            browser = request.getfixturevalue("native") if is_native else browsers.get(name)
            opened = PackagePage(stack.enter_context(open_watched_page(browser)), origin)
            if is_native:
                if not opened.page.evaluate("'modelContext' in document"):
                    pytest.skip("this Chromium has no WebMCP, whatever it is told")
            else:
                opened.run("(await import('/polyfill.js')).initializeWebMCPPolyfill();")
            return opened

        yield open_once


def _prepare(opened: PackagePage) -> PackagePage:
    """Give the page's shared client the files and the tools of all families, and register none."""
    opened.run(
        """
        window.registration?.unregister();
        const client = await sharedClient();
        await client.configure({ tools: { family: "all" } });
        for (const { path } of await client.mounts()) await client.unmount(path);
        await client.mount("/repo", { entries: given });
        """,
        _FILES,
    )
    return opened


@pytest.fixture(params=["native", "chromium", "firefox"])
def page(request: pytest.FixtureRequest, opened_pages: Callable[[str], PackagePage]) -> PackagePage:
    """A page with WebMCP, the files in the shared client, and no tools."""
    return _prepare(opened_pages(request.param))


_TOOLS = [
    *("Glob", "Grep", "LS", "Read", "Search"),
    *("grep_files", "list_dir", "list_directory", "read_file"),
]
"""The tools of all families."""


def _register(page: PackagePage, options: str = "{}") -> Any:
    return page.run(
        """
        const { registerWebMcpTools } = await import("/adapters/webmcp.js");
        const register = async (options) => {
          window.registration = await registerWebMcpTools(await sharedClient(), options);
          return window.registration.names;
        };
        """
        f"return outcome(register({options}));"
    )


def _call(page: PackagePage, name: str, arguments: object) -> Any:
    """Call a tool as the page's own agent does; return the JSON of the result."""
    return page.run(
        """
        const { modelContext } = document;
        const tool = (await modelContext.getTools()).find(({ name }) => name === given.name);
        // The polyfill is as Chromium was, which took and gave JSON.
        const input = given.isNative ? given.arguments : JSON.stringify(given.arguments);
        const answer = await modelContext.executeTool(tool, input);
        return typeof answer === "string" ? answer : JSON.stringify(answer);
        """,
        {"name": name, "arguments": arguments, "isNative": _is_native(page)},
    )


def _is_native(page: PackagePage) -> bool:
    is_native: bool = page.run("return String(ModelContext).includes('[native code]');")
    return is_native


def _registered(page: PackagePage) -> list[str]:
    names: list[str] = page.run(
        "return (await document.modelContext.getTools()).map(({ name }) => name).sort();"
    )
    return names


def test_an_agent_finds_the_published_tools(page: PackagePage) -> None:
    names = _register(page)
    found = page.run("""
        const tools = await document.modelContext.getTools();
        return tools.map(({ name, title, description, inputSchema, annotations }) => ({
          name, title, description,
          inputSchema: typeof inputSchema === "string" ? JSON.parse(inputSchema) : inputSchema,
          // And not what a browser adds.
          readOnlyHint: annotations.readOnlyHint,
          untrustedContentHint: annotations.untrustedContentHint,
        }));
    """)
    config = Config.from_object({"tools": {"family": "all"}})
    published = ToolRegistry(Workspace({}), config).list_tools()
    assert names == {"value": _TOOLS}
    assert sorted(found, key=lambda tool: str(tool["name"])) == [
        {
            "name": definition.name,
            "title": definition.title,
            "description": definition.description,
            "inputSchema": definition.input_schema,
            "readOnlyHint": True,
            "untrustedContentHint": True,
        }
        for definition in sorted(published, key=lambda definition: definition.name)
    ]


def test_answers_and_errors_are_data(page: PackagePage) -> None:
    _register(page, '{ rename: { read_file: "open" } }')
    answers = [
        _call(page, "open", {"file_path": "/repo/part-007.txt"}),
        _call(page, "open", {"file_path": "/repo/none.txt"}),
        _call(page, "list_directory", {}),
    ]
    assert [json.loads(answer) for answer in answers] == [
        {"ok": True, "text": "L1: This is part 7."},
        {
            "ok": False,
            "error": {
                "kind": "RespondToModel",
                "message": "failed to read file: No such file or directory (os error 2)",
            },
        },
        {
            "ok": False,
            "error": {
                "kind": "BadArgs",
                "message": "Bad args: path is missing; give the directory to list, "
                "'.' for the working directory",
            },
        },
    ]


def test_all_that_a_tool_returns_keeps_to_the_budget(page: PackagePage) -> None:
    _register(page)
    sizes = [
        len(_call(page, "list_dir", {"dir_path": "/repo", "limit": 200})),
        len(_call(page, "list_directory", {"path": "."})),
        len(_call(page, "LS", {"limit": 200})),
    ]
    # Uncut, each would be several times as long; cut, it uses most of the budget.
    assert [900 <= size <= 1500 for size in sizes] == [True, True, True]


def test_a_name_that_is_taken_leaves_nothing_registered(page: PackagePage) -> None:
    page.run("""
        window.own = new AbortController();
        await document.modelContext.registerTool({
          name: "list_directory", description: "The page's own.", execute: async () => ({}),
        }, { signal: window.own.signal });
    """)
    refused = _register(page)
    names = [_registered(page)]
    prefixed = _register(page, '{ prefix: "repo_" }')
    names.append(_registered(page))
    page.run("window.own.abort();")
    assert (refused, prefixed, names) == (
        {
            "name": "BadRequest",
            "message": 'A tool "list_directory" is registered in this page already; '
            "choose other names with prefix or rename.",
        },
        {"value": [f"repo_{name}" for name in _TOOLS]},
        [["list_directory"], ["list_directory", *(f"repo_{name}" for name in _TOOLS)]],
    )


def test_tools_go_by_unregister_and_by_the_signal(page: PackagePage) -> None:
    _register(page)
    names = [_registered(page)]
    page.run("window.registration.unregister(); window.registration.unregister();")
    names.append(_registered(page))
    _register(page, "{ signal: (window.leaving = new AbortController()).signal }")
    names.append(_registered(page))
    page.run("window.leaving.abort();")
    names.append(_registered(page))
    assert names == [_TOOLS, [], _TOOLS, []]


def test_a_call_that_its_agent_aborts_is_rejected(page: PackagePage) -> None:
    _register(page, "{ approve: () => { window.asked?.(); return new Promise(() => {}); } }")
    assert page.run(
        """
        const tools = await document.modelContext.getTools();
        const tool = tools.find(({ name }) => name === "LS");
        const asked = new Promise((resolve) => { window.asked = resolve; });
        const aborting = new AbortController();
        const { signal } = aborting;
        const input = given ? {} : "{}";
        const call = document.modelContext.executeTool(tool, input, { signal });
        const became = outcome(call);
        await asked;
        aborting.abort();
        return became;
    """,
        _is_native(page),
    ) == {"name": "AbortError"}


def test_an_agent_outside_the_page_calls_the_tools(
    opened_pages: Callable[[str], PackagePage],
) -> None:
    opened = _prepare(opened_pages("native"))
    _register(opened, '{ prefix: "repo_" }')
    tools = opened.page.webmcp.tools()
    answer = opened.page.webmcp.call_tool("repo_read_file", {"file_path": "/repo/none.txt"})
    assert ([tool["name"] for tool in tools], answer) == (
        [f"repo_{name}" for name in _TOOLS],
        {
            "ok": False,
            "error": {
                "kind": "RespondToModel",
                "message": "failed to read file: No such file or directory (os error 2)",
            },
        },
    )


@pytest.mark.each_browser
def test_a_page_without_webmcp_is_told_so(package_page: PackagePage) -> None:
    assert package_page.run("""
        const { isWebMcpAvailable, registerWebMcpTools } = await import("/adapters/webmcp.js");
        return [isWebMcpAvailable(), await outcome(registerWebMcpTools(await sharedClient()))];
    """) == [
        False,
        {
            "name": "BadRequest",
            "message": "This page has no WebMCP: document.modelContext is missing. Open the page "
            "over https or from localhost, in a browser that has WebMCP switched on, or load a "
            "polyfill first.",
        },
    ]
