"""CPython's answers over the same tree, to the calls that pages make."""

import os
import re
import zipfile
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from treeglass import Config, ToolRegistry, ToolResult, Workspace

_DURATION = re.compile(r'("time_ms": ?|\bTook )\d+')


class CPythonAnswers:
    """A registry over one directory, mounted where the playground mounts its tree."""

    def __init__(self, directory: Path, *, mount: str = "/repo") -> None:
        workspace = Workspace({mount: directory}, project_root=mount, working_dir=mount)
        self._registry = ToolRegistry(workspace, Config())

    def call(self, tool: str, arguments: Mapping[str, Any] | str) -> ToolResult:
        """Return the whole result of one call."""
        return self._registry.call_tool(tool, arguments)

    def content(self, tool: str, arguments: Mapping[str, Any] | str) -> str:
        """Return the content of one call without its time."""
        return without_duration(self.call(tool, arguments).content)

    def pages(self, tool: str, arguments: Mapping[str, Any]) -> list[str]:
        """Return the contents of a call and of all its continuations."""
        contents = []
        following: Mapping[str, Any] | None = arguments
        while following is not None:
            result = self.call(tool, following)
            contents.append(without_duration(result.content))
            following = result.next_arguments
        return contents


def without_duration(content: str) -> str:
    """Return the content with the milliseconds of an envelope set to 0: they differ in each run."""
    return _DURATION.sub(r"\g<1>0", content)


def extract_zip(archive: Path, directory: Path) -> Path:
    """Extract an archive as a mount sees it: its times are UTC, unnamed directories have none."""
    with zipfile.ZipFile(archive) as opened:
        opened.extractall(directory)
        times = {
            entry.filename: datetime(*entry.date_time, tzinfo=UTC).timestamp()
            for entry in opened.infolist()
        }
    for path in [directory, *directory.rglob("*")]:
        time_s = times.get(path.relative_to(directory).as_posix(), 0)
        os.utime(path, (time_s, time_s))
    return directory
