"""Random trees, each with what becomes of it, for programs that apply a patch."""

import random
from collections.abc import Sequence
from typing import NamedTuple

from treeglass.workspace.nodes import File, Link, Node
from treeglass.workspace.overlay.changed_path import ChangedPath

NAMES = ["a", "b", "ab", "B", "x y", " x", "é", "日本", ".hidden", "-n", "a b", "dev", "null"]
"""Names that every disk holds."""

ODD_NAMES = ['"', "\\", "a\tb", "a\nb", "x ", " b", "\x01", "\x7f", "\udcff", "a\r", "b \\n", "'"]

LINES = ["", "a", "b", "\ta", "}", "-- a", "++ b", "@@ -1 +1 @@", "é", "\\ No newline", "a\rb"]
LINE_ENDS = ["\n", "\n", "\n", "\r\n", "\r"]


class Trees(NamedTuple):
    """A tree, what becomes of it, and the paths in which they differ."""

    before: dict[str, Node]
    after: dict[str, Node]
    changed: list[ChangedPath]


def _content(chance: random.Random) -> bytes:
    """Return a text with several kinds of line ends, or now and then other bytes."""
    if chance.random() < 0.08:
        return chance.randbytes(chance.choice([1, 3, 52, 53, 400]))
    end = chance.choice(LINE_ENDS)
    text = "".join(chance.choice(LINES) + end for _ in range(chance.choice([0, 1, 2, 9, 40])))
    return (text if chance.random() < 0.7 else text.rstrip("\r\n")).encode()


def _edited(chance: random.Random, content: bytes) -> bytes:
    if chance.random() < 0.1:
        return _content(chance)
    if chance.random() < 0.05:
        return content.replace(b"\n", b"\r\n")
    lines = content.splitlines(keepends=True)
    for _ in range(chance.choice([1, 1, 2, 5])):
        place = chance.randint(0, len(lines))
        new = [chance.choice(LINES).encode() + b"\n" for _ in range(chance.randint(0, 3))]
        lines[place : place + chance.randint(0, 3)] = new
    return b"".join(lines)


def random_trees(chance: random.Random, count: int, names: Sequence[str]) -> Trees:
    """Return a tree of so many files, of which most are changed, each in one of all ways."""
    before: dict[str, Node] = {}
    after: dict[str, Node] = {}
    origins: dict[str, str] = {}
    for number in range(count):
        folders = [chance.choice(names) + "/" for _ in range(chance.randint(0, 2))]
        path = f"{''.join(folders)}{number}{chance.choice(names)}"
        old = File(_content(chance), chance.choice([0o644, 0o755]))
        new = File(_edited(chance, old.content), chance.choice([old.mode, 0o644]))
        match chance.choice(["modify"] * 5 + ["create", "delete", "rename", "same", "link"]):
            case "create":
                after[path] = new
            case "delete":
                before[path] = old
            case "rename":
                before[path] = old
                moved = f"{chance.choice(names)}/{number}{chance.choice(names)}"
                after[moved] = chance.choice([old, new])
                origins[moved] = path
            case "same":
                before[path] = after[path] = old
            case "link":
                before[path] = Link(chance.choice(["a", "../é", "no where"]))
                if chance.random() < 0.5:
                    after[path] = new
            case _:
                before[path], after[path] = old, new
    changed = [
        ChangedPath(path, before.get(path), after.get(path), origins.get(path))
        for path in before | after
    ]
    chance.shuffle(changed)
    return Trees(before, after, [_below_mount(each) for each in changed])


def _below_mount(each: ChangedPath) -> ChangedPath:
    origin = None if each.renamed_from is None else f"/repo/{each.renamed_from}"
    return ChangedPath(f"/repo/{each.path}", each.before, each.after, origin)
