"""Every write that reaches a folder: what this process asks for, and what any process leaves.

A request is seen by Python's audit events, below every function that makes one, even if it fails.
A trace is seen by the time at which the system last changed an entry, which no program can set
back; so it tells of another runtime's writes, too.
"""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

_WRITING_FLAGS = os.O_WRONLY | os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_TRUNC

_PATHS_OF_EVENT = {
    **dict.fromkeys(("os.mkdir", "os.remove", "os.rmdir", "os.truncate", "os.utime"), 1),
    **dict.fromkeys(("os.chmod", "os.chown", "os.chflags", "os.setxattr", "os.removexattr"), 1),
    **dict.fromkeys(("os.rename", "os.link", "os.symlink"), 2),
}
"""By event: how many of its first arguments are paths."""

Traces = dict[Path, tuple[int, int, int, int]]


class _Spy:
    """The one hook of this process, which cannot be taken away."""

    def __init__(self) -> None:
        self.folder: Path | None = None
        self.requests: list[str] = []
        self._is_added = False

    def add(self) -> None:
        if not self._is_added:
            sys.addaudithook(self._hear)
            self._is_added = True

    def _hear(self, event: str, arguments: tuple[Any, ...]) -> None:
        if self.folder is None:
            return
        folder, self.folder = self.folder, None
        try:
            self.requests += [
                f"{event} {path!r}" for path in _written(event, arguments) if _is_in(folder, path)
            ]
        finally:
            self.folder = folder


_spy = _Spy()


def _written(event: str, arguments: tuple[Any, ...]) -> tuple[Any, ...]:
    """Return the paths that an event is to change."""
    if event == "open":
        path, _, flags = arguments
        # A number is a descriptor, which another event has opened.
        return (path,) if flags & _WRITING_FLAGS and not isinstance(path, int) else ()
    return arguments[: _PATHS_OF_EVENT.get(event, 0)]


def _is_in(folder: Path, path: Any) -> bool:
    """Tell whether a path may be the folder or lie in it."""
    if isinstance(path, int):
        # Of what a descriptor stands for, the event says nothing.
        return True
    named = Path(os.fsdecode(path))
    if not named.is_absolute():
        # It may be relative to an open directory.
        return True
    return (named.parent.resolve() / named.name).is_relative_to(folder)


@contextmanager
def recorded_requests(folder: Path) -> Iterator[list[str]]:
    """Record what this process asks to change in a folder until the context ends.

    What names no absolute path is recorded wherever it leads.
    """
    _spy.add()
    requests: list[str] = []
    _spy.folder, _spy.requests = folder.resolve(), requests
    try:
        yield requests
    finally:
        _spy.folder = None


def traces_of(folder: Path) -> Traces:
    """Return of a folder, and of everything in it that can be inspected, what a write changes.

    That is the number of the entry, its mode, its size, and the time of its last change.
    """
    found: Traces = {}
    for above, folders, names in os.walk(folder):
        for path in (Path(above), *(Path(above, name) for name in (*folders, *names))):
            try:
                status = path.lstat()
            except OSError:
                # Its path is too long, or its directory is closed to who asks.
                continue
            found[path] = (status.st_ino, status.st_mode, status.st_size, status.st_ctime_ns)
    return found


@contextmanager
def nothing_written(folder: Path) -> Iterator[None]:
    """Make sure that no write reaches a folder until the context ends."""
    before = traces_of(folder)
    with recorded_requests(folder) as requests:
        yield
    assert requests == []
    assert traces_of(folder) == before
