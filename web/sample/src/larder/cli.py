"""The command line."""

from __future__ import annotations

import argparse
from datetime import date
from pathlib import Path

from larder.expiry import soon
from larder.items import Item
from larder.report import report
from larder.store import Store
from larder.units import Amount


def main(arguments: list[str] | None = None) -> int:
    """Run one command and return its exit code."""
    parser = argparse.ArgumentParser(prog="larder")
    parser.add_argument("--store", type=Path, default=Path("larder.json"))
    commands = parser.add_subparsers(dest="command", required=True)
    add = commands.add_parser("add", help="add an item")
    add.add_argument("name")
    add.add_argument("number", type=float)
    add.add_argument("unit")
    add.add_argument("--until", type=date.fromisoformat)
    commands.add_parser("list", help="show all items")
    commands.add_parser("soon", help="show what to eat first")
    serve = commands.add_parser("serve", help="serve the page")
    serve.add_argument("--port", type=int, default=8080)
    options = parser.parse_args(arguments)
    store = Store(options.store)
    if options.command == "add":
        items = store.add(
            Item(options.name, Amount(options.number, options.unit), options.until)
        )
    elif options.command == "serve":
        from larder.server import serve_page

        serve_page(store, options.port)
        return 0
    else:
        items = store.load()
    today = date.today()
    shown = soon(items, today) if options.command == "soon" else items
    print(report(shown, today))
    return 0
