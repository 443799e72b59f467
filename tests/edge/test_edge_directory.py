"""A folder of the machine that a program mounts, beside what CPython says of the same folder."""

from contextlib import closing

import pytest

from tests.conformance.hosts.cpython_host import CPythonHost
from tests.conformance.hosts.edge_host import DirectoryHost
from tests.conformance.scenes import Scene, ToolCall
from tests.conformance.trees import Node, Tree
from tests.support.hosts.edge_support import RUNTIMES, RuntimeNotFound
from tests.support.hosts.missing_hosts import skip_or_fail

_LONGEST = "n" * 255


def _tree() -> Tree:
    """Names, links, kinds and times that a listing could get wrong."""
    names = (
        "-dash",
        "__proto__",
        "constructor",
        "back\\slash",
        "line\nbreak",
        "quo\"te'",
        "%41 #?&",
        "C:",
        "~",
        " ",
        "\u202egnp.exe",
        "e\u0301",
        "\u00e9",
        "\U0001f40d",
        "real \ufffd",
        _LONGEST,
    )
    nodes = {name.encode(): Node("file", content=f"{name}\n".encode()) for name in names}
    return Tree(
        {
            b"sub": Node("directory"),
            b"sub/deep": Node("directory"),
            b"empty": Node("directory", modified_ns=86_400_000_000_000),
            b"sub/deep/file.py": Node("file", content=b"x = 1\n" * 40_000),
            b"old": Node("file", modified_ns=1_234_567_890_123_999_999),
            b"raw": Node("file", content=bytes(range(256))),
            b"sub/pipe": Node("pipe"),
            b"link": Node("symlink", target=b"sub/deep/file.py"),
            b"sub/up": Node("symlink", target=b"../old"),
            b"sub/absolute": Node("symlink", target=b"$ROOT/sub/deep/file.py"),
            b"sub/deep/round": Node("symlink", target=b"../../../project/old"),
            b"sub/folder": Node("symlink", target=b"$ROOT/sub/deep/"),
            b"top": Node("symlink", target=b"$ROOT"),
            b"out": Node("symlink", target=b"$BASE/beside.txt"),
            b"up-and-out": Node("symlink", target=b"../beside.txt"),
            b"system": Node("symlink", target=b"/etc/hostname"),
            b"dangling": Node("symlink", target=b"nowhere"),
            b"loop": Node("symlink", target=b"loop"),
            **nodes,
        },
        {b"beside.txt": b"not mounted\n"},
    )


def _calls(tree: Tree) -> list[ToolCall]:
    paths = [path.decode() for path in tree.nodes]
    below = ["sub/folder/file.py", "top/sub/up", "link/x", "raw/..", "sub/folder/../up", "a\0b"]
    reads = [
        ToolCall(tool="read_file", arguments={"file_path": f"/project/{path}", "limit": 5})
        for path in [*paths, *below]
    ]
    far = {"file_path": "/project/sub/deep/file.py", "offset": 39_990, "limit": 20}
    return [
        ToolCall(tool="list_dir", arguments={"dir_path": "/project", "depth": 4, "limit": 100}),
        ToolCall(tool="list_dir", arguments={"dir_path": "/project/sub/folder"}),
        ToolCall(tool="list_directory", arguments={"path": ".", "recursive": True}),
        ToolCall(tool="list_directory", arguments={"path": "top/sub"}),
        ToolCall(tool="read_file", arguments=far),
        *reads,
    ]


@pytest.mark.parametrize("runtime", RUNTIMES)
def test_a_folder_answers_as_cpython_answers_over_the_same_files(runtime: str) -> None:
    # An entry without a set time has the time of its creation, which differs between two folders.
    tree = _tree()
    timed = {
        path: Node(node.kind, node.content, node.target, node.mode, node.modified_ns or 10**18)
        for path, node in tree
    }
    tree = Tree(timed, tree.siblings)
    scene, calls = Scene(tree, {}), _calls(tree)
    try:
        host = DirectoryHost(runtime, runtime)
    except RuntimeNotFound as missing:
        skip_or_fail(runtime, missing)

    with closing(host), closing(CPythonHost()) as cpython:
        answers = host.answer(scene, calls)
        expected = cpython.answer(scene, calls)

    assert answers == expected
