"""The documentation, as a static site in `build/documentation/html/`.

TypeDoc writes the reference of the JavaScript API as Markdown; Sphinx makes the pages.
"""

from __future__ import annotations

import os
import shutil
import sys
from typing import TYPE_CHECKING

from build_steps.folders import BUILD, DOCUMENTATION, NODE_MODULES, PLAYGROUND, ROOT, tree_files
from build_steps.freshness import remake_folder
from build_steps.programs import run
from build_steps.site.javascript_reference import api_sources, write_javascript_reference
from build_steps.site.markdown_pages import write_markdown_pages
from build_steps.site.stackblitz import example_files
from build_steps.web.scripts import bundle_script

if TYPE_CHECKING:
    from pathlib import Path

DOCS = ROOT / "docs"
"""The sources of the pages."""

HTML = BUILD / "documentation" / "html"
"""The pages that are served."""

_BESIDE = (
    *(ROOT / name for name in ("CHANGELOG.md", "CONTRIBUTING.md", "README.md", "SECURITY.md")),
    *(PLAYGROUND / name for name in ("favicon.svg", "styles/base.css")),
)
"""Files outside `docs/` that the pages and `docs/conf.py` use."""

SCRIPTS = ("page", "search", "theme")
"""The modules of `DOCUMENTATION` that become a script in `_static/`."""


def make_documentation() -> None:
    """Bring `build/documentation/` up to date: the site in `html/`, and its sources beside it."""
    remake_folder(
        "documentation",
        HTML.parent,
        inputs=[
            ROOT / "pyproject.toml",
            *_BESIDE,
            # With names that begin with a dot, which the trees of demos have.
            *(path for path in DOCS.rglob("*") if path.is_file()),
            *tree_files(ROOT / "src" / "treeglass"),
            *api_sources(),
            *tree_files(DOCUMENTATION),
            *example_files(),
        ],
        write=_write,
    )


def _write(staging: Path) -> None:
    source = staging / "source"
    # Copied, since generated pages are added to them.
    shutil.copytree(DOCS, source / "docs", symlinks=True)
    for path in _BESIDE:
        copy = source / path.relative_to(ROOT)
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, copy)
    write_javascript_reference(source / "docs" / "reference" / "javascript")
    for name in SCRIPTS:
        script = source / "docs" / "_static" / f"{name}.js"
        bundle_script(DOCUMENTATION / f"{name}.ts", script, module_format="iife")
    shutil.copyfile(
        NODE_MODULES / "minisearch" / "LICENSE.txt",
        source / "docs" / "_static" / "search.js.LICENSE.txt",
    )
    run_sphinx(source / "docs", staging / "html")
    write_markdown_pages(source / "docs", staging / "html")


def run_sphinx(source: Path, html: Path) -> None:
    """Build the pages of a folder into another one."""
    run(
        [
            *(sys.executable, "-m", "sphinx", "--builder", "html", "--quiet", "--keep-going"),
            # A fresh environment each time: an old one hides references that no longer resolve.
            *("--fail-on-warning", "--fresh-env", "--doctree-dir", source.parent / "doctrees"),
            *(source, html),
        ],
        # Warnings name the copies, which have the same names as the originals.
        environment={"PYTHONPATH": os.pathsep.join(map(os.fspath, (ROOT / "src", ROOT)))},
        otherwise="The documentation could not be made: correct in docs/, or in the docstrings, "
        "what Sphinx says above and run again.",
    )
    shutil.rmtree(source.parent / "doctrees")
    (html / ".buildinfo").unlink(missing_ok=True)
    # Sphinx makes this folder even if it copies no source into it.
    (html / "_sources").rmdir()
