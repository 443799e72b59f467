"""Rewrite archives of Python modules with the bytecode of the modules that can be imported.

Runs inside Pyodide, since bytecode is good for one interpreter only. Imports the standard library
alone, and sees no path of the machine that builds.
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
from typing import TYPE_CHECKING, NamedTuple

from build_steps.runtime.inside_pyodide.body_stubs import with_stubs
from build_steps.runtime.inside_pyodide.reachable_modules import Module, reachable_modules

if TYPE_CHECKING:
    from collections.abc import Iterable
    from types import CodeType

_STANDARD_LIBRARY = "python_stdlib.zip"
# Python imports from it as it is; the other archives are wheels, which are unpacked first.

_TIME = (1980, 1, 1, 0, 0, 0)
# The time of every member: the earliest one of the zip format.

_AS_IT_IS = -1
_WITHOUT_DOCSTRINGS = 2
# Degrees of optimisation; the second removes asserts, too.

_UNCHECKED_HASH = 1
# PEP 552: the bytecode holds the hash of its source, and the interpreter does not check it.


class Member(NamedTuple):
    """A file of an archive."""

    content: bytes
    external_attr: int


def compile_archives(sources: str, results: str, entrances: Iterable[str]) -> list[str]:
    """Compile each archive of a folder into one of the same name in another folder.

    A `module.pyc` replaces each `module.py`. Modules that no module imports are left out, and so
    are type stubs and entries for folders. The `RECORD` of a wheel is written anew; the other
    members stay as they are. The bytes of a result depend only on its source, the other
    archives, the entrances and the interpreter.

    Returns:
        One sentence for each `.py` file that stays as it is because it does not compile.
    """
    return _compile_archives(sources, results, entrances, _AS_IT_IS)


def compile_without_docstrings(sources: str, results: str, entrances: Iterable[str]) -> list[str]:
    """Do the same as `compile_archives`, and leave docstrings and asserts out."""
    return _compile_archives(sources, results, entrances, _WITHOUT_DOCSTRINGS)


def stub_archives(sources: str, results: str, functions: Iterable[str]) -> list[str]:
    """Compile the modules that ran, with stubs, each archive into one of the same name.

    The other members stay as they are. The functions are those that keep their bodies, and the
    modules that ran; each is a file, a space and a name, as `body_stubs.name_of` returns it.
    """
    warm = set(functions)
    ran = {file for file, _, name in (line.partition(" ") for line in warm) if "<module>" in name}
    for archive_name, members in _read_archives(sources).items():
        written = {}
        for file, member in members.items():
            if file not in ran:
                written[file] = member
                continue
            code = _compiled(archive_name, file, member, _WITHOUT_DOCSTRINGS)
            written[f"{file}c"] = _bytecode(member, with_stubs(code, file, warm))
        _write_archive(Path(results, archive_name), written)
    return []


def _compile_archives(
    sources: str, results: str, entrances: Iterable[str], optimize: int
) -> list[str]:
    archives = _read_archives(sources)
    modules = {
        name: Module(member.content, PurePosixPath(file_name).stem == "__init__")
        for members in archives.values()
        for file_name, member in members.items()
        if (name := _module_name(file_name)) is not None
    }
    left_out = modules.keys() - reachable_modules(modules, entrances)
    complaints: list[str] = []
    for archive_name, members in archives.items():
        kept = {name: member for name, member in members.items() if not _is_in(name, left_out)}
        compiled = _compile_members(archive_name, kept, complaints, optimize)
        for name in compiled:
            if PurePosixPath(name).match("*.dist-info/RECORD"):
                compiled[name] = compiled[name]._replace(content=_record(name, compiled))
        _write_archive(Path(results, archive_name), compiled)
    return complaints


def _read_archives(folder: str) -> dict[str, dict[str, Member]]:
    """Return each archive of a folder as its members by their names.

    Type stubs and entries for folders are left out.
    """
    return {path.name: _read(path) for path in sorted(Path(folder).iterdir())}


def _read(archive: Path) -> dict[str, Member]:
    with zipfile.ZipFile(archive) as opened:
        return {
            member.filename: Member(opened.read(member), member.external_attr)
            for member in opened.infolist()
            if not member.is_dir() and not member.filename.endswith(".pyi")
        }


def _module_name(file_name: str) -> str | None:
    path = PurePosixPath(file_name)
    if path.suffix != ".py":
        return None
    return ".".join(path.parent.parts if path.stem == "__init__" else path.with_suffix("").parts)


def _is_in(file_name: str, left_out: set[str]) -> bool:
    """Return whether a file is a module that is left out, or lies in such a package."""
    module = _module_name(file_name)
    above = PurePosixPath(file_name).parents
    return module in left_out or any(".".join(folder.parts) in left_out for folder in above)


def _compile_members(
    archive_name: str, members: dict[str, Member], complaints: list[str], optimize: int
) -> dict[str, Member]:
    compiled: dict[str, Member] = {}
    for name, member in members.items():
        if name.endswith(".py"):
            try:
                code = _compiled(archive_name, name, member, optimize)
            except SyntaxError as error:
                complaints.append(f"{archive_name}: {name} stays as source: {error}.")
            else:
                compiled[f"{name}c"] = _bytecode(member, code)
                continue
        compiled[name] = member
    return compiled


def _home_of(archive_name: str) -> str:
    """Return the folder from which the interpreter will import an archive's modules."""
    # A name relative to the archive would not do: `skip_file_prefixes` of a warning compares it
    # with `__file__`, and linecache searches for names that are not absolute.
    major, minor, *_ = sys.version_info
    if archive_name == _STANDARD_LIBRARY:
        return f"/lib/python{major}{minor}.zip"
    return f"/lib/python{major}.{minor}/site-packages"


def _compiled(archive_name: str, file: str, member: Member, optimize: int) -> CodeType:
    place = f"{_home_of(archive_name)}/{file}"
    return compile(member.content, place, "exec", dont_inherit=True, optimize=optimize)


def _bytecode(member: Member, code: CodeType) -> Member:
    """Return a module's `.pyc` file, which is never compared with its source."""
    header = importlib.util.MAGIC_NUMBER + _UNCHECKED_HASH.to_bytes(4, "little")
    source_hash = importlib.util.source_hash(member.content)
    return member._replace(content=header + source_hash + marshal.dumps(code))


def _record(record_name: str, members: dict[str, Member]) -> bytes:
    text = io.StringIO()
    rows = csv.writer(text, lineterminator="\n")
    for name, member in sorted(members.items()):
        if name != record_name:
            digest = base64.urlsafe_b64encode(hashlib.sha256(member.content).digest())
            rows.writerow([name, f"sha256={digest.decode().rstrip('=')}", len(member.content)])
    rows.writerow([record_name, "", ""])
    return text.getvalue().encode()


def _write_archive(result: Path, members: dict[str, Member]) -> None:
    """Write an archive whose bytes depend on its members alone."""
    # Deflated: a server that compresses would send stored archives in a quarter fewer bytes, but
    # many servers send archives as they are, and then stored ones are two and a half times as
    # large. Inflating takes one twentieth of a start.
    with zipfile.ZipFile(result, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for name, member in sorted(members.items()):
            entry = zipfile.ZipInfo(name, _TIME)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = member.external_attr
            archive.writestr(entry, member.content)
