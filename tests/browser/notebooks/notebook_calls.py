"""Calls as a notebook makes them; runs on CPython, and as text in any Pyodide."""

import json
import os
from pathlib import Path

from treeglass import Config, ToolRegistry, Workspace

CALLS: list[tuple[str, dict[str, object]]] = [
    ("list_dir", {"dir_path": "/repo", "depth": 5}),
    ("list_dir", {"dir_path": "/repo/src", "limit": 1}),
    ("read_file", {"file_path": "/repo/src/cart.py"}),
    ("read_file", {"file_path": "/repo/README.md", "limit": 1}),
    ("read_file", {"file_path": "/repo/src/page.html"}),
    ("read_file", {"file_path": "/etc/passwd"}),
    ("LS", {"path": "/repo"}),
    ("list_directory", {"path": ".", "recursive": True}),
    ("list_directory", {"path": "no"}),
    ("rm", {"path": "/repo"}),
]


TREE = {
    "README.md": "# Shop\n\nÄpfel\n",
    "src/cart.py": "def total(prices):\n    return sum(prices)\n",
    "src/empty.txt": "",
    "src/page.html": "</pre><script>document.title = 'taken'</script>\n",
    "two\nlines.txt": "x",
}
"""Path to text, of names that any filesystem takes."""

_MODIFIED_SECONDS = 1_700_000_000


def write_tree(folder: str) -> None:
    """Write the tree that the calls are about, and its times."""
    for name, text in TREE.items():
        path = Path(folder, name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
    set_times(folder)


def set_times(folder: str) -> None:
    """Set the times of the tree, which a filesystem that keeps none makes up."""
    for path in [*Path(folder).rglob("*"), Path(folder)]:
        os.utime(path, (_MODIFIED_SECONDS, _MODIFIED_SECONDS))


def answers(folder: str) -> str:
    """Return what the tools answer over a folder, as JSON text."""
    # By a clock that stands still, since no two hosts take the same time.
    registry = ToolRegistry(Workspace({"/repo": folder}), Config(), clock=lambda: 0.0)
    results = [registry.call_tool(name, arguments) for name, arguments in CALLS]
    return json.dumps(
        [
            [
                result.content,
                result.error and [result.error.kind, result.error.message],
                result.truncated,
                result.next_arguments,
                result.warnings,
                result._repr_html_(),
            ]
            for result in results
        ]
    )
