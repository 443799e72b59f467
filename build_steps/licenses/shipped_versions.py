"""What the interpreter and the wheels say of their own versions."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, NamedTuple

from build_steps.programs import find_program, output_of
from build_steps.runtime.bytecode import PYODIDE
from build_steps.wheels.pinned_wheels import members_of, metadata_of

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

_PROGRAM = """
const { loadPyodide } = await import(process.argv[1]);
const pyodide = await loadPyodide();
const told = pyodide.runPython(`
import ctypes, json, platform, sqlite3, sys, sysconfig, unicodedata, zlib
import _decimal, _zstd, pyexpat
library = ctypes.CDLL(None)
def version_of(function):
    function = getattr(library, function)
    function.restype = ctypes.c_char_p
    return function().decode()
json.dumps({
    "linked": sorted(set(sysconfig.get_config_var("MODLIBS").split())),
    "versions": {
        "CPython": platform.python_version(),
        "Emscripten": ".".join(map(str, sys._emscripten_info.emscripten_version)),
        "SQLite": sqlite3.sqlite_version,
        "Unicode Character Database": unicodedata.unidata_version,
        "XZ Utils (liblzma)": version_of("lzma_version_string"),
        "Zstandard": _zstd.zstd_version,
        "bzip2": version_of("BZ2_bzlibVersion").split(",")[0],
        "expat": pyexpat.EXPAT_VERSION.removeprefix("expat_"),
        "libmpdec": _decimal.__libmpdec_version__,
        "zlib": zlib.ZLIB_RUNTIME_VERSION,
    },
})
`);
const { linked, versions } = JSON.parse(told);
console.log(JSON.stringify({ linked, versions: { Pyodide: pyodide.version, ...versions } }));
"""


class Interpreter(NamedTuple):
    """What the pinned Pyodide says of what it was linked with."""

    linked: list[str]
    """The linker's options for the modules of the standard library."""
    versions: dict[str, str]
    """Pyodide, and each component of `components.toml` that can be asked."""


class Shipped(NamedTuple):
    """A wheel, or a component of its compiled part."""

    name: str
    version: str
    license: str


def ask_interpreter() -> Interpreter:
    """Return what the Pyodide in `web/node_modules/` says."""
    module = (PYODIDE / "pyodide.mjs").as_uri()
    said = output_of(
        [find_program("node"), "--input-type=module", "-e", _PROGRAM, "--", module],
        otherwise="Pyodide does not tell its versions: correct what it says above.",
    )
    return Interpreter(**json.loads(said))


def wheel_metadata(wheels: Iterable[Path]) -> list[Shipped]:
    """Return each wheel as its metadata names it, with the name in the spelling of file names."""
    return [
        Shipped(fields["Name"].replace("-", "_"), fields["Version"], fields["License-Expression"])
        for wheel in wheels
        for fields in [metadata_of(wheel)]
    ]


def sbom_components(wheels: Iterable[Path]) -> list[Shipped]:
    """Return the components in the SBOMs of wheels."""
    return [
        Shipped(it["name"], it["version"], it["licenses"][0]["expression"])
        for wheel in wheels
        for sbom in members_of(wheel, "*.dist-info/sboms/*.json")
        for it in json.loads(sbom)["components"]
    ]
