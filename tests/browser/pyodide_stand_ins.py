"""What stands for Pyodide's distribution and for the package index, in the pages of a browser.

Pyodide is its npm package. That has none of its distribution's wheels, so those
that are asked for are what the project pins, and the lock names them in the
place of its own.
"""

import json
import mimetypes
from collections.abc import Callable, Iterable, Mapping
from hashlib import sha256
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from packaging.utils import parse_wheel_filename
from playwright.sync_api import BrowserContext, Route

from build_steps.folders import BUILD, NODE_MODULES
from build_steps.freshness import sha256_of
from build_steps.wheels.pinned_wheels import members_of, pinned_wheels, runtime_wheels

CDN_HOST = "cdn.jsdelivr.net"
# What micropip asks, in two parts: no other file of the project names such a host.
INDEX_HOST = "pypi" + ".org"

_MICROPIP = Path(__file__).with_name("micropip.txt")

PYODIDE = NODE_MODULES / "pyodide"
PYODIDE_VERSION = json.loads((PYODIDE / "package.json").read_text("utf-8"))["version"]

_ANY_ORIGIN = {"Access-Control-Allow-Origin": "*"}
_MIME_TYPES = {".mjs": "text/javascript", ".js": "text/javascript", ".wasm": "application/wasm"}


def fulfill(route: Route, name: str, body: bytes) -> None:
    """Answer a request with a file; its name gives its type."""
    guessed = mimetypes.guess_type(name)[0] or "application/octet-stream"
    kind = _MIME_TYPES.get(Path(name).suffix, guessed)
    route.fulfill(body=body, content_type=kind, headers=_ANY_ORIGIN)


def pyodide_distribution(more_wheels: Iterable[Path] = ()) -> dict[str, bytes]:
    """Return the files of a Pyodide distribution, by their names.

    Args:
        more_wheels: Wheels of the distribution besides micropip's and those that
            treeglass needs; one that Pyodide's own lock does not know needs nothing.
    """
    names = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip")
    lock: dict[str, Any] = json.loads((PYODIDE / "pyodide-lock.json").read_text("utf-8"))
    (micropip,) = pinned_wheels("micropip wheel", _MICROPIP, BUILD / "micropip")
    wheels = [micropip, *runtime_wheels(), *more_wheels]
    for wheel in wheels:
        project = parse_wheel_filename(wheel.name)[0]
        entry = lock["packages"].setdefault(project, _unknown(project))
        version = wheel.name.split("-")[1]
        entry |= {"version": version, "file_name": wheel.name, "sha256": sha256_of(wheel)}
    return (
        {name: (PYODIDE / name).read_bytes() for name in names}
        | {wheel.name: wheel.read_bytes() for wheel in wheels}
        | {"pyodide-lock.json": json.dumps(lock).encode()}
    )


def _unknown(project: str) -> dict[str, Any]:
    placed = {"install_dir": "site", "package_type": "package", "unvendored_tests": False}
    return {"name": project, "imports": [project], "depends": [], **placed}


def answer_distribution(
    context: BrowserContext,
    files: Callable[[], Mapping[str, bytes]],
    *,
    version: str = PYODIDE_VERSION,
) -> None:
    """Answer the requests of a browser's pages to Pyodide's CDN with a distribution.

    Args:
        context: The browser's profile.
        files: Returns name to content, as `pyodide_distribution` does; called at each request.
        version: The version that the address asks for.
    """

    def answer(route: Route) -> None:
        name = urlsplit(route.request.url).path.rpartition("/")[2]
        fulfill(route, name, files()[name])

    context.route(f"https://{CDN_HOST}/pyodide/v{version}/full/*", answer)


def answer_index(context: BrowserContext, wheel: Path) -> None:
    """Answer the requests of a browser's pages to the package index with one wheel."""
    project = parse_wheel_filename(wheel.name)[0]
    (metadata,) = members_of(wheel, "*.dist-info/METADATA")
    # In HTML, the only form whose addresses may be relative.
    index = (
        f'<!doctype html>\n<title>{project}</title>\n<a href="/wheels/{wheel.name}'
        f'#sha256={sha256_of(wheel)}" data-core-metadata="sha256={sha256(metadata).hexdigest()}">'
        f"{wheel.name}</a>"
    )

    def answer(route: Route) -> None:
        name = urlsplit(route.request.url).path.rstrip("/").rpartition("/")[2]
        if name == project:
            fulfill(route, "index.html", index.encode())
        elif name.endswith(".metadata"):
            fulfill(route, name, metadata)
        else:
            fulfill(route, name, wheel.read_bytes())

    context.route(f"https://{INDEX_HOST}/simple/{project}/*", answer)
    context.route(f"https://{INDEX_HOST}/wheels/*", answer)
