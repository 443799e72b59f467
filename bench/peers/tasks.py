"""The tasks of treeglass and its peers on the same trees, each in its own form."""

from __future__ import annotations

from typing import Any, NamedTuple

SIZES = (1_000, 10_000, 100_000)
"""The numbers of files of the trees that growth is measured on."""

COMPARED_SIZE = 10_000
"""The size of the tree in the tables of each peer."""

_FILES_PER_DIRECTORY = 100
_DIRECTORIES_PER_PART = 10
_BIG_LINES = 100_000
_EVERYTHING = {"limit": 1_000_000, "depth": 8}


class Task(NamedTuple):
    """One task, in the form of each candidate."""

    label: str
    tool: str
    arguments: dict[str, Any]
    command: str | None
    """For just-bash; None if it has no equivalent."""
    mcp_tool: str | None
    """Of the MCP reference server; None if it has no equivalent."""
    mcp_arguments: dict[str, Any]
    """Paths are relative to the server's folder."""
    mark: str
    """A regular expression; its matches must be the same in every candidate's answer."""
    rounds: int


class PeerTree(NamedTuple):
    """A directory as relative path to text."""

    name: str
    """It is mounted at `/name`."""
    entries: dict[str, str]


SMALL = PeerTree(
    "small",
    {
        f"module_{number:06}.py": "".join(f"line {line:06}\n" for line in range(40))
        for number in range(20)
    },
)
BIG = PeerTree("big", {"big.txt": "".join(f"line {n:06} x\n" for n in range(1, _BIG_LINES + 1))})

FIXED_TASKS = (
    Task(
        "list 20 files",
        "list_dir",
        {"dir_path": "/small", "depth": 1},
        "ls /small",
        "list_directory",
        {"path": "small"},
        r"module_\d+",
        200,
    ),
    Task(
        "read 20 lines of a small file",
        "read_file",
        {"file_path": "/small/module_000003.py", "limit": 20},
        "sed -n 1,20p /small/module_000003.py",
        "read_text_file",
        {"path": "small/module_000003.py", "head": 20},
        r"line \d+",
        200,
    ),
    Task(
        "read the first 100 lines of 1.4 MB",
        "read_file",
        {"file_path": "/big/big.txt", "limit": 100},
        "sed -n 1,100p /big/big.txt",
        "read_text_file",
        {"path": "big/big.txt", "head": 100},
        r"line \d+",
        20,
    ),
    Task(
        "read lines 99,000 to 99,100 of the same",
        "read_file",
        {"file_path": "/big/big.txt", "offset": 99_000, "limit": 101},
        "sed -n 99000,99100p /big/big.txt",
        None,
        {},
        r"line \d+",
        20,
    ),
    Task(
        "read the last 100 lines of the same",
        "read_file",
        {"file_path": "/big/big.txt", "offset": _BIG_LINES - 99, "limit": 100},
        "tail -n 100 /big/big.txt",
        "read_text_file",
        {"path": "big/big.txt", "tail": 100},
        r"line \d+",
        20,
    ),
)
"""Tasks on `SMALL` and `BIG`."""

GROWING_TASKS = (
    Task(
        "list every file",
        "list_dir",
        {"dir_path": "/tree", **_EVERYTHING},
        "find /tree",
        "directory_tree",
        {"path": "tree"},
        r"module_\d+",
        3,
    ),
    Task(
        "one directory of 100, by `LS`",
        "LS",
        {"path": "tree/part_000/section_3"},
        "ls /tree/part_000/section_3",
        "list_directory",
        {"path": "tree/part_000/section_3"},
        r"module_\d+",
        30,
    ),
    Task(
        "`list_directory` of 200 entries",
        "list_directory",
        {"path": "tree", "recursive": True, "max_entries": 200},
        None,
        None,
        {},
        r"module_\d+",
        20,
    ),
    Task(
        "read a file of the tree",
        "read_file",
        {"file_path": "/tree/part_000/section_3/module_000350.py"},
        "sed -n 1,2000p /tree/part_000/section_3/module_000350.py",
        "read_text_file",
        {"path": "tree/part_000/section_3/module_000350.py"},
        r"x = \d+",
        60,
    ),
)
"""Tasks on a tree of `growing_tree`."""


def growing_tree(file_count: int) -> PeerTree:
    """Return a tree of so many files, 100 in each directory."""
    entries = {}
    for number in range(file_count):
        section = number // _FILES_PER_DIRECTORY
        part = section // _DIRECTORIES_PER_PART
        path = f"part_{part:03}/section_{section % _DIRECTORIES_PER_PART}/module_{number:06}.py"
        entries[path] = f"x = {number}\n"
    return PeerTree("tree", entries)
