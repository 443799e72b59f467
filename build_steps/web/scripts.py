"""Bundle TypeScript into JavaScript, by the esbuild that `web/` pins."""

from __future__ import annotations

from typing import TYPE_CHECKING

from build_steps.folders import ROOT, WEB
from build_steps.programs import find_node_tool, run

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path


def bundle_script(
    entry: Path,
    output: Path,
    *,
    platform: str = "browser",
    module_format: str = "esm",
    external: Sequence[str] = (),
) -> None:
    """Bundle an entry with all that it imports into one minified file, an ES module by default.

    `import.meta.url` is not changed, so that an entry finds the files beside it wherever the
    folder is served.

    There are no source maps: they would be several times as large as the code, and the sources
    are one `git clone` away.

    Args:
        entry: A TypeScript module.
        output: The JavaScript file that it becomes.
        platform: Where it runs: `browser` or `node`.
        module_format: `esm`, or `iife` for a classic script.
        external: Packages that it imports where it runs, and does not contain.

    Raises:
        BuildFailed: The entry does not bundle; esbuild has said why.
    """
    left_out = [f"--external:{package}" for package in external]
    options = [f"--platform={platform}", f"--format={module_format}", f"--outfile={output}"]
    _bundle(entry, *options, *left_out)


def bundle_in_chunks(entry: Path, folder: Path) -> None:
    """Bundle an entry for the browser, with a chunk for each module that it imports on demand.

    `main.ts` becomes `main.js`, and each chunk is named for its content. Chunks lie in the same
    folder as the entry, since code that looks for neighbouring files may be in any of them.

    Args:
        entry: A TypeScript module.
        folder: The folder for all of them.

    Raises:
        BuildFailed: The entry does not bundle; esbuild has said why.
    """
    chunks = ["--splitting", "--chunk-names=[name]-[hash]"]
    _bundle(entry, "--platform=browser", "--format=esm", *chunks, f"--outdir={folder}")


def minify_script(script: Path) -> None:
    """Replace an ES module by a minified one; it is not bundled with what it imports.

    Raises:
        BuildFailed: It does not parse; esbuild has said why.
    """
    _esbuild(script, "--format=esm", f"--outfile={script}", "--allow-overwrite")


def _bundle(entry: Path, *options: str) -> None:
    # A custom element takes its style sheets as texts.
    _esbuild(entry, "--bundle", "--loader:.css=text", *options)


def _esbuild(entry: Path, *options: str) -> None:
    run(
        [
            find_node_tool("esbuild"),
            str(entry),
            "--target=es2022",
            "--minify",
            "--legal-comments=eof",
            "--log-level=warning",
            *options,
        ],
        folder=WEB,
        otherwise=f"{entry.relative_to(ROOT).as_posix()} could not be bundled: "
        "correct what esbuild says above and run again.",
    )
