"""The steps that make the first start smaller: each is a module, and `--without NAME` skips it.

`docs/smaller-start.md` explains them.
"""

from __future__ import annotations

STEPS = {
    "trim": "leave Pyodide's code as it is published",
    "split": "leave each WebAssembly module in one part",
    "tables": "leave all tables in the first part of Pyodide's code",
    "bodies": "leave every function of Python its body",
    "pack": "leave the image's heap in the order of its addresses",
}
"""Each step by its name, and what skipping it does."""
