"""Links and empty folders in the sources that have them, and mounts of every kind at once."""

import base64
import io
import re
import tarfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from tests.browser.cpython_answers import CPythonAnswers
from tests.browser.hostile.archives import COMPRESSORS, Entry, tar_of, zip_of
from tests.browser.loopback_hosts import READABLE, PackageHosts, deliver_package
from tests.browser.package_page import PackagePage
from tests.support.browser_support import Browsers, open_watched_page
from tests.support.served_directory import serve_directory
from treeglass.__main__ import main

Call = tuple[str, dict[str, Any]]

_PACKAGE = Path(__file__).parent.parent.parent.parent / "web" / "node_modules" / "fflate"
_LINKED = {
    "README.md": "# Hi\n",
    "src/app.py": "import os\n\n\ndef main():\n    return os\n",
    "src/deep/er/x.txt": "x\n",
    "empty": None,
    "src/nothing/at/all": None,
    "to-file": "-> src/app.py",
    "to-directory": "-> src/deep",
    "src/up": "-> ../README.md",
    "src/deep/er/far": "-> ../../../README.md",
    "to-nothing": "-> src/missing",
    "to-itself": "-> to-itself",
    "to-the-top": "-> .",
    "to-link": "-> to-file",
}
"""A tree with links and empty folders, which a choice of files cannot express."""

_TIMES = re.compile(r'("(?:modified_epoch_ms|time_ms)": ?)(?:-?\d+|null)')
"""Times differ by source: a manifest has none, a zip counts two seconds, a tar seconds."""

_ASK = """
    const client = await sharedClient();
    const ask = async (calls) => {
        const answers = [];
        for (const [tool, first] of calls) {
            for (let args = first; args !== null; ) {
                const { content, nextArguments } = await client.callTool(tool, args);
                answers.push(content);
                args = nextArguments;
            }
        }
        return answers;
    };
    const answersOf = async (source) => {
        await client.mount("/repo", source, { replace: true });
        return ask(given.calls);
    };
    const bytesFrom = (text) => Uint8Array.from(atob(text), (one) => one.charCodeAt(0));
"""


def _calls_on(tree: Path) -> list[Call]:
    """Return calls of all four tools that together show every entry and every file."""
    paths = sorted(path.relative_to(tree).as_posix() for path in tree.rglob("*"))
    calls: list[Call] = [
        ("list_dir", {"dir_path": "/repo", "depth": 8, "limit": 500}),
        ("list_dir", {"dir_path": "/repo", "depth": 8, "limit": 3}),
        ("LS", {"path": ".", "include_hidden": True, "limit": 2}),
        ("list_directory", {"path": ".", "recursive": True, "include_hidden": True}),
        ("list_directory", {"path": ".", "recursive": True, "max_entries": 5}),
    ]
    for path in paths:
        calls += [
            ("read_file", {"file_path": f"/repo/{path}"}),
            ("list_dir", {"dir_path": f"/repo/{path}"}),
            ("LS", {"path": path}),
            ("list_directory", {"path": path}),
        ]
    return calls


def _without_times(content: str) -> str:
    return _TIMES.sub(r"\g<1>0", content)


def _right_answers(tree: Path, calls: Sequence[Call]) -> list[str]:
    cpython = CPythonAnswers(tree)
    return [_without_times(page) for tool, args in calls for page in cpython.pages(tool, args)]


def _wrong_answers(told: Mapping[str, Sequence[str]], right: Sequence[str]) -> dict[str, list[Any]]:
    """Return for each source the answers that differ from CPython's, with CPython's."""
    pairs = {
        source: [
            (ours, theirs)
            for ours, theirs in zip(map(_without_times, answers), right, strict=True)
            if ours != theirs
        ]
        for source, answers in told.items()
    }
    return {source: wrong for source, wrong in pairs.items() if wrong}


def _entries_of(tree: Mapping[str, str | None]) -> list[Entry]:
    entries = []
    for path, content in tree.items():
        if content is None:
            entries.append(Entry(path, b"", "directory"))
        elif content.startswith("-> "):
            entries.append(Entry(path, content.removeprefix("-> ").encode(), "symlink"))
        else:
            entries.append(Entry(path, content.encode()))
    return entries


@pytest.fixture
def linked(make_tree: Any) -> Path:
    """The tree with links as a folder."""
    tree: Path = make_tree(_LINKED)
    return tree


@pytest.mark.each_browser
def test_links_and_empty_folders_answer_alike_wherever_a_source_has_them(
    package_page: PackagePage, linked: Path
) -> None:
    calls = _calls_on(linked)
    entries = _entries_of(_LINKED)
    archives = {"zip": zip_of(entries), "tar": tar_of(entries)}
    archives |= {form: compress(archives["tar"]) for form, compress in COMPRESSORS.items()}
    for name in ("tree.zip", "tree.json"):
        assert main(["pack", str(linked), "-o", str(linked.parent / name)]) == 0
    with serve_directory(linked.parent, headers=READABLE) as origin:
        told = package_page.run(
            _ASK
            + """
            const told = {};
            const flat = Object.entries(given.tree).map(([path, content]) => {
                if (!content?.startsWith("-> ")) return [path, content];
                return [path, { symlink: content.slice(3) }];
            });
            told.entries = await answersOf({ entries: Object.fromEntries(flat) });
            for (const [form, text] of Object.entries(given.archives)) {
                told[form] = await answersOf({ archive: bytesFrom(text) });
            }
            told.packed = await answersOf({ url: `${given.origin}/tree.zip` });
            told.manifest = await answersOf({ url: `${given.origin}/tree.json` });
            told.ahead = await answersOf({ url: `${given.origin}/tree.json`, prefetch: true });
            return told;
            """,
            {
                "calls": calls,
                "tree": _LINKED,
                "origin": origin,
                "archives": {
                    form: base64.b64encode(archive).decode() for form, archive in archives.items()
                },
            },
        )

    assert list(told) == ["entries", *archives, "packed", "manifest", "ahead"]
    assert _wrong_answers(told, _right_answers(linked, calls)) == {}


@pytest.mark.each_browser
def test_files_that_a_script_puts_into_a_drop_are_a_tree(
    package_page: PackagePage, make_tree: Any
) -> None:
    # A drop that a script made has files without folders.
    files = {"README.md": "# Hi\n", "__proto__": "a name\n", "10": "ten\n", "ü 🌳.txt": "schön\n"}
    tree: Path = make_tree(files)
    calls = _calls_on(tree)
    answers = package_page.run(
        _ASK
        + """
        const transfer = new DataTransfer();
        for (const [name, text] of given.files) transfer.items.add(new File([text], name));
        return answersOf({ files: transfer });
        """,
        {"calls": calls, "files": list(files.items())},
    )

    assert _wrong_answers({"drop": answers}, _right_answers(tree, calls)) == {}


@pytest.fixture(scope="module")
def delivered(tmp_path_factory: pytest.TempPathFactory) -> Iterator[PackageHosts]:
    """An installed package, delivered from loopback."""
    with deliver_package(_PACKAGE, tmp_path_factory.mktemp("delivered")) as hosts:
        yield hosts


@pytest.mark.each_browser
def test_a_package_is_listed_and_read_as_it_is_installed(
    package_page: PackagePage, delivered: PackageHosts
) -> None:
    calls = _calls_on(_PACKAGE)
    told = package_page.run(
        _ASK
        + """
        const { index_url: index, files_url: files, specifier } = given.package;
        const hosts = { index, files };
        const [name] = specifier.split("@");
        const told = {};
        told.exact = await answersOf({ npm: specifier, hosts });
        told.latest = await answersOf({ npm: name, hosts, prefetch: true });
        const [{ origin }] = await client.mounts();
        return [told, origin];
        """,
        {"calls": calls, "package": delivered._asdict()},
    )

    answers, origin = told
    assert list(answers) == ["exact", "latest"]
    assert _wrong_answers(answers, _right_answers(_PACKAGE, calls)) == {}
    assert origin == f"npm:{delivered.specifier}"


def _tarred(folder: Path) -> bytes:
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w:gz") as archive:
        archive.add(folder, ".")
    return packed.getvalue()


@pytest.mark.each_browser
def test_two_mounts_of_different_kinds_that_are_asked_for_at_once_are_both_there(
    package_page: PackagePage, delivered: PackageHosts
) -> None:
    told = package_page.run(
        _ASK
        + """
        const { index_url: index, files_url: files, specifier } = given.package;
        const mounts = await Promise.all([
            client.mount("/npm", { npm: specifier, hosts: { index, files } }),
            client.mount("/tar", { archive: bytesFrom(given.tar) }),
            client.mount("/text", { entries: { "a.txt": "a\\n" } }),
        ]);
        const read = (file) => client.callTool("read_file", { file_path: file });
        const [npm, tar, text] = await Promise.all([
            read("/npm/package.json"),
            read("/tar/package.json"),
            read("/text/a.txt"),
        ]);
        return [mounts.map(({ origin }) => origin), npm.content === tar.content, text.content];
        """,
        {
            "package": delivered._asdict(),
            "tar": base64.b64encode(_tarred(_PACKAGE)).decode(),
        },
    )

    assert told == [[f"npm:{delivered.specifier}", None, None], True, "L1: a"]


@pytest.mark.each_browser
def test_nothing_but_the_hosts_that_a_mount_names_is_contacted(
    browsers: Browsers,
    package: str,
    delivered: PackageHosts,
    linked: Path,
    browser_name: str,
) -> None:
    top = linked.parent
    with (
        serve_directory(top, headers=READABLE) as files_origin,
        serve_directory(top, headers=READABLE) as list_origin,
        serve_directory(top, headers=READABLE) as archive_origin,
        open_watched_page(browsers.get(browser_name)) as page,
    ):
        base = ["--base-url", f"{files_origin}/{linked.name}/"]
        assert main(["pack", str(linked), "-o", str(top / "tree.json"), *base]) == 0
        assert main(["pack", str(linked), "-o", str(top / "tree.zip")]) == 0
        asked: set[str] = set()
        page.context.on("request", lambda request: asked.add(_origin_of(request.url)))
        opened = PackagePage(page, package)
        given = {
            "package": delivered._asdict(),
            "list": f"{list_origin}/tree.json",
            "archive": f"{archive_origin}/tree.zip",
        }
        opened.run(
            """
            const client = await sharedClient();
            await client.mount("/text", { entries: { "a.txt": "a\\n" } });
            await client.mount("/list", { url: given.list });
            await client.mount("/archive", { url: given.archive });
            const { index_url: index, files_url: files, specifier } = given.package;
            await client.mount("/npm", { npm: specifier, hosts: { index, files } });
            await client.callTool("list_dir", { dir_path: "/", depth: 8, limit: 500 });
            for (const path of ["/text/a.txt", "/archive/README.md"]) {
                await client.callTool("read_file", { file_path: path });
            }
            """,
            given,
        )
        at_mount = set(asked)
        opened.run("""
            const client = await sharedClient();
            await client.callTool("read_file", { file_path: "/list/README.md" });
            await client.callTool("read_file", { file_path: "/npm/package.json" });
        """)

    named = {package, list_origin, archive_origin, _origin_of(delivered.index_url)}
    assert at_mount == named
    assert asked == {*named, files_origin, _origin_of(delivered.files_url)}


def _origin_of(address: str) -> str:
    url = urlsplit(address)
    return f"{url.scheme}://{url.netloc}" if url.netloc else f"{url.scheme}:"
