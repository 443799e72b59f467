"""Archives of Python modules, rewritten as archives of their bytecode.

Runs inside Pyodide, since bytecode is good for one interpreter only; imports
nothing but the standard library and meets no path of the machine that builds.
"""

from __future__ import annotations

import base64
import csv
import hashlib
import importlib.util
import io
import marshal
import sys
import zipfile
from pathlib import Path, PurePosixPath
from typing import NamedTuple

_STANDARD_LIBRARY = "python_stdlib.zip"
# Imported from as it is; every other archive is a wheel, which is unpacked first.

_TIME = (1980, 1, 1, 0, 0, 0)
# Of every member: the earliest that a zip can hold.

_UNCHECKED_HASH = 1
# PEP 552: the bytecode names the hash of its source, and the interpreter looks for neither.


class _Member(NamedTuple):
    content: bytes
    external_attr: int


def compile_archives(sources: str, results: str) -> list[str]:
    """Compile each archive of a folder into one of the same name in another folder.

    A `module.pyc` takes the place of each `module.py`; all else stays as it is,
    but for the `RECORD` of a wheel, which names what is there now. The bytes of
    a result depend on nothing but its source and the interpreter.

    Args:
        sources: A folder with zip archives and nothing else.
        results: A folder that exists.

    Returns:
        One sentence for each module that stays as source because it is none.
    """
    complaints: list[str] = []
    for archive in sorted(Path(sources).iterdir()):
        members = _compile_members(archive, complaints)
        for name in members:
            if PurePosixPath(name).match("*.dist-info/RECORD"):
                members[name] = members[name]._replace(content=_record(name, members))
        _write(Path(results, archive.name), members)
    return complaints


def _compile_members(archive: Path, complaints: list[str]) -> dict[str, _Member]:
    home = _home_of(archive.name)
    members: dict[str, _Member] = {}
    with zipfile.ZipFile(archive) as opened:
        for member in opened.infolist():
            name, content = member.filename, opened.read(member)
            if name.endswith(".py"):
                try:
                    content = _bytecode(content, f"{home}/{name}")
                    name += "c"
                except SyntaxError as error:
                    complaints.append(f"{archive.name}: {name} stays as source: {error}.")
            members[name] = _Member(content, member.external_attr)
    return members


def _home_of(archive_name: str) -> str:
    """Return where the interpreter that runs the code will have found it."""
    # A name within the archive alone would not do: `skip_file_prefixes` of a
    # warning compares this with `__file__`, and linecache searches for what is
    # not absolute.
    major, minor, *_ = sys.version_info
    if archive_name == _STANDARD_LIBRARY:
        return f"/lib/python{major}{minor}.zip"
    return f"/lib/python{major}.{minor}/site-packages"


def _bytecode(source: bytes, file_name: str) -> bytes:
    # Not optimised: docstrings are there to be read, and asserts to be run.
    code = compile(source, file_name, "exec", dont_inherit=True, optimize=-1)
    header = importlib.util.MAGIC_NUMBER + _UNCHECKED_HASH.to_bytes(4, "little")
    return header + importlib.util.source_hash(source) + marshal.dumps(code)


def _record(record_name: str, members: dict[str, _Member]) -> bytes:
    text = io.StringIO()
    rows = csv.writer(text, lineterminator="\n")
    for name, member in sorted(members.items()):
        if name != record_name and not name.endswith("/"):
            digest = base64.urlsafe_b64encode(hashlib.sha256(member.content).digest())
            rows.writerow([name, f"sha256={digest.decode().rstrip('=')}", len(member.content)])
    rows.writerow([record_name, "", ""])
    return text.getvalue().encode()


def _write(result: Path, members: dict[str, _Member]) -> None:
    # Deflated: a server that compresses would make stored archives a quarter
    # smaller, but many send archives as they are, and then stored ones are two
    # and a half times as large. To inflate costs a start one part in twenty.
    with zipfile.ZipFile(result, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for name, member in sorted(members.items()):
            entry = zipfile.ZipInfo(name, _TIME)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = member.external_attr
            archive.writestr(entry, member.content)
