"""The methods by which a page lists a tree and reads a file, over a real folder."""

import base64
import errno
import json
import stat
from pathlib import Path
from typing import Any, cast

import pytest

from treeglass.bridge import Bridge
from treeglass.workspace.embedder import EmbeddedBytes, EmbedderTrees

_PATCH = """*** Begin Patch
*** Add File: b/new.txt
+new
*** Delete File: a.txt
*** End Patch
"""


@pytest.fixture
def bridge(tmp_path: Path) -> Bridge:
    for name in ("a.txt", "b/.hidden", "b/c/deep.txt", "b-after.txt", "z.bin"):
        file = tmp_path / "tree" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(name)
    (tmp_path / "tree" / "link").symlink_to("b")
    made = Bridge()
    tools = {"experimental_supported_tools": ["apply_patch"], "offered": []}
    ask(made, "configure", config={"tools": tools})
    ask(made, "mount", path="/repo", host=str(tmp_path / "tree"))
    return made


def ask(bridge: Bridge, method: str, **params: object) -> Any:
    return json.loads(bridge.handle(json.dumps({"method": method, "params": params})))


def listed(bridge: Bridge, **params: object) -> list[str]:
    result = ask(bridge, "listEntries", **params)["result"]
    return [f"{kind} {path}" for kind, path in zip(result["kinds"], result["paths"], strict=True)]


def test_one_level_has_each_entry_with_its_kind_and_size_in_the_order_of_the_names(
    bridge: Bridge,
) -> None:
    assert ask(bridge, "listEntries", path="/repo") == {
        "result": {
            "paths": ["/repo/a.txt", "/repo/b", "/repo/b-after.txt", "/repo/link", "/repo/z.bin"],
            "kinds": "fdflf",
            "sizes": [5, None, 11, None, 5],
            "unreadable": [],
            "next": None,
        }
    }


ALL = [
    *("f /repo/a.txt", "d /repo/b", "f /repo/b/.hidden", "d /repo/b/c", "f /repo/b/c/deep.txt"),
    *("f /repo/b-after.txt", "l /repo/link", "f /repo/z.bin"),
]


def test_all_levels_have_each_directory_before_its_entries(bridge: Bridge) -> None:
    assert listed(bridge, path="/repo", recursive=True) == ALL


@pytest.mark.parametrize("limit", [1, 2, 3, 7, 8, 9])
def test_pages_of_any_size_cover_the_whole_once(limit: int, bridge: Bridge) -> None:
    seen: list[str] = []
    after = None
    while True:
        page = ask(bridge, "listEntries", path="/repo", recursive=True, limit=limit, after=after)
        result = page["result"]
        seen += [
            f"{kind} {path}" for kind, path in zip(result["kinds"], result["paths"], strict=True)
        ]
        after = result["next"]
        if after is None:
            break

    assert seen == ALL


def test_the_root_lists_the_mounts(bridge: Bridge) -> None:
    assert listed(bridge, path="/") == ["d /repo"]


def test_a_listing_through_a_link_keeps_the_name_of_the_link(bridge: Bridge) -> None:
    assert listed(bridge, path="/repo/link") == ["f /repo/link/.hidden", "d /repo/link/c"]


def test_a_listing_and_a_file_show_what_is_proposed(bridge: Bridge) -> None:
    ask(bridge, "callTool", name="apply_patch", arguments={"input": _PATCH})

    assert listed(bridge, path="/repo/b") == [
        "f /repo/b/.hidden",
        "d /repo/b/c",
        "f /repo/b/new.txt",
    ]
    assert ask(bridge, "readFile", path="/repo/b/new.txt")["result"] == {
        "base64": base64.b64encode(b"new\n").decode(),
        "sizeBytes": 4,
    }
    assert ask(bridge, "readFile", path="/repo/a.txt")["error"]["name"] == "PathUnreadable"


@pytest.mark.parametrize(
    ("piece", "content"),
    [
        ({}, b"b-after.txt"),
        ({"offsetBytes": 2}, b"after.txt"),
        ({"offsetBytes": 2, "maxBytes": 5}, b"after"),
        ({"offsetBytes": 99}, b""),
    ],
)
def test_a_piece_of_a_file_is_its_bytes(
    piece: dict[str, int], content: bytes, bridge: Bridge
) -> None:
    assert ask(bridge, "readFile", path="/repo/b-after.txt", **piece)["result"] == {
        "base64": base64.b64encode(content).decode(),
        "sizeBytes": 11,
    }


@pytest.mark.parametrize(
    ("method", "path", "words"),
    [
        ("listEntries", "/none", "No such file or directory (os error 2)"),
        ("listEntries", "/repo/a.txt", "Not a directory (os error 20)"),
        ("readFile", "/repo/none", "No such file or directory (os error 2)"),
        ("readFile", "/repo/b", "Is a directory (os error 21)"),
        ("readFile", "/repo/../../etc/passwd", "No such file or directory (os error 2)"),
    ],
)
def test_a_path_that_cannot_be_read_is_named_with_the_reason(
    method: str, path: str, words: str, bridge: Bridge
) -> None:
    assert ask(bridge, method, path=path) == {
        "error": {"name": "PathUnreadable", "message": f"{path} cannot be read: {words}"}
    }


def test_a_page_that_begins_elsewhere_is_refused(bridge: Bridge) -> None:
    assert ask(bridge, "listEntries", path="/repo/b", after="/repo/a.txt") == {
        "error": {
            "name": "PathUnreadable",
            "message": "/repo/a.txt is not below /repo/b: pass the value of `next`",
        }
    }


@pytest.mark.parametrize(
    ("method", "params", "message"),
    [
        ("listEntries", {"path": "repo"}, "listEntries takes a path that begins with a slash."),
        ("listEntries", {}, "listEntries takes a path that begins with a slash."),
        (
            "listEntries",
            {"path": "/", "limit": 0},
            "The option limit of listEntries is a whole number from 1 to 100,000.",
        ),
        (
            "listEntries",
            {"path": "/", "recursiv": True},
            "listEntries has no option recursiv; the known ones are after, limit, recursive.",
        ),
        (
            "readFile",
            {"path": "/", "maxBytes": 2**25},
            "The option maxBytes of readFile is a whole number from 1 to 16,777,216.",
        ),
    ],
)
def test_wrong_parameters_are_refused_by_name(
    method: str, params: dict[str, object], message: str, bridge: Bridge
) -> None:
    assert ask(bridge, method, **params) == {"error": {"name": "BadRequest", "message": message}}


def test_a_person_who_reads_a_file_leaves_no_warning_for_the_next_call(
    bridge: Bridge, tmp_path: Path
) -> None:
    edit = "*** Begin Patch\n*** Update File: z.bin\n@@\n-z.bin\n+new\n*** End Patch\n"
    add = "*** Begin Patch\n*** Add File: other.txt\n+new\n*** End Patch\n"
    ask(bridge, "callTool", name="apply_patch", arguments={"input": edit})
    (tmp_path / "tree" / "z.bin").write_text("changed in the folder")

    ask(bridge, "readFile", path="/repo/z.bin")
    answer = ask(bridge, "callTool", name="apply_patch", arguments={"input": add})

    assert answer["result"]["warnings"] == []


class _DamagedTrees:
    """A tree whose only file is there until its content is read."""

    directory = "/embedded/"

    def list(self, path: str) -> str | int:
        return "f/a.txt" if path == "/embedded/1" else errno.EIO

    def look(self, path: str) -> str | int:
        if path == "/embedded/1":
            return f"{stat.S_IFDIR | 0o555} 4096 0 0 0"
        return f"{stat.S_IFREG | 0o644} 5 0 0 0"

    def read(self, _path: str, _start: int, _end: int) -> EmbeddedBytes | int:
        return errno.EIO

    def statuses(self, _paths: str) -> str | int:
        return "5 0"

    def missing(self) -> bool:
        return False

    times = link = gather = want = None


@pytest.mark.parametrize("piece", [{}, {"offsetBytes": 2}, {"maxBytes": 1}])
def test_a_file_that_fails_while_it_is_read_is_named_with_the_reason(
    piece: dict[str, int],
) -> None:
    bridge = Bridge(cast("EmbedderTrees", _DamagedTrees()))
    ask(bridge, "mount", path="/z", host="/embedded/1")

    assert ask(bridge, "readFile", path="/z/a.txt", **piece) == {
        "error": {
            "name": "PathUnreadable",
            "message": "/z/a.txt cannot be read: Input/output error (os error 5)",
        }
    }
    assert listed(bridge, path="/z") == ["f /z/a.txt"]
