"""A host that sends the first half of an archive, and then nothing more."""

import http.server
import threading
from collections.abc import Iterator
from contextlib import contextmanager

HELD_BACK_BYTES = 3_000_000
_SENT_BYTES = 1_500_000


@contextmanager
def serve_held_back() -> Iterator[str]:
    """Serve an archive whose second half never comes while the context lasts."""
    is_over = threading.Event()

    class HeldBack(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("Content-Length", str(HELD_BACK_BYTES))
            self.send_header("Access-Control-Allow-Origin", "*")
            self.end_headers()
            self.wfile.write(bytes(_SENT_BYTES))
            self.wfile.flush()
            is_over.wait()

        def log_message(self, *_: object) -> None:
            """Say nothing: a test's output is its own."""

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), HeldBack) as server:
        server.daemon_threads = True
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}"
        finally:
            is_over.set()
            server.shutdown()
            thread.join()
