"""Properties of a changed file that its lines do not show, each in words for a person."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING, Literal

from treeglass.escaping import hostile_in

if TYPE_CHECKING:
    from treeglass.workspace.nodes import File

Flag = Literal[
    "acts",
    "binary",
    "encoding",
    "byte_order_mark",
    "line_ends",
    "last_line_end",
    "mode",
    "invisible",
    "name",
]
"""`name` is about the path beside the other changed ones, so the list of changes sets it."""

_BYTE_ORDER_MARK = b"\xef\xbb\xbf"


def is_text(content: bytes) -> bool:
    """Tell whether bytes are UTF-8 without NUL."""
    return b"\0" not in content and _is_utf8(content)


def flags_of(
    before: File | None,
    after: File | None,
    path: str,
    hunks: Iterable[Sequence[tuple[str, bytes]]],
) -> dict[Flag, str]:
    """Return the flags that hold, in the order of `Flag`, each with what it is about."""
    old = b"" if before is None else before.content
    new = b"" if after is None else after.content
    flags: dict[Flag, str | None] = {
        "acts": why_it_acts(path, 0 if after is None else after.mode),
        "binary": _binary(old, new),
        "encoding": _encoding(before, after),
        "byte_order_mark": _came_or_went(
            old.startswith(_BYTE_ORDER_MARK), new.startswith(_BYTE_ORDER_MARK)
        ),
        "line_ends": _turned(_line_ends(old), _line_ends(new)),
        "last_line_end": _last_line_end(old, new),
        "mode": None if before is None or after is None else _mode(before.mode, after.mode),
        "invisible": _invisible(hunks),
    }
    return {flag: words for flag, words in flags.items() if words is not None}


def _is_utf8(content: bytes) -> bool:
    try:
        content.decode()
    except UnicodeDecodeError:
        return False
    return True


def _binary(old: bytes, new: bytes) -> str | None:
    if b"\0" in old or b"\0" in new:
        return "holds NUL bytes"
    return None if _is_utf8(old) and _is_utf8(new) else "is not UTF-8"


def _encoding(before: File | None, after: File | None) -> str | None:
    if before is None or after is None:
        return None
    names = {True: "UTF-8", False: "other bytes"}
    return _turned(names[_is_utf8(before.content)], names[_is_utf8(after.content)])


def _came_or_went(was: bool, is_now: bool) -> str | None:  # noqa: FBT001  # two facts of one kind
    if was == is_now:
        return None
    return "added" if is_now else "removed"


def _turned(old: str | None, new: str | None) -> str | None:
    return None if old is None or new is None or old == new else f"{old} to {new}"


def _line_ends(content: bytes) -> str | None:
    """Return the kind of the line ends; None without any."""
    pairs = content.count(b"\r\n")
    counts = {
        "LF": content.count(b"\n") - pairs,
        "CRLF": pairs,
        "CR": content.count(b"\r") - pairs,
    }
    kinds = [kind for kind, count in counts.items() if count]
    return "mixed" if len(kinds) > 1 else next(iter(kinds), None)


def _last_line_end(old: bytes, new: bytes) -> str | None:
    if not old or not new:
        return None
    return _came_or_went(old.endswith((b"\n", b"\r")), new.endswith((b"\n", b"\r")))


def _mode(old: int, new: int) -> str | None:
    return _turned(f"{old:03o}", f"{new:03o}")


def _invisible(hunks: Iterable[Sequence[tuple[str, bytes]]]) -> str | None:
    """Return the code points of characters that a hunk brings in, beyond those that it removes."""
    found: set[str] = set()
    for lines in hunks:
        added = _hostile(lines, "+")
        if added:
            found.update(added - _hostile(lines, "-"))
    return ", ".join(f"U+{ord(character):04X}" for character in sorted(found)) or None


def _hostile(lines: Sequence[tuple[str, bytes]], sign: str) -> Counter[str]:
    side = [(each, line) for each, line in lines if each in {sign, " "}]
    changed = [line for each, line in side if each == sign]
    if changed and side[0][0] == sign:
        # Only at a file's start has a hunk no line above: the mark there is a flag of its own.
        changed[0] = changed[0].removeprefix(_BYTE_ORDER_MARK)
    return Counter(hostile_in(b"".join(changed).decode()))


_ANY_EXECUTE = 0o111

_PATTERNS_BY_REASON = {
    "it is part of Git's own data": (".git", ".git/*"),
    "it runs in continuous integration": (
        *(".github/workflows/*", ".github/actions/*", ".gitlab-ci.y*ml", ".gitlab/ci/*"),
        *(".circleci/*", ".buildkite/*", ".travis.yml", ".drone.yml", ".woodpecker*"),
        *(".forgejo/*", ".gitea/*", "azure-pipelines*.y*ml", "bitbucket-pipelines.yml"),
        *("appveyor.yml", ".appveyor.yml", "jenkinsfile*", "cloudbuild.y*ml"),
    ),
    "it runs as a hook of Git": (
        *(".husky/*", ".githooks/*", "githooks/*"),
        *(".pre-commit-config.y*ml", "lefthook.y*ml", ".lefthook.y*ml"),
    ),
    "it runs when the project is installed, built or tested": (
        *("package.json", "deno.json*", "pyproject.toml", "setup.py", "setup.cfg", "*.pth"),
        *("sitecustomize.py", "usercustomize.py", "conftest.py", "noxfile.py", "tox.ini"),
        *("makefile", "gnumakefile", "*.mk", "cmakelists.txt", "justfile", "taskfile.y*ml"),
        *("cargo.toml", "build.rs", "rakefile", "gemfile", "*.gemspec", "composer.json"),
        *("pom.xml", "build.gradle*", "settings.gradle*", "gradlew*", "mvnw*"),
        *("dockerfile*", "*.dockerfile", "docker-compose*.y*ml", "compose*.y*ml"),
    ),
    "it decides which packages are installed": (
        *("*.lock", "package-lock.json", "npm-shrinkwrap.json", "pnpm-lock.yaml", "bun.lockb"),
        *("go.mod", "go.sum", "pipfile", "requirements*.txt"),
    ),
    "it sets up a shell or an editor": (
        *(".bash*", ".zsh*", ".profile", ".envrc", ".inputrc", "*.code-workspace"),
        *(".editorconfig", ".vimrc", ".nvimrc", ".exrc", ".emacs*", ".dir-locals.el"),
        *(".vscode/*", ".idea/*", ".devcontainer/*", ".fleet/*", ".zed/*", ".vs/*"),
    ),
}
"""In small letters: names, and paths below any directory if there is a slash."""


def why_it_acts(path: str, mode: int) -> str | None:
    """Return why a file acts by itself, in words; None if nothing says that it does.

    Capital letters do not matter, as on many disks. The mode is the low nine bits.
    """
    folded = "/" + path.casefold().lstrip("/")
    name = folded.rpartition("/")[2]
    reasons = [
        reason
        for reason, patterns in _PATTERNS_BY_REASON.items()
        if any(
            fnmatchcase(folded, f"*/{pattern}") if "/" in pattern else fnmatchcase(name, pattern)
            for pattern in patterns
        )
    ]
    if not reasons and "/." in folded:
        reasons.append("it is hidden")
    if mode & _ANY_EXECUTE:
        reasons.append("it may be executed")
    return "; ".join(reasons) or None
