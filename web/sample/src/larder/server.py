"""Serves the page and the list to a browser on this computer."""

from __future__ import annotations

import json
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from larder.store import Store


def serve_page(store: Store, port: int) -> None:
    """Answer requests until the process ends."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            # TODO: serve the files of web/ too; only the list is there now.
            if self.path != "/items":
                self.send_error(404)
                return
            body = json.dumps(
                [
                    {"name": item.name, "amount": item.amount.number, "unit": item.amount.unit}
                    for item in store.load()
                ]
            ).encode()
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.end_headers()
            self.wfile.write(body)

    HTTPServer(("127.0.0.1", port), Handler).serve_forever()
