"""One tree through every source: the tools answer with the same bytes as on CPython."""

import base64
import hashlib
import io
import re
import tarfile
import zipfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from playwright.sync_api import Request

from tests.browser.cpython_answers import without_duration
from tests.browser.package_page import PackagePage
from tests.support.served_directory import serve_directory
from treeglass import ToolRegistry, Workspace
from treeglass.__main__ import main

_TREE = {
    "README.md": "# Hi\n",
    ".hidden/.dotfile": "dot\n",
    "10": "number\n",
    "9/8/7.txt": "numbers\n",
    "__proto__/constructor": "names of objects\n",
    "a b/c d.txt": "blanks\n",
    "empty.txt": "",
    "src/app.py": "def main():\n    if True:\n        print('hello')\n",
    "src/deep/er/and/er/x.txt": "deep\n",
    "grüße/日本語 🌳.txt": "schön\n",
    "cafe\N{COMBINING ACUTE ACCENT}.txt": "two characters\n",
    "caf\N{LATIN SMALL LETTER E WITH ACUTE}.txt": "one character\n",
    "Case.txt": "upper\n",
    "case.txt": "lower\n",
    "large.txt": "".join(f"line {number}\n" for number in range(250_000)),
}
_CALLS: list[tuple[str, dict[str, Any]]] = [
    ("list_dir", {"dir_path": "/repo", "depth": 8, "limit": 500}),
    ("list_dir", {"dir_path": "/repo", "offset": 3, "limit": 4, "depth": 2}),
    ("list_dir", {"dir_path": "/repo/src"}),
    ("list_dir", {"dir_path": "/repo/missing"}),
    ("LS", {"path": "."}),
    ("LS", {"path": "src", "offset": 1, "limit": 1}),
    ("list_directory", {"path": ".", "recursive": True, "max_depth": 8}),
    ("list_directory", {"path": "grüße"}),
    ("read_file", {"file_path": "/repo/large.txt", "offset": 249_990}),
    ("read_file", {"file_path": "/repo/__proto__"}),
    *(("read_file", {"file_path": f"/repo/{path}", "limit": 5}) for path in _TREE),
]
_READ_BLOCK = {
    "file_path": "/repo/src/app.py",
    "mode": "indentation",
    "indentation": {"anchor_line": 3},
}
_CALLS.append(("read_file", _READ_BLOCK))

_ANSWERS = """
    const client = await sharedClient();
    const answersOf = async (source) => {
        await client.mount("/repo", source, { replace: true });
        const answers = [];
        for (const [tool, args] of given.calls) {
            answers.push((await client.callTool(tool, args)).content);
        }
        return answers;
    };
    const decode = (text) => Uint8Array.from(atob(text), (one) => one.charCodeAt(0));
    const told = {};
"""


def _without_times(content: str) -> str:
    # A handle's directories and a page's entries have no times; a tar has seconds.
    return re.sub(r'("modified_epoch_ms": ?)-?\d+', r"\1T", without_duration(content))


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The tree as a folder; a disk that takes no twins has fewer files."""
    folder = tmp_path_factory.mktemp("same") / "tree"
    for path, content in _TREE.items():
        file = folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(content, "utf-8", newline="")
    return folder


@pytest.fixture(scope="module")
def expected(tree: Path) -> list[str]:
    """CPython's answers over the folder."""
    registry = ToolRegistry(Workspace({"/repo": tree}))
    return [_without_times(registry.call_tool(tool, args).content) for tool, args in _CALLS]


def _zipped(tree: Path) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for path in tree.rglob("*"):
            archive.write(path, path.relative_to(tree))
    return packed.getvalue()


def _tarred(tree: Path, mode: str) -> bytes:
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode=mode) as archive:  # type: ignore[call-overload]  # a mode by name
        archive.add(tree, ".")
    return packed.getvalue()


def _differing(told: Mapping[str, list[str]], expected: list[str]) -> dict[str, list[Any]]:
    """Return for each source the calls whose answers differ."""
    return {
        source: wrong
        for source, answers in told.items()
        if (
            wrong := [
                call
                for call, answer, right in zip(_CALLS, answers, expected, strict=True)
                if _without_times(answer) != right
            ]
        )
    }


@pytest.mark.each_browser
def test_archives_of_every_form_answer_alike(
    package_page: PackagePage, tree: Path, expected: list[str]
) -> None:
    archives = {
        "zip": _zipped(tree),
        **{f"tar {form}": _tarred(tree, f"w:{form}") for form in ("", "gz", "bz2", "xz")},
    }
    told = package_page.run(
        _ANSWERS
        + """
        for (const [form, text] of Object.entries(given.archives)) {
            told[form] = await answersOf({ archive: new Blob([decode(text)]) });
        }
        return told;
        """,
        {
            "calls": _CALLS,
            "archives": {form: base64.b64encode(data).decode() for form, data in archives.items()},
        },
    )

    assert list(told) == ["zip", "tar ", "tar gz", "tar bz2", "tar xz"]
    assert _differing(told, expected) == {}


@pytest.mark.each_browser
def test_what_a_page_writes_down_and_what_its_storage_holds_answer_alike(
    package_page: PackagePage, expected: list[str]
) -> None:
    told = package_page.run(
        _ANSWERS
        + """
        told.flat = await answersOf({ entries: given.tree });
        const nested = {};
        for (const [path, contents] of Object.entries(given.tree)) {
            const names = path.split("/");
            let directory = nested;
            for (const name of names.slice(0, -1)) {
                if (!Object.hasOwn(directory, name)) {
                    const value = { directory: Object.create(null) };
                    Object.defineProperty(directory, name, { value, enumerable: true });
                }
                directory = directory[name].directory;
            }
            const value = { file: { contents } };
            Object.defineProperty(directory, names.at(-1), { value, enumerable: true });
        }
        told.nested = await answersOf({ entries: nested });
        const storage = await navigator.storage.getDirectory();
        for await (const name of storage.keys()) {
            await storage.removeEntry(name, { recursive: true });
        }
        for (const [path, contents] of Object.entries(given.tree)) {
            const names = path.split("/");
            let directory = storage;
            for (const name of names.slice(0, -1)) {
                directory = await directory.getDirectoryHandle(name, { create: true });
            }
            const file = await directory.getFileHandle(names.at(-1), { create: true });
            const stream = await file.createWritable();
            await stream.write(contents);
            await stream.close();
        }
        told.handle = await answersOf({ directory: storage });
        return told;
        """,
        {"calls": _CALLS, "tree": _TREE},
    )

    assert list(told) == ["flat", "nested", "handle"]
    assert _differing(told, expected) == {}


# The driver of Firefox cannot choose a folder.
def test_an_uploaded_folder_answers_alike(
    package_page: PackagePage, tree: Path, expected: list[str]
) -> None:
    package_page.run("document.body.innerHTML = '<input type=file webkitdirectory>';")
    package_page.page.locator("input").set_input_files(tree)
    told = package_page.run(
        _ANSWERS
        + """
        told.files = await answersOf({ files: document.querySelector("input").files });
        return told;
        """,
        {"calls": _CALLS},
    )

    assert list(told) == ["files"]
    assert _differing(told, expected) == {}


@pytest.fixture(scope="module")
def published(tree: Path) -> Iterator[str]:
    """Another origin with the folder, and with an archive and a manifest of it."""
    top = tree.parent
    for name in ("tree.zip", "tree.json"):
        assert main(["pack", str(tree), "-o", str(top / name)]) == 0
    with serve_directory(top, headers={"Access-Control-Allow-Origin": "*"}) as origin:
        yield origin


@pytest.mark.each_browser
def test_what_was_packed_and_published_answers_alike(
    package_page: PackagePage, tree: Path, published: str, expected: list[str]
) -> None:
    digest = hashlib.sha384((tree.parent / "tree.zip").read_bytes()).digest()
    told = package_page.run(
        _ANSWERS
        + """
        const { origin, integrity } = given;
        told.archive = await answersOf({ url: `${origin}/tree.zip`, integrity });
        told.manifest = await answersOf({ url: `${origin}/tree.json` });
        told.prefetched = await answersOf({ url: `${origin}/tree.json`, prefetch: true });
        return told;
        """,
        {
            "calls": _CALLS,
            "origin": published,
            "integrity": f"sha384-{base64.b64encode(digest).decode()}",
        },
    )

    assert list(told) == ["archive", "manifest", "prefetched"]
    assert _differing(told, expected) == {}


def test_a_mount_asks_its_own_host_and_no_other(package_page: PackagePage, published: str) -> None:
    asked: list[str] = []

    # The worker fetches late code after its first answer, whatever is mounted.
    own_files = f"{package_page.origin}/assets/"

    def note(request: Request) -> None:
        if not request.url.startswith(own_files):
            asked.append(request.url)

    context = package_page.page.context
    context.on("request", note)
    package_page.run(
        _ANSWERS + "await answersOf({ url: `${given.origin}/tree.json`, prefetch: true });",
        {"calls": _CALLS, "origin": published},
    )
    context.remove_listener("request", note)

    paths = ["tree.json", *(f"tree/{path}" for path in _TREE)]
    assert sorted(asked) == sorted(f"{published}/{quote(path)}" for path in paths)
