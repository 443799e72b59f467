"""Write archives of Python modules with stubs for the bodies of functions; runs inside Pyodide."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from build_steps.runtime.inside_pyodide.archive_bytecode import (
    home_of,
    read_archives,
    to_bytecode,
    write_archive,
)
from build_steps.runtime.inside_pyodide.body_stubs import with_stubs

if TYPE_CHECKING:
    from collections.abc import Iterable

_WITHOUT_DOCSTRINGS = 2
# As the image's interpreter compiles.


def stub_archives(sources: str, results: str, functions: Iterable[str]) -> list[str]:
    """Compile the modules that ran, with stubs, each archive into one of the same name.

    The other members stay as they are. The functions are those that keep their bodies, and the
    modules that ran; each is a file, a space and a name, as `body_stubs.name_of` returns it.
    """
    warm = set(functions)
    ran = {file for file, _, name in (line.partition(" ") for line in warm) if "<module>" in name}
    for archive_name, members in read_archives(sources).items():
        written = {}
        for file, member in members.items():
            if file not in ran:
                written[file] = member
                continue
            source = member.content
            code = compile(
                source,
                f"{home_of(archive_name)}/{file}",
                "exec",
                dont_inherit=True,
                optimize=_WITHOUT_DOCSTRINGS,
            )
            stubbed = to_bytecode(source, with_stubs(code, file, warm))
            written[f"{file}c"] = member._replace(content=stubbed)
        write_archive(Path(results, archive_name), written)
    return []
