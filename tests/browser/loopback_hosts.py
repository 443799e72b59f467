"""Loopback servers for the files that mounts request, one origin for each kind of host."""

import base64
import hashlib
import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import NamedTuple

from tests.support.served_directory import serve_directory

READABLE = {"Access-Control-Allow-Origin": "*"}
"""Headers that allow a page of another origin to read a response."""


class PackageHosts(NamedTuple):
    """The two hosts of a delivery network, as a source names them."""

    index_url: str
    files_url: str
    specifier: str
    """The package with its exact version."""


@contextmanager
def deliver_package(folder: Path, served: Path) -> Iterator[PackageHosts]:
    """Serve an installed package in the shapes of jsDelivr, from two origins.

    Args:
        folder: The package, with its `package.json`.
        served: An empty folder to serve from.
    """
    named = json.loads((folder / "package.json").read_text("utf-8"))
    specifier = f"{named['name']}@{named['version']}"
    home = served / "npm" / specifier
    home.parent.mkdir(parents=True)
    home.symlink_to(folder, target_is_directory=True)
    files = [
        {
            "name": f"/{path.relative_to(folder).as_posix()}",
            "hash": base64.b64encode(hashlib.sha256(path.read_bytes()).digest()).decode(),
            "size": path.stat().st_size,
        }
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    ]
    resolved = {"type": "npm", "name": named["name"], "version": named["version"], "links": {}}
    listed = {**resolved, "default": None, "files": files}
    index = {
        f"/v1/packages/npm/{specifier}": json.dumps(listed).encode(),
        f"/v1/packages/npm/{named['name']}/resolved": json.dumps(resolved).encode(),
    }
    empty = served / "empty"
    empty.mkdir()
    with (
        serve_directory(empty, pages=index, headers=READABLE) as index_origin,
        serve_directory(served, headers=READABLE) as files_origin,
    ):
        yield PackageHosts(f"{index_origin}/v1/packages/", f"{files_origin}/", specifier)


class HeldDownload:
    """A download that stops after its first half, until the caller lets the rest go."""

    def __init__(self, content: bytes) -> None:
        self.content = content
        self._let_go = threading.Event()

    def let_go(self) -> None:
        """Send the held half, in this download and in later ones."""
        self._let_go.set()

    @contextmanager
    def serve(self) -> Iterator[str]:
        """Serve the content while the context lasts; yields its address."""
        with ThreadingHTTPServer(("127.0.0.1", 0), self._handler()) as server:
            server.daemon_threads = True
            thread = threading.Thread(target=server.serve_forever, daemon=True)
            thread.start()
            try:
                yield f"http://127.0.0.1:{server.server_port}/held"
            finally:
                self.let_go()
                server.shutdown()
                thread.join()

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        held = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                self.send_response(HTTPStatus.OK)
                self.send_header("Content-Length", str(len(held.content)))
                for name, value in READABLE.items():
                    self.send_header(name, value)
                self.end_headers()
                half = len(held.content) // 2
                try:
                    self.wfile.write(held.content[:half])
                    held._let_go.wait()
                    self.wfile.write(held.content[half:])
                except ConnectionError:
                    self.close_connection = True  # the page has given the download up

            def log_message(self, *_: object) -> None:
                """Say nothing: a test's output is its own."""

        return Handler
