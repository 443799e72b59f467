import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from treeglass import Config, Limits, ToolRegistry, ToolResult, Workspace
from treeglass.workspace.host import HostFileSystem

MakeTree = Callable[[Mapping[str, str | bytes | None]], Path]


def list_dir(
    root: Path | Workspace,
    *,
    budget_bytes: int | None = None,
    output: dict[str, Any] | None = None,
    revision: str = "sorted-then-paged",
    **arguments: Any,
) -> ToolResult:
    """Call the tool on a tree mounted at `/repo`."""
    workspace = root if isinstance(root, Workspace) else Workspace({"/repo": root})
    tables = {"tools": {"output": output or {}, "list_dir": {"revision": revision}}}
    registry = ToolRegistry(workspace, Config.from_object(tables))
    sent = {"dir_path": "/repo", **arguments}
    return registry.call_tool("list_dir", sent, max_output_bytes=budget_bytes)


def test_the_next_call_keeps_what_the_caller_wrote_and_moves_the_offset(
    make_tree: MakeTree,
) -> None:
    root = make_tree(dict.fromkeys("abcde", ""))

    result = list_dir(root, offset=2, limit=2, hint="unknown")

    assert result.content == "Absolute path: /repo\nb\nc\nMore than 2 entries found"
    assert result.truncated
    assert result.next_arguments == {"dir_path": "/repo", "offset": 4, "limit": 2}


def test_the_root_lists_the_mount_points(make_tree: MakeTree) -> None:
    root = make_tree({"tree/a": "", "tree/b/c": ""})
    workspace = Workspace({"/one": root, "/more/two": root / "tree"})

    assert list_dir(workspace, dir_path="/", depth=3).content == (
        "Absolute path: /\nmore/\n  two/\n    a\n    b/\none/\n  tree/\n    a\n    b/"
    )


SIX_FILES: dict[str, str | bytes | None] = {
    "a/first.txt": "",
    "a/second.txt": "",
    "b é": "",
    "c/third.txt": "",
    "d": "",
    "e": "",
}


@pytest.mark.parametrize(
    ("revision", "content", "offset"),
    [
        ("sorted-then-paged", "a/\n  first.txt\nMore than 2 entries found", 3),
        ("paged-then-sorted", "a/\nb é\nc/\nd\nMore than 4 entries found", 5),
    ],
)
def test_a_page_over_the_budget_shows_fewer_entries_and_counts_those(
    make_tree: MakeTree, revision: str, content: str, offset: int
) -> None:
    expected = f"Absolute path: /repo\n{content}"

    result = list_dir(
        make_tree(SIX_FILES), budget_bytes=len(expected.encode()) + 1, revision=revision
    )

    assert result.content == expected
    assert result.truncated
    assert result.next_arguments == {"dir_path": "/repo", "offset": offset}


def test_a_page_fits_if_only_the_line_about_the_rest_would_not(make_tree: MakeTree) -> None:
    root = make_tree(dict.fromkeys("abcde", ""))
    whole = "Absolute path: /repo\na\nb\nc\nd\ne"

    result = list_dir(root, budget_bytes=len(whole))

    assert (result.content, result.truncated) == (whole, False)


@pytest.mark.parametrize("budget_bytes", range(59, 72))
@pytest.mark.parametrize("revision", ["sorted-then-paged", "paged-then-sorted"])
def test_pages_under_any_budget_join_up_to_every_entry_once(
    make_tree: MakeTree, revision: str, budget_bytes: int
) -> None:
    root = make_tree(SIX_FILES)
    seen: list[str] = []
    sizes: list[int] = []
    sent: dict[str, Any] | None = {}
    while sent is not None:
        result = list_dir(root, budget_bytes=budget_bytes, revision=revision, **sent)
        assert result.error is None
        sizes.append(len(result.content.encode()))
        lines = result.content.split("\n")[1:]
        seen += lines[:-1] if result.truncated else lines
        sent = result.next_arguments

    assert sorted(seen) == sorted(
        ["a/", "  first.txt", "  second.txt", "b é", "c/", "  third.txt", "d", "e"]
    )
    assert max(sizes) <= budget_bytes
    assert len(sizes) > 1


ESCAPED = (
    " characters that can forge or hide text, or that read as an escape; they "
    "are shown escaped, and paths with the escaped spelling open the same entries."
)


@pytest.fixture
def raw_tree(make_tree: MakeTree) -> Path:
    root = make_tree({"plain": ""})
    os.close(os.open(os.fsencode(root) + b"/\xff\xfe" + b"\xff" * 250, os.O_CREAT | os.O_WRONLY))
    return root


def test_bytes_that_are_not_utf8_are_spelled_out_and_never_cut(raw_tree: Path) -> None:
    result = list_dir(raw_tree)

    assert result.content == "Absolute path: /repo\nplain\n\\x{FF}\\x{FE}" + "\\x{FF}" * 250
    assert result.warnings == (
        "1 name holds" + ESCAPED,
        "1 name is not valid UTF-8; the invalid bytes are shown as \\x{..}.",
    )


def test_bytes_that_are_not_utf8_are_replaced_if_escaping_is_off(raw_tree: Path) -> None:
    result = list_dir(raw_tree, output={"escape_names": False})

    assert result.content == "Absolute path: /repo\nplain\n" + "\ufffd" * 166
    assert result.truncated
    assert result.warnings == (
        (
            "1 name is not valid UTF-8; "
            "the invalid bytes are shown as U+FFFD, which no path can spell."
        ),
        "1 name is longer than 500 bytes and shown cut.",
    )


def test_warnings_count_only_the_names_that_are_shown(make_tree: MakeTree) -> None:
    assert list_dir(make_tree({"a": "", "b\n": ""}), limit=1).warnings == ()


class Shuffled(HostFileSystem):
    """A host that lists a directory backwards."""

    @contextmanager
    def scandir(self, path: str) -> Iterator[Iterator[os.DirEntry[str]]]:
        with os.scandir(path) as found:
            yield iter(sorted(found, key=lambda entry: entry.name, reverse=True))


def test_names_that_look_the_same_are_not_in_the_order_of_the_host(raw_tree: Path) -> None:
    for byte in (b"\xfd", b"\xfe"):
        os.close(os.open(os.fsencode(raw_tree) + b"/" + byte, os.O_CREAT | os.O_WRONLY))

    contents = [
        list_dir(Workspace({"/repo": raw_tree}, file_system=host), limit=3).content
        for host in (HostFileSystem(), Shuffled())
    ]

    assert (
        contents == ["Absolute path: /repo\nplain\n\\x{FD}\n\\x{FE}\nMore than 3 entries found"] * 2
    )


class Unknowable:
    """An entry whose kind the host cannot tell."""

    name = "strange"

    def is_file(self, *, follow_symlinks: bool = True) -> bool:
        raise PermissionError(13, f"no {follow_symlinks}")

    is_dir = is_file

    def is_symlink(self) -> bool:
        return self.is_file()


class UnknowableHost(HostFileSystem):
    @contextmanager
    def scandir(self, path: str) -> Iterator[Iterator[os.DirEntry[str]]]:
        assert path
        yield iter([Unknowable()])  # type: ignore[list-item]  # what is asked of an entry


def test_an_entry_without_a_kind_fails_the_call_in_words_of_its_own(make_tree: MakeTree) -> None:
    workspace = Workspace({"/repo": make_tree({})}, file_system=UnknowableHost())

    assert list_dir(workspace).content == (
        "failed to inspect entry: Permission denied (os error 13)"
    )


def test_a_walk_over_its_ceiling_names_the_ceiling(make_tree: MakeTree) -> None:
    root = make_tree({"a/b": "", "c": ""})
    under, over = (
        list_dir(Workspace({"/repo": root}, limits=Limits(max_walk_entries=ceiling))).content
        for ceiling in (3, 2)
    )

    assert under == "Absolute path: /repo\na/\n  b\nc"
    assert over == (
        "failed to read directory: max_walk_entries is 2; "
        "ask for less, for example a smaller depth or one subdirectory"
    )


def test_a_cancelled_walk_stops_at_the_next_directory(make_tree: MakeTree) -> None:
    registry = ToolRegistry(Workspace({"/repo": make_tree({"a/b/c": ""})}))
    answers = iter([False, True])

    result = registry.call_tool(
        "list_dir", {"dir_path": "/repo", "depth": 9}, is_cancelled=lambda: next(answers)
    )

    assert result.content == "Cancelled by user"
    assert list(answers) == []
