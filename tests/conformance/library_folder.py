"""The library folder of the running Python, as the search tools were recorded over it."""

import hashlib
import os
import sysconfig
from functools import cache
from pathlib import Path

_FOLDERS_LEFT_OUT = {
    *("__pycache__", "site-packages", "test", "tests", "idlelib", "turtledemo", "lib-dynload"),
}


def library_contents(sha256: str) -> dict[bytes, bytes] | None:
    """Return the sources by their paths, sorted; None if this folder is another one.

    Args:
        sha256: Over the path, a NUL and the content's own SHA-256 of each file in turn.
    """
    contents = _contents()
    names_and_contents = hashlib.sha256()
    for path, content in contents.items():
        names_and_contents.update(path + b"\0" + hashlib.sha256(content).digest())
    return contents if names_and_contents.hexdigest() == sha256 else None


@cache
def _contents() -> dict[bytes, bytes]:
    folder = Path(sysconfig.get_path("stdlib"))
    found = {
        os.fsencode(path.relative_to(folder).as_posix()): path
        for path in folder.rglob("*.py")
        if path.is_file() and not _is_left_out(path.relative_to(folder))
    }
    return {path: found[path].read_bytes() for path in sorted(found)}


def _is_left_out(path: Path) -> bool:
    *folders, name = path.parts
    return name.startswith("_sysconfigdata") or any(
        folder in _FOLDERS_LEFT_OUT or folder.startswith("config-") for folder in folders
    )
