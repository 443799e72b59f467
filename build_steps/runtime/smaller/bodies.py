"""The step `bodies`: Python functions that no recorded call has run get their bodies when called.

`bodies.json` lists the functions that ran after a start; `python build.py profile` makes it anew.
"""

from __future__ import annotations

import json
import shutil
import zipfile
from contextlib import suppress
from types import CodeType
from typing import TYPE_CHECKING, Any

from build_steps.failure import BuildFailed
from build_steps.folders import BUILD, ROOT, tree_files
from build_steps.freshness import remake_folder, sha256_of
from build_steps.runtime.bytecode import INSIDE, rewrite_archives
from build_steps.runtime.smaller.trimmed import ENGINE_FOLDER
from build_steps.runtime.start_image import FINISHED, ImageSources, write_start_image

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from collections.abc import Set as AbstractSet
    from pathlib import Path


HERE = ROOT / "build_steps" / "runtime" / "smaller"
PROFILE = HERE / "bodies.json"

_NOTES_PROGRAM = INSIDE / "function_notes.py"
_STUBS_PROGRAM = INSIDE / "body_stubs.py"

_IMPORTED_FIRST = "encodings/__init__.py"

_MADE = BUILD / "bodies"

_WARM = "warm.txt"


def make_bodies(sources: ImageSources, others: Sequence[Path]) -> ImageSources:
    """Return the sources of an image with stubs in its library and in the wheels of others.

    They are in `build/bodies/`.
    """
    remake_folder(
        "bodies",
        _MADE,
        inputs=[*sources.files(), *tree_files(ENGINE_FOLDER), PROFILE],
        write=lambda staging: write_bodies(
            sources, others, warm_functions([sources.library, *others]), staging
        ),
    )
    return _with_stubs(sources, others, _MADE)


def write_bodies(
    sources: ImageSources,
    others: Sequence[Path],
    warm: Iterable[str],
    folder: Path,
) -> ImageSources:
    """Write archives with stubs into a folder, and return what an image is made of.

    The functions that are `warm` keep their bodies; `warm_functions` returns those of the profile.
    """
    # Below the folder: several processes of tests may make images at once.
    notes = folder / "functions"
    notes.mkdir()
    write_start_image(noting(sources, notes), notes)
    # The making of the image runs these; `body_stubs.finish` leaves out what only that needs.
    ran = (notes / FINISHED).read_text("utf-8")
    stubbed = _with_stubs(sources, others, folder)
    (folder / _WARM).write_text("\n".join(sorted(warm)), encoding="utf-8", newline="\n")
    needed = notes / "needed.txt"
    needed.write_text("\n".join(sorted({*warm, *ran.splitlines()})), encoding="utf-8")
    rewrite_archives(
        "build_steps.runtime.inside_pyodide.archive_bytecode:stub_archives",
        needed,
        [sources.library, *others],
        folder,
    )
    shutil.rmtree(notes)
    return stubbed


def _with_stubs(sources: ImageSources, others: Sequence[Path], folder: Path) -> ImageSources:
    return ImageSources(
        library=folder / sources.library.name,
        wheels=tuple(folder / wheel.name if wheel in others else wheel for wheel in sources.wheels),
        finish=_STUBS_PROGRAM,
        lines=folder / _WARM,
    )


def noting(sources: ImageSources, folder: Path) -> ImageSources:
    """Return the sources of an image that notes which functions run, with a library in a folder."""
    library = folder / sources.library.name
    with zipfile.ZipFile(sources.library) as whole, zipfile.ZipFile(library, "w") as written:
        for member in whole.infolist():
            content = whole.read(member)
            if member.filename == _IMPORTED_FIRST:
                content += b"\n" + _NOTES_PROGRAM.read_bytes() + b"\nstart()\n"
            written.writestr(member, content)
    return sources._replace(library=library, finish=_NOTES_PROGRAM)


def warm_functions(archives: Sequence[Path]) -> set[str]:
    """Return the functions that have run after a start, each as its file, a space and its name."""
    if _read()["archives"] != _hashes(archives):
        raise BuildFailed(
            "The profile of Python's functions is that of other archives: "
            "run `python build.py profile`, and commit bodies.json."
        )
    start, calls = read_profile(archives)
    return start | calls


def read_profile(archives: Sequence[Path]) -> tuple[set[str], set[str]]:
    """Return the functions that a start runs, and those of calls.

    If the profile is that of other archives, these are the functions that the given ones still
    have, at the same lines. They stay, since some run at a certain time only. A file that this
    Python cannot compile has none.
    """
    profile = _read()
    start, calls = _listed(profile["start"]), _listed(profile["calls"])
    if profile["archives"] == _hashes(archives):
        return start, calls
    there = _functions_of(archives, {*profile["start"], *profile["calls"]})
    return start & there, calls & there


def _read() -> dict[str, Any]:
    profile: dict[str, Any] = json.loads(PROFILE.read_text(encoding="utf-8"))
    return profile


def _functions_of(archives: Iterable[Path], files: AbstractSet[str]) -> set[str]:
    """Return the functions of those files of archives that this Python can compile."""
    found = set[str]()
    for archive in archives:
        with zipfile.ZipFile(archive) as opened:
            for file in sorted(files & set(opened.namelist())):
                with suppress(SyntaxError):
                    code = compile(opened.read(file), file, "exec", dont_inherit=True)
                    found.update(f"{file} {name}" for name in _names_of(code))
    return found


def _names_of(code: CodeType) -> Iterator[str]:
    yield f"{code.co_qualname}:{code.co_firstlineno}"
    for inner in code.co_consts:
        if isinstance(inner, CodeType):
            yield from _names_of(inner)


def _listed(by_file: dict[str, list[str]]) -> set[str]:
    return {f"{file} {name}" for file, names in by_file.items() for name in names}


def write_profile(archives: Iterable[Path], start: Iterable[str], calls: Iterable[str]) -> None:
    """Write the profile: the functions that a start ran, and those that only calls ran."""
    at_start = set(start)
    profile = {
        "archives": _hashes(archives),
        "start": _by_file(at_start),
        "calls": _by_file(set(calls) - at_start),
    }
    PROFILE.write_text(json.dumps(profile, indent=1) + "\n", encoding="utf-8", newline="\n")


def _hashes(archives: Iterable[Path]) -> dict[str, str]:
    return {archive.name: sha256_of(archive) for archive in sorted(archives)}


def _by_file(functions: Iterable[str]) -> dict[str, list[str]]:
    by_file: dict[str, list[str]] = {}
    for function in sorted(functions):
        file, _, name = function.partition(" ")
        by_file.setdefault(file, []).append(name)
    return by_file
