"""What a page does with the package: mounts, clients, aborts and progress."""

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.browser.cpython_answers import without_duration
from tests.browser.package_page import PackagePage
from tests.support.offered_tools import OFFERED_TOOLS
from treeglass import Config, ToolRegistry, Workspace

_TREE = {"lib/a.py": "a = 1\n", "notes.md": "# Notes\n"}
_NOT_FOUND = "failed to read directory: No such file or directory (os error 2)"
_OWN_FILES = ("/lib", "/lib/python3.14", "/home", "/home/pyodide", "/dev", "/proc", "/usr")
_TREEGLASS_FILES = ("/treeglass", "/treeglass/mounts", "/treeglass/mounts/1")
_PATH_KEYS = {
    "list_dir": "dir_path",
    "read_file": "file_path",
    "LS": "path",
    "list_directory": "path",
}


def test_two_mounts_are_apart_and_one_goes_without_the_other(package_page: PackagePage) -> None:
    told = package_page.run("""
        const client = await sharedClient();
        await client.mount("/one", { entries: { "a.txt": "1\\n" } });
        await client.mount("/two", { entries: { "b.txt": "2\\n" } });
        const list = async (path) => {
            const { content } = await client.callTool("list_dir", { dir_path: path });
            return content;
        };
        const before = [await list("/"), await list("/one"), await list("/two")];
        await client.unmount("/one");
        const after = [await list("/"), await list("/one"), await list("/two")];
        return [before, after, (await client.mounts()).map(({ path }) => path)];
    """)

    assert told == [
        [
            "Absolute path: /\none/\n  a.txt\ntwo/\n  b.txt",
            "Absolute path: /one\na.txt",
            "Absolute path: /two\nb.txt",
        ],
        ["Absolute path: /\ntwo/\n  b.txt", _NOT_FOUND, "Absolute path: /two\nb.txt"],
        ["/two"],
    ]


def test_a_mount_over_a_mounted_path_is_refused_by_name_and_changes_nothing(
    package_page: PackagePage,
) -> None:
    told = package_page.run("""
        const client = await sharedClient();
        await client.mount("/repo", { entries: { "a.txt": "1\\n" } });
        const second = await outcome(client.mount("/repo/", { entries: { "b.txt": "2\\n" } }));
        return [second, (await client.callTool("list_dir", { dir_path: "/repo" })).content];
    """)

    message = "'/repo' is mounted already; unmount it, use another path, or pass replace: true"
    refusal = {"name": "WorkspaceInvalid", "message": message}
    assert told == [refusal, "Absolute path: /repo\na.txt"]


def _answers_of_all_tools(root: Path, mount: str, paths: tuple[str, ...]) -> list[Any]:
    registry = ToolRegistry(Workspace({mount: root}, project_root="/"), Config.from_object(_OPEN))
    results = [
        registry.call_tool(tool, {key: path}) for path in paths for tool, key in _PATH_KEYS.items()
    ]
    return [
        [without_duration(result.content), result.error.kind if result.error else None]
        for result in results
    ]


# With this configuration, only the mounts limit the paths of list_directory.
_OPEN = {"tools": {"sandbox": {"allow_absolute": True, "allowed_roots": ["/"]}}}

_ASK_ALL_TOOLS = """
    const client = await connect({ config: given.config, projectRoot: "/" });
    await client.mount(given.mount, { entries: given.tree });
    const answers = [];
    for (const path of given.paths) {
        for (const [tool, key] of Object.entries(given.keys)) {
            const { content, error } = await client.callTool(tool, { [key]: path });
            answers.push([content, error?.kind ?? null]);
        }
    }
    await client.close();
    return answers;
"""


def test_a_tree_at_lib_is_seen_and_the_interpreters_own_files_are_not(
    package_page: PackagePage, make_tree: Callable[[Mapping[str, str]], Path]
) -> None:
    hidden = (*_OWN_FILES, *_TREEGLASS_FILES)
    paths = (*hidden, "/", "/lib/notes.md", "/lib/../home", "/lib/../lib/python3.14/os.py")
    given = {"config": _OPEN, "mount": "/lib", "tree": _TREE, "keys": _PATH_KEYS, "paths": paths}
    answers = package_page.run(_ASK_ALL_TOOLS, given)

    asked = [(path, tool) for path in paths for tool in _PATH_KEYS]
    told = {
        key: [_without_times(content), kind]
        for key, (content, kind) in zip(asked, answers, strict=True)
    }
    expected = _answers_of_all_tools(make_tree(_TREE), "/lib", paths)
    assert told == {
        key: [_without_times(content), kind]
        for key, (content, kind) in zip(asked, expected, strict=True)
    }
    kinds = {tool: {told[path, tool][1] for path in hidden[1:]} for tool in _PATH_KEYS}
    assert kinds == {
        "list_dir": {"RespondToModel"},
        "read_file": {"RespondToModel"},
        "LS": {"NOT_FOUND"},
        "list_directory": {"ExecutionFailed"},
    }
    assert told["/", "list_dir"][0] == "Absolute path: /\nlib/\n  lib/\n  notes.md"
    assert told["/lib/notes.md", "read_file"] == ["L1: # Notes", None]


def _without_times(content: str) -> str:
    """Return a canonical object without the times of its entries, which entries do not have."""
    if not content.startswith('{"path"'):
        return without_duration(content)
    listing = json.loads(content)
    for entry in listing["entries"]:
        entry["modified_epoch_ms"] = 0
    return json.dumps(listing)


def test_two_clients_of_one_page_share_neither_mounts_nor_configuration(
    package_page: PackagePage,
) -> None:
    told = package_page.run("""
        const [one, two] = [await sharedClient(), await connect()];
        await one.mount("/one", { entries: { "a.txt": "1\\n" } });
        await two.mount("/two", { entries: { "b.txt": "2\\n" } });
        await two.configure({ tools: { offered: [] } });
        const list = async (client) => [
            (await client.callTool("list_dir", { dir_path: "/" })).content,
            (await client.listTools()).map(({ name }) => name),
        ];
        const both = [await list(one), await list(two)];
        await two.close();
        return [...both, (await list(one))[0], await outcome(two.listTools())];
    """)

    one = "Absolute path: /\none/\n  a.txt"
    assert told == [
        [
            one,
            OFFERED_TOOLS,
        ],
        ["Absolute path: /\ntwo/\n  b.txt", ["grep_files", "list_dir", "read_file"]],
        one,
        {"name": "Closed", "message": "The client was closed; connect again."},
    ]


@pytest.mark.each_browser
def test_an_aborted_call_rejects_and_the_next_one_works(package_page: PackagePage) -> None:
    told = package_page.run("""
        const client = await sharedClient();
        await client.mount("/repo", { entries: { "a.txt": "1\\n" } });
        const call = (signal) => client.callTool("list_dir", { dir_path: "/repo" }, { signal });
        const controller = new AbortController();
        const late = call(controller.signal);
        controller.abort();
        const reason = new Error("enough");
        return [
            await outcome(late),
            await outcome(call(AbortSignal.abort())),
            await call(AbortSignal.abort(reason)).catch((error) => error === reason),
            (await call()).content,
        ];
    """)

    aborted = {"name": "AbortError"}
    assert told == [aborted, aborted, True, "Absolute path: /repo\na.txt"]


def test_an_aborted_mount_leaves_nothing_mounted_and_its_path_free(
    package_page: PackagePage,
) -> None:
    told = package_page.run("""
        const client = await sharedClient();
        const entries = {};
        for (let number = 0; number < 300_000; number += 1) {
            entries[`group ${number % 500}/entry ${number}`] = "";
        }
        const controller = new AbortController();
        const phases = [];
        const mounting = client.mount("/repo", { entries }, {
            signal: controller.signal,
            onProgress: ({ phase }) => { phases.push(phase); controller.abort(); },
        });
        const first = await outcome(mounting);
        const list = async () => (await client.callTool("list_dir", { dir_path: "/" })).content;
        const empty = [await list(), await client.mounts()];
        await client.mount("/repo", { entries: { "a.txt": "" } });
        return [first, phases.length, ...empty, await list()];
    """)

    first, progress_count, *rest = told
    assert first == {"name": "AbortError"}
    assert progress_count == 1
    assert rest == ["Absolute path: /", [], "Absolute path: /\nrepo/\n  a.txt"]


def test_an_aborted_connect_leaves_no_worker(package_page: PackagePage) -> None:
    page = package_page.page
    package_page.run("await sharedClient();")
    with page.expect_worker() as started:
        package_page.run("""
            globalThis.controller = new AbortController();
            const { signal } = controller;
            globalThis.connecting = outcome(connect({ signal }));
        """)
    with started.value.expect_event("close"):
        page.evaluate("controller.abort()")

    assert page.evaluate("connecting") == {"name": "AbortError"}
    assert started.value not in page.workers
    assert package_page.run(
        "return (await (await sharedClient()).callTool('list_dir', { dir_path: '/' })).content;"
    ) == ("Absolute path: /")


def test_closing_a_client_ends_its_worker(package_page: PackagePage) -> None:
    page = package_page.page
    package_page.run("await sharedClient();")
    with page.expect_worker() as started:
        phases = package_page.run("""
            const events = [];
            const onProgress = ({ elapsedMs, ...event }) => events.push(event);
            globalThis.own = await connect({ onProgress });
            return events;
        """)
    with started.value.expect_event("close"):
        pending = package_page.run("""
            const call = outcome(own.callTool("list_dir", { dir_path: "/" }));
            await own.close();
            return [await call, await outcome(own.callTool("LS", {})), await own.mounts()];
        """)

    closed = {"name": "Closed", "message": "The client was closed; connect again."}
    assert pending == [closed, closed, []]
    assert started.value not in page.workers
    assert phases == [
        {"phase": "runtime", "loaded": 0, "total": 1},
        {"phase": "runtime", "loaded": 1, "total": 1},
        {"phase": "ready", "loaded": 1, "total": 1},
    ]


@pytest.mark.slow
def test_a_large_mount_tells_how_far_it_has_come(package_page: PackagePage) -> None:
    events = package_page.run("""
        const client = await sharedClient();
        const entries = {};
        for (let number = 0; number < 300_000; number += 1) {
            entries[`group ${number % 500}/entry ${number}`] = "";
        }
        const events = [];
        const onProgress = ({ elapsedMs, ...event }) => events.push(event);
        await client.mount("/repo", { entries }, { onProgress });
        return events;
    """)

    *index, last = events
    loaded = [event["loaded"] for event in index]
    assert last == {"phase": "mount", "loaded": 1, "total": 1}
    assert index == [{"phase": "index", "loaded": n, "total": 300_000} for n in loaded]
    assert loaded == sorted(set(loaded))
    assert 0 < loaded[0] <= loaded[-1] <= 300_000


@pytest.mark.each_browser
def test_files_of_an_input_are_mounted_whatever_the_page_does_with_it_after(
    package_page: PackagePage, tmp_path: Path
) -> None:
    for name in ("a.txt", "b.txt"):
        (tmp_path / name).write_text(f"{name}\n", "utf-8")
    package_page.page.evaluate(
        "document.body.innerHTML = '<label>Pick<input type=file multiple></label>'"
    )
    pick = package_page.page.get_by_label("Pick")
    pick.set_input_files([tmp_path / "a.txt", tmp_path / "b.txt"])
    told = package_page.run("""
        const client = await sharedClient();
        const input = document.querySelector("input");
        const mounting = client.mount("/repo", { files: input.files });
        input.value = "";
        const { files } = await mounting;
        const read = await client.callTool("read_file", { file_path: "/repo/b.txt" });
        return [files, read.content];
    """)

    expect(pick).to_have_value("")
    assert told == [2, "L1: b.txt"]
