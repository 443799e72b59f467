"""A directory handle as a tree, with real handles of the browser's private storage."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.browser.cpython_answers import without_duration
from tests.browser.package_page import PACKAGE_PAGES, PackagePage
from tests.support.browser_support import Browsers, open_watched_page
from tests.support.served_directory import serve_directory
from tests.support.start_json import with_worker
from treeglass import ToolRegistry, Workspace

# It stands for a visitor's folder: the same kind of handle, without a dialog.
_STORAGE = """
    const storage = await navigator.storage.getDirectory();
    for await (const name of storage.keys()) await storage.removeEntry(name, { recursive: true });
    const write = async (path, text) => {
        const names = path.split("/");
        let directory = storage;
        for (const name of names.slice(0, -1)) {
            directory = await directory.getDirectoryHandle(name, { create: true });
        }
        const file = await directory.getFileHandle(names.at(-1), { create: true });
        const stream = await file.createWritable();
        await stream.write(text);
        await stream.close();
    };
    for (const [path, text] of Object.entries(given.tree ?? {})) await write(path, text);
    const client = await sharedClient();
    const call = async (tool, args) => {
        const { content, isError, warnings } = await client.callTool(tool, args);
        return isError ? [content, warnings] : content;
    };
"""

_TREE = {
    "README.md": "# Hi\n",
    "src/app.py": "def main():\n    print('hello')\n",
    "src/lib/deep/er/x.txt": "x\n",
    "grüße 🌳.txt": "schön\n",
}
_CALLS = (
    ("list_dir", {"dir_path": "/repo", "depth": 8}),
    ("read_file", {"file_path": "/repo/src/app.py"}),
    ("read_file", {"file_path": "/repo/src/missing.py"}),
    ("read_file", {"file_path": "/repo/src"}),
    ("list_dir", {"dir_path": "/repo/README.md"}),
    ("LS", {"path": "."}),
    ("LS", {"path": "src/lib"}),
    ("list_dir", {"dir_path": "/repo/../repo/src/./lib"}),
)


@pytest.mark.each_browser
def test_a_handle_answers_as_the_same_folder_does_on_cpython(
    package_page: PackagePage, make_tree: Callable[[Mapping[str, str]], Path]
) -> None:
    told = package_page.run(
        _STORAGE
        + """
        const report = await client.mount("/repo", { directory: storage });
        delete report.elapsedMs;
        const answers = [];
        for (const [tool, args] of given.calls) {
            answers.push((await client.callTool(tool, args)).content);
        }
        return { report, answers };
        """,
        {"tree": _TREE, "calls": _CALLS},
    )

    registry = ToolRegistry(Workspace({"/repo": make_tree(_TREE)}))
    expected = [registry.call_tool(tool, dict(arguments)).content for tool, arguments in _CALLS]
    assert told["report"] == {
        "path": "/repo",
        "origin": None,
        "files": None,
        "directories": None,
        "symlinks": None,
        "bytes": None,
        "skipped": [],
        "renamed": [],
        "converted": [],
    }
    assert list(map(without_duration, told["answers"])) == list(map(without_duration, expected))


@pytest.mark.each_browser
def test_each_call_sees_what_the_folder_holds_then(package_page: PackagePage) -> None:
    told = package_page.run(
        _STORAGE
        + """
        await client.mount("/repo", { directory: storage });
        const look = async () => [
            await call("list_dir", { dir_path: "/repo" }),
            await call("read_file", { file_path: "/repo/a.txt" }),
        ];
        const seen = [await look()];
        await write("a.txt", "after\\n");
        await write("b/c.txt", "");
        seen.push(await look());
        await storage.removeEntry("a.txt");
        await storage.removeEntry("b", { recursive: true });
        await write("b", "now a file\\n");
        seen.push(await look());
        return seen;
        """,
        {"tree": {"a.txt": "before\n"}},
    )

    gone = "failed to read file: No such file or directory (os error 2)"
    assert told == [
        ["Absolute path: /repo\na.txt", "L1: before"],
        ["Absolute path: /repo\na.txt\nb/\n  c.txt", "L1: after"],
        ["Absolute path: /repo\nb", [gone, []]],
    ]


@pytest.mark.each_browser
def test_what_skip_names_is_not_there(package_page: PackagePage) -> None:
    told = package_page.run(
        _STORAGE
        + """
        const skip = ["node_modules", "*.log"];
        await client.mount("/repo", { directory: storage }, { skip });
        return [
            await call("list_dir", { dir_path: "/repo", depth: 3 }),
            await call("read_file", { file_path: "/repo/node_modules/x.js" }),
        ];
        """,
        {"tree": {"node_modules/x.js": "x\n", "a/b.log": "b\n", "a/c.txt": "c\n"}},
    )

    gone = "failed to read file: No such file or directory (os error 2)"
    assert told == ["Absolute path: /repo\na/\n  c.txt", [gone, []]]


@pytest.mark.each_browser
def test_a_limit_of_a_folder_is_told_where_it_is_met(package_page: PackagePage) -> None:
    told = package_page.run(
        _STORAGE
        + """
        const limits = { maxEntries: 2, maxFileBytes: 3 };
        await client.mount("/repo", { directory: storage }, { limits });
        return [
            await call("list_dir", { dir_path: "/repo/few" }),
            await call("list_dir", { dir_path: "/repo/many" }),
            await call("read_file", { file_path: "/repo/few/large.txt" }),
            await call("read_file", { file_path: "/repo/few/small.txt" }),
        ];
        """,
        {
            "tree": {
                "few/small.txt": "ab\n",
                "few/large.txt": "abc\n",
                **{f"many/{n}": "" for n in range(3)},
            }
        },
    )

    assert told == [
        "Absolute path: /repo/few\nlarge.txt\nsmall.txt",
        [
            "failed to read directory: Input/output error (os error 5)",
            [
                "'/repo/many' cannot be read: the directory has more than 2 entries (maxEntries)",
            ],
        ],
        [
            "failed to read file: Input/output error (os error 5)",
            [
                "'/repo/few/large.txt' cannot be read: it is 4 bytes large, over maxFileBytes (3)",
            ],
        ],
        "L1: ab",
    ]


@pytest.mark.each_browser
def test_a_folder_that_vanished_is_an_answer_and_the_client_goes_on(
    package_page: PackagePage,
) -> None:
    told = package_page.run(
        _STORAGE
        + """
        const folder = await storage.getDirectoryHandle("folder", { create: true });
        await client.mount("/repo", { directory: folder });
        await client.mount("/other", { entries: { "a.txt": "1\\n" } });
        const before = await call("list_dir", { dir_path: "/repo" });
        await storage.removeEntry("folder");
        const after = await call("list_dir", { dir_path: "/repo" });
        return [before, after, await call("list_dir", { dir_path: "/other" })];
        """,
        {},
    )

    assert told == [
        "Absolute path: /repo",
        [
            "failed to read directory: Input/output error (os error 5)",
            ["'/repo' cannot be read: it is no longer there"],
        ],
        "Absolute path: /other\na.txt",
    ]


@pytest.mark.each_browser
def test_an_aborted_call_rejects_while_the_folder_is_listed_and_the_next_one_answers(
    package_page: PackagePage,
) -> None:
    names = [f"d{index:03}" for index in range(200)]
    told = package_page.run(
        _STORAGE
        + """
        await client.mount("/repo", { directory: storage });
        const controller = new AbortController();
        const deep = { dir_path: "/repo", depth: 9, limit: 1000 };
        const call_ = client.callTool("list_dir", deep, { signal: controller.signal });
        controller.abort();
        const { name } = await outcome(call_);
        const { content } = await client.callTool("list_dir", { ...deep, limit: 3 });
        return [name, content];
        """,
        {"tree": {f"{name}/f.txt": "" for name in names}},
    )

    listing = "Absolute path: /repo\nd000/\n  f.txt\nd001/\nMore than 3 entries found"
    assert told == ["AbortError", listing]


# Loaded in the worker before its own module, and in the page before the package.
_SPY = b"""\
const channel = new BroadcastChannel("spy");
const isWorker = typeof WorkerGlobalScope === "function";
const describe = Object.getOwnPropertyDescriptors;
for (const type of [FileSystemHandle, FileSystemFileHandle, FileSystemDirectoryHandle]) {
    for (const [name, { value }] of Object.entries(describe(type.prototype))) {
        if (typeof value !== "function" || name === "constructor") continue;
        type.prototype[name] = function (...given) {
            const asked = given.filter((one) => typeof one !== "string");
            channel.postMessage([name, JSON.stringify(asked)]);
            return value.apply(this, given);
        };
    }
}
channel.addEventListener("message", ({ data }) => {
    if (isWorker && data === "finish") channel.postMessage(["finished", ""]);
});
"""
_READING = {
    "entries": "[]",
    "getDirectoryHandle": "[]",
    "getFile": "[]",
    "getFileHandle": "[]",
    "keys": "[]",
    "queryPermission": '[{"mode":"read"}]',
    "requestPermission": '[{"mode":"read"}]',
    "values": "[]",
}
"""Every call of a handle that treeglass may make, with what it may ask."""


@contextmanager
def _spied_package(dist: Path) -> Iterator[str]:
    spying = b'import "/spy.mjs";\nimport "/spied.js";\n'
    start = (dist / "npm" / "assets" / "start.json").read_bytes()
    pages = {
        **PACKAGE_PAGES,
        "/spy.mjs": _SPY,
        "/spied.js": (dist / "npm" / "assets" / "worker.js").read_bytes(),
        "/assets/worker.js": spying,
        "/assets/start.json": with_worker(start, spying),
    }
    with serve_directory(dist / "npm", pages=pages) as origin:
        yield origin


@pytest.mark.each_browser
def test_no_handle_is_ever_asked_to_write(
    browsers: Browsers, dist: Path, browser_name: str
) -> None:
    with (
        _spied_package(dist) as origin,
        open_watched_page(browsers.get(browser_name)) as page,
    ):
        told = PackagePage(page, origin).run(
            _STORAGE
            + """
            const told = new Map();
            const channel = new BroadcastChannel("spy");
            channel.addEventListener("message", ({ data: [name, asked] }) => {
                told.set(name, (told.get(name) ?? new Set()).add(asked));
            });
            await import("/spy.mjs");
            await client.mount("/repo", { directory: storage });
            for (const [tool, args] of given.calls) await client.callTool(tool, args);
            await client.unmount("/repo");
            const finished = new Promise((resolve) => {
                channel.addEventListener("message", ({ data: [name] }) => {
                    if (name === "finished") resolve();
                });
            });
            channel.postMessage("finish");
            await finished;
            told.delete("finished");
            return Object.fromEntries([...told].map(([name, asked]) => [name, [...asked]]));
            """,
            {"tree": _TREE, "calls": _CALLS},
        )

    assert {"getFileHandle", "getDirectoryHandle", "getFile", "values"} <= told.keys()
    unexpected = {name: asked for name, asked in told.items() if set(asked) != {_READING.get(name)}}
    assert unexpected == {}


@pytest.mark.each_browser
def test_each_change_of_a_file_in_a_folder_is_made_once(package_page: PackagePage) -> None:
    told = package_page.run(
        _STORAGE
        + """
        await client.configure({ tools: { experimental_supported_tools: ["apply_patch"] } });
        await client.mount("/repo", { directory: storage });
        const edited = async (...lines) => {
            const patch = ["*** Begin Patch", "*** Update File: src/a.txt", ...lines];
            return call("apply_patch", [...patch, "*** End Patch"].join("\\n"));
        };
        const answers = [
            await edited("-one", "+ONE"), await edited("-two", "+TWO"), await edited("+four"),
        ];
        const read = await client.exportChanges({ format: "patch" });
        const { version, entries } = await client.changes();
        const states = entries.map(({ baseState }) => baseState);
        await write("src/a.txt", "other");
        const warned = (await client.callTool("apply_patch", given.last)).warnings;
        const [{ baseState }] = (await client.changes()).entries;
        const kept = await (await (await (await storage.getDirectoryHandle("src"))
            .getFileHandle("a.txt")).getFile()).text();
        return { answers, added: read.split("\\n").filter((line) => /^[+]\\w/.test(line)), version,
            states, warned, baseState, kept };
        """,
        {
            "tree": {"src/a.txt": "one\ntwo\nthree\n"},
            "last": "*** Begin Patch\n*** Update File: src/a.txt\n-three\n+THREE\n*** End Patch",
        },
    )

    warning = (
        "/repo/src/a.txt has changed in its folder since it was first changed here; the proposal "
        "is shown, and its patch may not apply."
    )
    done = "Exit code: 0\nWall time: 0 seconds\nOutput:\nSuccess. Updated the following files:\n"
    assert told == {
        "answers": [f"{done}M src/a.txt\n"] * 3,
        "added": ["+ONE", "+TWO", "+four"],
        "version": 3,
        "states": ["unchanged"],
        "warned": [warning],
        "baseState": "changed",
        "kept": "other",
    }
