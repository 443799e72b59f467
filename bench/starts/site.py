"""Everything that the starts fetch, read once so that no build can change it."""

from __future__ import annotations

import json
import re
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from bench.page import BLANK_PAGE, JUST_BASH, bundle_just_bash
from bench.starts.brotli_files import brotli_of
from bench.starts.local_index import (
    index_page,
    indexed_wheels,
    micropip_wheel,
    project_of,
    wheel_metadata,
)
from bench.starts.server import Resource
from build_steps.folders import NODE_MODULES, NPM, tree_files

if TYPE_CHECKING:
    from collections.abc import Iterator

_PAGE = Path(__file__).parent / "page"

_TYPES = {
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript",
    ".json": "application/json",
    ".mjs": "text/javascript",
    ".wasm": "application/wasm",
}
_ANY_TYPE = "application/octet-stream"
_INDEX_TYPE = "application/vnd.pypi.simple.v1+html"

_IMMUTABLE = "public, max-age=31536000, immutable"
_INDEX_CACHING = "max-age=600, public"
"""The header of PyPI's index pages."""
_REVALIDATED = "no-cache"

_NAMED_BY_CONTENT = re.compile(r"/[^/]+-[0-9a-f]{8}/")

_COMPRESSED = {".br", ".gz"}

# The files that a stock start fetches; the rest of Pyodide's npm package is not served.
_STOCK = (
    "pyodide.mjs",
    "pyodide.asm.mjs",
    "pyodide.asm.wasm",
    "python_stdlib.zip",
    "pyodide-lock.json",
)


def read_site() -> dict[str, Resource]:
    """Return path to resource of all that any candidate fetches.

    `/npm/` is the built package and `/packages/` the same without its image;
    `/pyodide/` is the stock one, `/simple/` and `/wheels/` a package index,
    `/shell/` just-bash; each as its usual host lets a browser keep it.
    """
    site = dict(_resources())
    for path, content in _index_pages():
        site[path] = Resource(content, _INDEX_TYPE, _INDEX_CACHING, brotli_of(content))
    return site


def _resources() -> Iterator[tuple[str, Resource]]:
    yield "/blank.html", _resource(".html", BLANK_PAGE, _REVALIDATED)
    for script in ("starts.mjs", "bare_worker.mjs", "usual_worker.mjs"):
        yield f"/page/{script}", _resource(".mjs", (_PAGE / script).read_bytes(), _REVALIDATED)
    yield from _package("/npm/")
    yield from _package("/packages/")
    yield "/packages/assets/start.json", _resource(".json", _start_without_image(), _REVALIDATED)
    for file in [*(NODE_MODULES / "pyodide" / name for name in _STOCK), micropip_wheel()]:
        yield f"/pyodide/{file.name}", _resource(file.suffix, file.read_bytes(), _IMMUTABLE)
    for wheel in indexed_wheels():
        content = wheel.read_bytes()
        yield f"/wheels/{wheel.name}", _resource(".whl", content, _IMMUTABLE)
        metadata = _resource(".metadata", wheel_metadata(content), _IMMUTABLE)
        yield f"/wheels/{wheel.name}.metadata", metadata
    with TemporaryDirectory() as folder:
        bundle_just_bash(Path(folder))
        shell = (Path(folder) / JUST_BASH).read_bytes()
    yield f"/shell/{JUST_BASH}", _resource(".js", shell, _IMMUTABLE)


def _resource(suffix: str, content: bytes, caching: str) -> Resource:
    return Resource(content, _TYPES.get(suffix, _ANY_TYPE), caching, brotli_of(content))


def _package(prefix: str) -> Iterator[tuple[str, Resource]]:
    """Yield the package's files, with its own compressed siblings if it has them."""
    for file in tree_files(NPM):
        name = file.relative_to(NPM).as_posix()
        if file.suffix in _COMPRESSED or name.startswith("types/"):
            continue
        path = f"{prefix}{name}"
        caching = _IMMUTABLE if _NAMED_BY_CONTENT.search(path) else _REVALIDATED
        content, beside = file.read_bytes(), file.with_name(f"{file.name}.br")
        brotli = beside.read_bytes() if beside.is_file() else brotli_of(content)
        content_type = _TYPES.get(file.suffix, _ANY_TYPE)
        yield path, Resource(content, content_type, caching, brotli)


def _start_without_image() -> bytes:
    start = json.loads((NPM / "assets" / "start.json").read_bytes())
    return json.dumps({**start, "image": None}).encode()


def _index_pages() -> Iterator[tuple[str, bytes]]:
    wheels = {wheel.name: wheel.read_bytes() for wheel in indexed_wheels()}
    for project in {project_of(name) for name in wheels}:
        yield f"/simple/{project}/", index_page(wheels, project)
