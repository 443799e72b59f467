"""Bundle TypeScript into JavaScript, by the esbuild that `web/` pins."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

from build_steps.folders import BUILD, WEB
from build_steps.programs import find_node_tool, run

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

_JSX = ("--jsx=automatic", "--jsx-import-source=preact")

_PACKAGE = re.compile(r"node_modules/(?:@[^/]+/)?[^/]+")
"""The folder of a package, in a path that is relative to `web/`."""


def bundle_script(
    entry: Path,
    output: Path,
    *,
    platform: str = "browser",
    module_format: str = "esm",
    external: Sequence[str] = (),
    is_minified: bool = True,
) -> None:
    """Bundle an entry with all that it imports into one file, an ES module by default.

    `import.meta.url` is not changed, so that an entry finds the files beside it wherever the
    folder is served. There are no source maps: they would be several times as large as the code,
    and the sources are one `git clone` away.

    Args:
        entry: A TypeScript module.
        output: The JavaScript file that it becomes.
        platform: Where it runs: `browser` or `node`.
        module_format: `esm`, or `iife` for a classic script.
        external: Packages that it imports where it runs, and does not contain.
        is_minified: False for a program that no page fetches: one that ends by an error prints
            its names, and the line that threw.
    """
    left_out = [f"--external:{package}" for package in external]
    options = [f"--platform={platform}", f"--format={module_format}", f"--outfile={output}"]
    # A custom element takes its style sheets as texts.
    _esbuild(
        [str(entry)],
        *("--bundle", "--loader:.css=text", *_JSX, *options, *left_out),
        is_minified=is_minified,
    )


def start_image_program(name: str) -> Path:
    """Bundle a program of `web/start-image/` for Node, with all that decides what it does."""
    source = WEB / "start-image" / f"{name}.ts"
    script = BUILD / "staging" / f"{source.stem}.mjs"
    bundle_script(source, script, platform="node")
    return script


def bundle_in_chunks(entries: Mapping[str, Path], folder: Path) -> list[Path]:
    """Bundle named entries for a page, with a chunk for each module that they import on demand.

    The entry `main` becomes `main.js`, and each chunk is named for its content. Entries share
    their chunks. Chunks lie in the same folder as the entries, since code that looks for
    neighbouring files may be in any of them.

    Returns the folders of the npm packages whose code is inside, sorted.
    """
    meta = folder / "bundled.json"
    named = [f"{name}={entry}" for name, entry in entries.items()]
    chunks = ["--splitting", "--chunk-names=[name]-[hash]"]
    place = [f"--outdir={folder}", f"--metafile={meta}", "--platform=browser", "--format=esm"]
    _esbuild(named, "--bundle", "--loader:.css=text", *_JSX, *chunks, *place)
    inputs: list[str] = list(json.loads(meta.read_text("utf-8"))["inputs"])
    meta.unlink()
    found = {match[0] for match in map(_PACKAGE.match, inputs) if match is not None}
    return sorted(WEB / name for name in found)


def bundle_styles(entry: Path, output: Path) -> None:
    """Bundle a style sheet with all that it imports into one minified file."""
    _esbuild([str(entry)], "--bundle", f"--outfile={output}")


def minify_script(script: Path) -> None:
    """Replace an ES module by a minified one; it is not bundled with what it imports."""
    _esbuild([str(script)], "--format=esm", f"--outfile={script}", "--allow-overwrite")


def _esbuild(entries: Sequence[str], *options: str, is_minified: bool = True) -> None:
    run(
        [
            find_node_tool("esbuild"),
            *entries,
            "--target=es2022",
            *(["--minify"] if is_minified else []),
            "--legal-comments=eof",
            "--log-level=warning",
            *options,
        ],
        folder=WEB,
        otherwise=f"{' and '.join(entries)} could not be bundled: "
        "correct what esbuild says above and run again.",
    )
