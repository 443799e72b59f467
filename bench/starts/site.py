"""Everything that the starts fetch, copied once so that no build can change it."""

from __future__ import annotations

import shutil
from pathlib import Path

from bench.page import BLANK_PAGE, lay_out
from build_steps.folders import tree_files
from build_steps.runtime.assets import LOCK_NAME, STANDARD_LIBRARY
from build_steps.runtime.bytecode import PYODIDE
from build_steps.runtime.smaller.trimmed import ENGINE_FILES
from build_steps.web.compress import compress

PAGES = Path(__file__).parent / "page"

# Named as if for their content, so that browsers may keep what their usual hosts let them keep.
STOCK = "pyodide-00000000"
_SHELL = "shell-00000000"


def lay_out_starts(site: Path) -> None:
    """Put into a new folder all that any candidate fetches, with Brotli where that is smaller.

    `npm/` is the built package, and the two folders above are what others start from.
    """
    lay_out(site)
    for folder in ("types", "docs", "skills", "workerd"):
        shutil.rmtree(site / "npm" / folder)
    (site / _SHELL).mkdir()
    (site / "just-bash.js").rename(site / _SHELL / "just-bash.js")
    (site / "blank.html").write_bytes(BLANK_PAGE)
    shutil.copytree(PAGES, site / "page")
    (site / STOCK).mkdir()
    # The rest of Pyodide's npm package is fetched by no start.
    for name in (*ENGINE_FILES, STANDARD_LIBRARY, LOCK_NAME):
        shutil.copyfile(PYODIDE / name, site / STOCK / name)
    files = tree_files(site)
    for (file, _), small in compress([(file, "br") for file in files], step="bench").items():
        if small.stat().st_size < file.stat().st_size:
            shutil.copyfile(small, file.with_name(f"{file.name}.br"))
