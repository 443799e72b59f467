"""Prepare the interpreter whose memory becomes the start-up image; runs inside it.

Imports the modules that a call may need, and uses each tool once, which builds its validators.
Modules that are not in the image can still be imported, after a fetch.
"""

from __future__ import annotations

import gc
import importlib.machinery
import importlib.util
import json
import pathlib
import runpy
import shutil
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

_BY_NAME = ("bz2", "lzma", "traceback", "encodings.idna", "encodings.latin_1")
# Imported inside functions, or by name.

_FILE = "main.py"
# The one in the examples of the tools, in the root and in `src`.

_MORE_CALLS: tuple[tuple[str, dict[str, object]], ...] = (
    ("list_dir", {"dir_path": "/missing"}),
    (
        "read_file",
        {"file_path": f"/repo/{_FILE}", "mode": "indentation", "indentation": {"anchor_line": 2}},
    ),
    ("read_file", {"file_path": "/repo/missing"}),
    ("read_file", {"limit": "many"}),
    ("LS", {"path": "missing"}),
    ("Read", {"path": "missing"}),
    ("list_directory", {"path": "missing"}),
    ("unknown", {}),
)
# Besides the example of each tool, and a call without arguments: each builds what it needs on
# its first call.


def warm_up(wheels: str, side_module: str, finish: str, lines: str) -> str:
    """Import and use the tools, then free what they no longer need.

    Args:
        wheels: A folder with the wheels, which modules are imported from without unpacking.
        side_module: Path of the compiled part of pydantic, which the interpreter has loaded.
        finish: Path of a program, whose function `finish` is called with lines; or empty.
        lines: Path of a text file that has these.

    Returns:
        What `finish` returns.
    """
    sys.path.extend(str(path) for path in sorted(pathlib.Path(wheels).iterdir()))
    _load_side_module(side_module)
    _import_modules()
    _use_tools()
    finished = _finish(finish, lines) if finish else ""
    _let_go()
    return finished


def _load_side_module(path: str) -> None:
    # An import would not find it: it is not beside its package, which lies in a zip archive.
    name = "pydantic_core._pydantic_core"
    loader = importlib.machinery.ExtensionFileLoader(name, path)
    spec = importlib.machinery.ModuleSpec(name, loader, origin=path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    loader.exec_module(module)
    package = importlib.import_module("pydantic_core")
    package.__dict__["_pydantic_core"] = module


def _import_modules() -> None:
    # What the bridge does not import is late: a page fetches it with the first call that needs it.
    for name in ("treeglass.bridge", *_BY_NAME):
        importlib.import_module(name)


def _use_tools() -> None:
    bridge = importlib.import_module("treeglass.bridge").Bridge()
    tree = pathlib.Path("/warm")
    (tree / "src").mkdir(parents=True)
    for folder in (tree, tree / "src"):
        (folder / _FILE).write_text("def f():\n    return 1\n")
    requests = (
        ("mount", {"path": "/repo", "host": str(tree)}),
        ("configure", {"config": {}}),
        ("listTools", {}),
        *(("callTool", {"name": name, "arguments": arguments}) for name, arguments in _calls()),
        ("openDecompressor", {"format": "xz"}),
        ("closeDecompressor", {"stream": 1}),
        ("unmount", {"path": "/repo"}),
    )
    for method, params in requests:
        answer = json.loads(bridge.handle(json.dumps({"method": method, "params": params})))
        if "error" in answer:
            raise RuntimeError(f"{method} {params}: {answer}")
    shutil.rmtree(tree)


def _calls() -> Iterator[tuple[str, dict[str, object]]]:
    # Those that change are late, as a whole.
    for tool in importlib.import_module("treeglass.tools").READING_TOOLS:
        yield tool.name, {}
        # One that is late would bring its modules into the image.
        if not tool.is_late:
            yield tool.name, dict(tool.example)
    yield from _MORE_CALLS


def _finish(program: str, lines: str) -> str:
    finished = runpy.run_path(program)["finish"](pathlib.Path(lines).read_text().splitlines())
    return str(finished)


def _let_go() -> None:
    # Drops each archive's list of contents; the next import from an archive reads it again.
    importlib.invalidate_caches()
    gc.collect()
    # All objects are in one list of the collector then, which an image can leave out.
    gc.freeze()
