"""Calls that are to cost as much as they can, for each host to answer, refuse or stop in time."""

import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

LIMIT_SECONDS = 1
"""Short, so that on CPython a step that never looks at the clock is late wherever it begins."""

NODE_LIMIT_SECONDS = 0.5
"""What WebAssembly reaches in it, CPython reaches in a fifth of its limit."""

GRACE_SECONDS = 10
"""The time that a call may take beyond its limit, within a client.

A client interrupts a call, or ends its worker, within a second. It tells of an ended worker once
the next one is ready: a loaded machine takes seconds to start one.
"""

MAX_GROWTH_BYTES = 300_000_000
"""The memory that a call may take beyond `EMPTY`."""

_CODEX = ("grep_files", "list_dir", "read_file")
_READING = (
    *("LS", "envelope.Glob", "Grep", "envelope.Read"),
    *("list_directory", "Search", "forge.Glob", "forge.Read"),
)
_CHANGING: dict[str, list[str]] = {
    "codex": [],
    "envelope": ["envelope.Edit", "MultiEdit", "envelope.Write"],
    "forge": ["forge.Edit", "forge.Write"],
}


def config_for(family: str, *, limit_seconds: float = 10) -> dict[str, Any]:
    """Return a configuration that offers every tool that reads, and those of a family that change.

    No configuration offers those of two families. The limit is that of calls that bring none.
    """
    names = {name: name.replace(".", "_") for name in _READING if name.startswith("forge.")}
    return {
        "tools": {
            "experimental_supported_tools": [
                *_CODEX,
                *(["apply_patch"] if family == "codex" else []),
            ],
            "offered": [*_READING, *_CHANGING[family]],
            "names": {**names, "forge.Edit": "forge_Edit", "forge.Write": "forge_Write"},
            "approval": {"mode": "auto"},
            "timeouts": {
                "default_seconds": limit_seconds,
                "file_operations_seconds": limit_seconds,
            },
        }
    }


IGNORE_FILE = ".ignore"


def _shuffled_lines(seed: int) -> str:
    """Return 60,000 lines, of which no two orders have much in common, and none is rare."""
    lines = [f"{number % 150}\n" for number in range(60_000)]
    random.Random(seed).shuffle(lines)  # noqa: S311  # a test repeats
    return "".join(lines)


TREE = {
    "line.txt": "a" * 1_000_000,
    "lines.txt": "a\n" * 200_000,
    "editable.txt": "a\n" * 100_000,
    "shuffled.txt": _shuffled_lines(1),
    "words.txt": "the quick brown fox é漢\n" * 20_000,
    "/".join(["a" * 100] * 20) + "/deep.txt": "a\n",
    **{f"many/{'a' * 200}{number}.txt": "needle\n" for number in range(300)},
}
"""The files of the tree at `/repo`: long lines, many lines, long names and a deep path."""


EMPTY = ("grep_files", {"pattern": "absent", "path": "/repo/many"})
"""A call that costs little, and needs the code of a search."""


@dataclass(frozen=True, slots=True)
class HostileCall:
    """A call, and what it needs in the tree."""

    name: str
    tool: str
    arguments: Mapping[str, Any]
    ignore_file: str = ""
    """The content of `IGNORE_FILE`."""
    family: str = "envelope"
    """The family whose tools that change are offered."""
    first: tuple[str, Mapping[str, Any]] = EMPTY
    """A call that has to come before it."""


NEEDLE = {"pattern": "needle", "path": "/repo"}

_SEEN = ("Read", {"path": "lines.txt", "limit": 1})
# `forge_Edit` takes no larger file, and has to have seen the first line that it changes.
_SHOWN = ("forge_Read", {"path": "editable.txt", "start_line": 1, "end_line": 1_000})
_MOST = 250_000
"""Characters, a little below what `max_tool_args_bytes` allows for all arguments."""

_MIB = 1024 * 1024
_BRACES = "{a,b}" * 9
_SPARSE = "".join(chr(0x4E00 + 2 * number) for number in range(7_000))


def hostile_calls() -> Iterator[HostileCall]:
    """Yield every call; the names are unique."""
    for name, content in _ignore_files().items():
        for tool in ("grep_files", "Search"):
            yield HostileCall(f"{tool}: an ignore file of {name}", tool, NEEDLE, content)
    for name, pattern in _patterns().items():
        for tool in ("grep_files", "Grep", "Search"):
            arguments = {"pattern": pattern, "path": "/repo"}
            yield HostileCall(f"{tool}: a pattern of {name}", tool, arguments)
    for name, glob in _globs().items():
        yield HostileCall(f"grep_files: {name}", "grep_files", {**NEEDLE, "include": glob})
        yield HostileCall(f"Grep: {name}", "Grep", {**NEEDLE, "include": glob})
        for tool in ("Glob", "forge_Glob"):
            yield HostileCall(f"{tool}: {name}", tool, {"pattern": glob, "path": "/repo"})
        globs = [glob[:9_999]] * (_MOST // len(glob[:9_999]) // 2)
        yield HostileCall(
            f"Search: a list of {name}", "Search", {**NEEDLE, "include_glob": globs[:5_000]}
        )
        yield HostileCall(f"LS: a list of {name}", "LS", {"ignore": [glob[:256]] * 100})
    yield from _paths()
    yield from _changes()


def _ignore_files() -> dict[str, str]:
    """Return contents of up to a MiB, which is as much as is read."""
    chance = random.Random(1)  # noqa: S311  # a test repeats
    marks = "".join(chance.choices("*?[]{}!/\\,ab\n", k=_MIB))
    return {
        "30,000 lines": "".join(f"x{number}\n" for number in range(30_000)),
        "100,000 lines": "".join(f"x{number}\n" for number in range(100_000)),
        "500,000 letters": "a\n" * 500_000,
        "40 lines of 512 alternatives": (_BRACES + "\n") * 40,
        "400 lines of 512 alternatives": (_BRACES + "\n") * 400,
        "a MiB of alternatives": (_BRACES + "\n") * (_MIB // 46),
        "a MiB of stars": "**/*a*b\n" * (_MIB // 8),
        "a MiB of stars in a line": "*a" * (_MIB // 2),
        "a MiB of brackets": "[" * _MIB,
        "a MiB of ranges": "[!a-z]\n" * (_MIB // 7),
        "a MiB of marks": marks,
        "1,000 lines of a hundred stars": ("*a" * 49 + "\n") * 1_000,
    }


def _patterns() -> dict[str, str]:
    return {
        "a look-ahead and 60 KB of letters": "(?=x)" + _SPARSE * 3,
        "9,000 sets": "[aX]" * 9_000,
        "2,400 sets": "[aX]" * 2_400,
        "wide sets": "[Ā-\uffff]" * 20_000,
        "sets without a letter": "[!-X]" * 1_900,
        "a set of letters that are not adjacent": f"[{_SPARSE}]",
        "letters of Unicode without case": r"(?i)\pL" * 1_400,
        "every letter without case": r"(?i)" + r"[\w\W]" * 1_600,
        "optional letters": "(?:a?){4900}",
        "optional letters and an end": "(?:a?){2400}b",
        "nested repetitions": "((((a{1,9}){1,9}){1,9}){1,3})*b",
        "repetitions of repetitions": "(a+a+)+b",
        "alternatives of the same": "(a|a|a|a|aa|a?)*b",
        "alternatives": "|".join(f"a{number}" for number in range(1_700)),
        "a back reference": r"(a*)(a*)\1\2b",
        "brackets": "[" * _MOST,
        "parentheses": "(" * _MOST,
        "nested groups": "(" * 4_900 + ")" * 4_900,
        "digits": "x{" + "5" * _MOST + "}",
        "word boundaries": r"\b" * 4_900 + "b",
        "a MiB of repetitions": "x{1,9}" * (_MOST // 6),
    }


def _globs() -> dict[str, str]:
    return {
        "brackets": "[" * _MOST,
        "4,000 brackets": "[" * 4_000,
        "alternatives and letters": _BRACES + "x" * 9_900,
        "alternatives and 3,000 letters": _BRACES + "x" * 3_000,
        "nested braces": "{" * 60_000 + "," * 60_000 + "}" * 60_000,
        "99 nested braces": "{" * 99 + "a," * 99 + "}" * 99,
        "stars": "*a" * 2_000 + "b",
        "folders": "**/" * 1_300 + "b",
        "sets": "[!-X]" * 800 + "b",
    }


def _paths() -> Iterator[HostileCall]:
    for name, path in {
        "many names": "a/" * (_MOST // 2),
        "ups": "/repo/" + "many/../" * (_MOST // 8),
        "escapes": r"\u{61}" * (_MOST // 7),
    }.items():
        yield HostileCall(f"list_dir: {name}", "list_dir", {"dir_path": path})
        yield HostileCall(f"read_file: {name}", "read_file", {"file_path": path})
        for tool in ("LS", "Read", "list_directory"):
            yield HostileCall(f"{tool}: {name}", tool, {"path": path})
    yield HostileCall(
        "Search: all lines around each line",
        "Search",
        {"pattern": "a", "path": "/repo", "context": 2**32 - 1},
    )
    for name, has_numbers in {"as they are": False, "numbered": True}.items():
        lines = {"path": "lines.txt", "end_line": 2**32 - 1, "line_numbers": has_numbers}
        yield HostileCall(f"forge_Read: lines {name}", "forge_Read", lines)
    yield HostileCall(
        "read_file: the block of a line among many",
        "read_file",
        {"file_path": "/repo/lines.txt", "offset": 100_000, "mode": "indentation"},
    )


def _changes() -> Iterator[HostileCall]:
    for name, content in {
        "one hunk of many lines": "@@\n" + " a\n" * 60_000 + "-a\n+b\n",
        "many hunks": "@@\n a\n-a\n+b\n" * 20_000,
        "hunks up to the ceiling": "@@\n a\n-a\n+b\n" * 990,
        "hunks that fit until their ends": ("@@\n" + " a\n" * 70 + "-b\n+c\n") * 990,
        "many hunks that are nowhere": "@@ nowhere\n-a\n+b\n" * 13_000,
        "a hunk that fits until its end": "@@\n" + " a\n" * 60_000 + "-b\n+c\n",
    }.items():
        patch = f"*** Begin Patch\n*** Update File: lines.txt\n{content}*** End Patch\n"
        yield HostileCall(f"apply_patch: {name}", "apply_patch", {"input": patch}, family="codex")
    added = "".join(f"*** Add File: x{number}\n+x\n" for number in range(8_000))
    yield HostileCall(
        "apply_patch: many files",
        "apply_patch",
        {"input": f"*** Begin Patch\n{added}*** End Patch\n"},
        family="codex",
    )
    for name, old in {
        "100,000 lines": "a\n" * 100_000,
        "lines that end otherwise": "a\n" * 100_000 + "b",
        "a line": "a\n",
    }.items():
        arguments = {"path": "lines.txt", "old_string": old, "new_string": "b"}
        yield HostileCall(f"Edit: {name}", "Edit", arguments, first=_SEEN)
    edits = [{"old_string": "a\n" * 20, "new_string": f"b{n}"} for n in range(2_000)]
    long_edits = [{"old_string": "a\n" * 500 + "b", "new_string": f"b{n}"} for n in range(80)]
    for name, several in {"many edits": edits, "long edits": long_edits}.items():
        changed = {"path": "lines.txt", "edits": several}
        yield HostileCall(f"MultiEdit: {name}", "MultiEdit", changed, first=_SEEN)
    for name, change in {
        "one place": "R\n" + "a\n" * 60_000 + ".\nW\nb\n.\n",
        "a place that fits until its end": "R\n" + "a\n" * 60_000 + "b\n.\nW\nb\n.\n",
        "many places": "R\na\n.\nW\nb\n.\n" * 15_000,
        "places up to the ceiling": "R 1\na\n.\nW\nb\n.\n" * 1_000,
        "places that fit until their ends": (
            "R 1\n" + "a\n" * 70 + ".\nW\n" + "a\n" * 69 + "b\n.\n"
        )
        * 990,
    }.items():
        patch = f"LP1\nF editable.txt\n{change}END\n"
        yield HostileCall(
            f"forge_Edit: {name}", "forge_Edit", {"patch": patch}, family="forge", first=_SHOWN
        )
    yield from _whole_files()


def _whole_files() -> Iterator[HostileCall]:
    """Yield calls that write a file anew; the answer of `Write` shows what changed."""
    shuffled = {"path": "shuffled.txt", "content": _shuffled_lines(2)}
    seen = ("Read", {"path": "shuffled.txt", "limit": 1})
    yield HostileCall("Write: the same lines in another order", "Write", shuffled, first=seen)
    for name, content in {
        "a line twice": "a\n" * (_MOST // 2),
        "other lines": "b\n" * (_MOST // 2),
        "lines in turn": "a\nb\n" * (_MOST // 4),
        "a line": "a" * _MOST,
        "lines of blanks": " \n" * (_MOST // 2),
        "carriage returns": "\r" * (_MOST // 2),
        "marks": "\u202e" * (_MOST // 3),
    }.items():
        written = {"path": "lines.txt", "content": content}
        yield HostileCall(f"Write: {name}", "Write", written, first=_SEEN)
        yield HostileCall(
            f"forge_Write: {name}",
            "forge_Write",
            {"path": "new.txt", "content": content},
            family="forge",
        )
