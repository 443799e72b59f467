"""The bundlers and frameworks that the package is built with, each with a project in `projects/`.

uv run python -m tests.bundlers.bundlers

writes the table of `docs/bundlers.md`.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import NamedTuple

from build_steps.folders import ROOT

PAGE = ROOT / "docs" / "bundlers.md"
PROJECTS = Path(__file__).parent / "projects"

SHARED = PROJECTS / "shared"
"""Sources of several projects: `index.js` of those without a framework, and the calls."""

_RUNTIMES = ROOT / "tests" / "edge" / "runtimes"
"""The folder whose `package.json` pins Bun."""

_BEGIN = "<!-- The table: written by `uv run python -m tests.bundlers.bundlers`. -->"
_END = "<!-- The end of the table. -->"


class Bundler(NamedTuple):
    """How a project is built."""

    title: str
    project: str
    """Its folder in `PROJECTS`."""
    package: str
    """The package whose pinned version the table tells."""
    command: str
    """The command that builds it, by the bundler's own documentation."""
    assets: str = "dist/treeglass"
    """The folder for the assets."""
    sources: str = "src"
    output: str | None = "dist"
    """The folder that is served; None if the project has a server of its own."""

    @property
    def version(self) -> str:
        """The pinned version."""
        folder = _RUNTIMES if self.project == "bun" else PROJECTS / self.project
        manifest = json.loads((folder / "package.json").read_text("utf-8"))
        pinned: dict[str, str] = manifest.get("optionalDependencies") or manifest["dependencies"]
        return pinned[self.package]


_PUBLIC = "public/treeglass"

BUNDLERS = (
    Bundler("webpack", "webpack", "webpack", "npx webpack --mode production"),
    Bundler("Rspack", "rspack", "@rspack/core", "npx rspack build"),
    Bundler(
        *("esbuild", "esbuild", "esbuild"),
        "npx esbuild src/index.js --bundle --format=esm --minify --outdir=dist",
    ),
    Bundler("Rollup", "rollup", "rollup", "npx rollup src/index.js --dir dist -p node-resolve"),
    Bundler("Parcel", "parcel", "parcel", "npx parcel build index.html"),
    Bundler("Bun", "bun", "@oven/bun-linux-x64", "bun build index.html --outdir dist --minify"),
    Bundler("Vite", "vite", "vite", "npx vite build", _PUBLIC),
    Bundler("React, by Vite", "react", "react", "npx vite build", _PUBLIC),
    Bundler("Vue, by Vite", "vue", "vue", "npx vite build", _PUBLIC),
    Bundler("Svelte, by Vite", "svelte", "svelte", "npx vite build", _PUBLIC),
    Bundler("Next, by Turbopack", "next", "next", "npx next build", _PUBLIC, "app", None),
    Bundler("Next, by webpack", "next", "next", "npx next build --webpack", _PUBLIC, "app", None),
)
"""Every bundler, in the order of the page."""


def with_table(page: str) -> str:
    """Return the page with the table of all bundlers."""
    rows = ["| Bundler | Version | Command | The assets go to |", "| --- | --- | --- | --- |"]
    rows += [
        f"| {one.title} | {one.version} | `{one.command}` | `{one.assets}` |" for one in BUNDLERS
    ]
    before, _, rest = page.partition(_BEGIN)
    table = "\n".join(rows)
    return f"{before}{_BEGIN}\n\n{table}\n\n{_END}{rest.partition(_END)[2]}"


if __name__ == "__main__":
    PAGE.write_text(with_table(PAGE.read_text("utf-8")), "utf-8", newline="\n")
