"""A server of files that sends some of them only when they are released."""

import io
import json
import tarfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

_TEXTS = {"now.txt": b"now\n", "held.txt": b"held\n"}


def _archive() -> bytes:
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w:xz") as archive:
        member = tarfile.TarInfo("a.txt")
        member.size = len(b"packed\n")
        archive.addfile(member, io.BytesIO(b"packed\n"))
    return packed.getvalue()


def _manifest() -> bytes:
    entries = [
        {"kind": "file", "path": name, "size_bytes": len(text)} for name, text in _TEXTS.items()
    ]
    return json.dumps({"manifest_version": 1, "entries": entries}).encode()


class HeldFiles:
    """The addresses of the files, and the events that hold and release some of them."""

    def __init__(self, origin: str) -> None:
        self.manifest = f"{origin}/manifest.json"
        self.archive = f"{origin}/archive.tar.xz"
        self.held = f"{origin}/held.txt"
        self.held_archive = f"{origin}/held.tar.xz"
        self.asked = threading.Semaphore(0)
        """Released whenever something held is asked for."""
        self.release = threading.Event()

    def wait_until_asked(self) -> None:
        """Wait until something held is asked for.

        Raises:
            AssertionError: Nothing is asked for within a minute.
        """
        assert self.asked.acquire(timeout=60)


@contextmanager
def serve_held_files() -> Iterator[HeldFiles]:
    """Serve a manifest of two files, the second of them held back, and an archive."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            archives = dict.fromkeys(("/archive.tar.xz", "/held.tar.xz"), _archive())
            content = ({"/manifest.json": _manifest()} | archives).get(self.path)
            if self.path == "/release":
                files.release.set()
            elif self.path.startswith("/held."):
                files.asked.release()
                files.release.wait()
            self.send_response(200)
            self.end_headers()
            self.wfile.write(content or _TEXTS.get(self.path.removeprefix("/"), b""))

        def log_message(self, *_: object) -> None:
            """Log no requests."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    files = HeldFiles(f"http://127.0.0.1:{server.server_port}")
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield files
    finally:
        files.release.set()
        server.shutdown()
        thread.join()
        server.server_close()
