"""The bundlers and frameworks that the package is built with, each with a project in `projects/`.

uv run python -m tests.bundlers.bundlers

writes the table of `docs/bundlers.md`.
"""

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
    output: str = "dist"
    """The folder that is served, if the project has no server of its own."""
    page: str = "/"
    """The address of the page in it."""
    renders_demo: bool = False
    """True if the page holds a demo that the framework renders."""
    server: str | None = None
    """The command that starts the built server, at the address that HOST and PORT name.

    Such a server calls a tool itself.
    """
    needs_node: tuple[int, int] = (20, 0)
    """The oldest Node.js that it runs on."""

    @property
    def version(self) -> str:
        """The pinned version."""
        folder = _RUNTIMES if self.project == "bun" else PROJECTS / self.project
        manifest = json.loads((folder / "package.json").read_text("utf-8"))
        pinned: dict[str, str] = manifest.get("optionalDependencies") or manifest["dependencies"]
        return pinned[self.package]


_PUBLIC = "public/treeglass"
_NEXT = ("next", "next")
_NEXT_SERVER = "npx next start"
_NODE_22 = (22, 22)

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
    Bundler(
        *("Next, by Turbopack", *_NEXT, "npx next build", _PUBLIC, "app"),
        renders_demo=True,
        server=_NEXT_SERVER,
    ),
    Bundler(
        *("Next, by webpack", *_NEXT, "npx next build --webpack", _PUBLIC, "app"),
        renders_demo=True,
        server=_NEXT_SERVER,
    ),
    Bundler(
        *("Nuxt", "nuxt", "nuxt", "npx nuxt build", _PUBLIC, "shared"),
        renders_demo=True,
        server="node .output/server/index.mjs",
        needs_node=_NODE_22,
    ),
    Bundler(
        *("Astro", "astro", "astro", "npx astro build", _PUBLIC),
        renders_demo=True,
        server="node dist/server/entry.mjs",
        needs_node=_NODE_22,
    ),
    Bundler(
        *("React Router", "react-router", "react-router", "npx react-router build"),
        *(_PUBLIC, "app"),
        renders_demo=True,
        server="npx react-router-serve build/server/index.js",
        needs_node=_NODE_22,
    ),
    Bundler(
        *("SvelteKit", "sveltekit", "@sveltejs/kit", "npx vite build", "static/treeglass"),
        renders_demo=True,
        server="node build/index.js",
        needs_node=_NODE_22,
    ),
    Bundler(
        *("Angular", "angular", "@angular/core", "npx ng build", _PUBLIC),
        renders_demo=True,
        server="node dist/server/server.mjs",
        needs_node=_NODE_22,
    ),
    Bundler(
        *("Docusaurus", "docusaurus", "@docusaurus/core", "npx docusaurus build"),
        "static/treeglass",
        output="build",
        renders_demo=True,
    ),
    Bundler(
        *("VitePress", "vitepress", "vitepress", "npx vitepress build docs"),
        "docs/public/treeglass",
        output="docs/.vitepress/dist",
        renders_demo=True,
    ),
    Bundler(
        *("Storybook", "storybook", "storybook", "npx storybook build", _PUBLIC),
        output="storybook-static",
        page="/iframe.html?id=tools--answers&viewMode=story",
        renders_demo=True,
        needs_node=_NODE_22,
    ),
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
