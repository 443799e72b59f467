"""The documentation, as a static site in `build/documentation/html/`.

TypeDoc writes the reference of the JavaScript API as Markdown; Sphinx makes the pages.
"""

from __future__ import annotations

import os
import re
import shutil
import sys
from pathlib import Path, PurePosixPath

from build_steps.folders import BUILD, ROOT, WEB, tree_files
from build_steps.freshness import empty_staging_folder, put_in_place, remake_when_stale
from build_steps.npm.npm_package import package_manifest
from build_steps.programs import find_program, run
from build_steps.web.packages import install_locked
from build_steps.web.sources import PLAYGROUND, SOURCES

DOCS = ROOT / "docs"
"""The sources of the pages."""

HTML = BUILD / "documentation" / "html"
"""The pages that are served."""

_BESIDE = (
    *(ROOT / name for name in ("CHANGELOG.md", "CONTRIBUTING.md", "README.md", "SECURITY.md")),
    *(PLAYGROUND / name for name in ("favicon.svg", "styles.css")),
)
"""Files outside `docs/` that the pages and `docs/conf.py` use."""

# A package of its own, since TypeDoc needs an older TypeScript than the project's.
TYPEDOC = WEB / "typedoc"

# The heading for each of these tags; TypeDoc writes one heading for each use of a tag.
_LISTS = {
    "Attr": "Attributes",
    "Csspart": "Parts",
    "Cssprop": "Custom properties",
    "Fires": "Events",
}

_FRONT_MATTER = "---\ntocdepth: 3\n---\n\n"


def make_documentation() -> None:
    """Bring `build/documentation/` up to date: the site in `html/`, and its sources beside it.

    Raises:
        BuildFailed: Sphinx or TypeDoc finds a fault in a page or a comment.
    """
    remake_when_stale(
        "documentation",
        inputs=[
            ROOT / "pyproject.toml",
            *_BESIDE,
            # With names that begin with a dot, which the trees of demos have.
            *(path for path in DOCS.rglob("*") if path.is_file()),
            *tree_files(ROOT / "src" / "treeglass"),
            *api_sources(),
        ],
        outputs=[HTML / "index.html"],
        make=_make,
    )


def _make() -> None:
    staging = empty_staging_folder("documentation")
    source = staging / "source"
    # Copied, since generated pages are added to them.
    shutil.copytree(DOCS, source / "docs", symlinks=True)
    for path in _BESIDE:
        copy = source / path.relative_to(ROOT)
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, copy)
    write_javascript_reference(source / "docs" / "reference" / "javascript")
    run_sphinx(source / "docs", staging / "html")
    put_in_place(staging, HTML.parent)


def run_sphinx(source: Path, html: Path) -> None:
    """Build the pages of a folder into another one.

    Raises:
        BuildFailed: Sphinx has printed what is wrong with them.
    """
    run(
        [
            *(sys.executable, "-m", "sphinx", "--builder", "html", "--quiet", "--keep-going"),
            # A fresh environment each time: an old one hides references that no longer resolve.
            *("--fail-on-warning", "--fresh-env", "--doctree-dir", source.parent / "doctrees"),
            *(source, html),
        ],
        # Warnings name the copies, which have the same names as the originals.
        environment={"PYTHONPATH": os.fspath(ROOT / "src")},
        otherwise="The documentation could not be made: correct in docs/, or in the docstrings, "
        "what Sphinx says above and run again.",
    )
    shutil.rmtree(source.parent / "doctrees")
    (html / ".buildinfo").unlink(missing_ok=True)
    # Sphinx makes this folder even if it copies no source into it.
    (html / "_sources").rmdir()


def api_sources() -> list[Path]:
    """Return every file that decides the reference of the JavaScript API."""
    configuration = [path for path in TYPEDOC.iterdir() if path.suffix == ".json"]
    sources = [path for path in tree_files(SOURCES) if PLAYGROUND not in path.parents]
    return [*configuration, *sources]


def public_modules() -> dict[str, Path]:
    """Return each module that the npm package exports, by the name that imports it."""
    exported = package_manifest()["exports"]
    types = {name: entry["types"] for name, entry in exported.items() if isinstance(entry, dict)}
    return {
        str(PurePosixPath("treeglass", name)): SOURCES / _source_name(declared)
        for name, declared in types.items()
    }


def _source_name(declared: str) -> str:
    return declared.removeprefix("./types/").removesuffix(".d.ts") + ".ts"


def write_javascript_reference(folder: Path) -> None:
    """Write a page for each public module into a new folder; the client's is `index.md`.

    Raises:
        BuildFailed: TypeDoc cannot be fetched, or finds a fault in a comment.
    """
    install_locked("typedoc", TYPEDOC)
    modules = public_modules()
    program = TYPEDOC / "node_modules" / "typedoc" / "bin" / "typedoc"
    entries = [argument for path in modules.values() for argument in ("--entryPoints", path)]
    run(
        [find_program("node"), program, "--logLevel", "Warn", "--out", folder, *entries],
        folder=TYPEDOC,
        otherwise="The reference of the JavaScript API could not be written: "
        "correct what TypeDoc says above and run again.",
    )
    # A list of the modules, which the page that includes them has already.
    (folder / "README.md").unlink()
    for name, source in modules.items():
        page = (folder / source.relative_to(SOURCES)).with_suffix(".md")
        text = page.read_text(encoding="utf-8")
        page.write_text(_as_page(text, name), encoding="utf-8", newline="\n")


def _as_page(text: str, module: str) -> str:
    # Without TypeDoc's title, which is the file's name, and its rules before headings.
    text = text.partition("\n")[2].replace("\n***\n", "")
    # A default may be described in words, which are no TypeScript.
    text = text.replace("# Default\n\n```ts\n", "# Default\n\n```text\n")
    for tag, title in _LISTS.items():
        heading = f"#### {tag}\n\n"
        before, found, after = text.partition(heading)
        items = re.sub(rf"(?:^|\n{heading})([\w-]+) - ", r"- `\1`: ", after)
        text = f"{before}#### {title}\n\n{items}" if found else text
    return f"{_FRONT_MATTER}# {module}\n{text}"
