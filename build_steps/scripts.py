"""TypeScript to one JavaScript module per entry, by the esbuild that `web/` pins."""

from __future__ import annotations

from typing import TYPE_CHECKING

from build_steps.folders import ROOT, WEB
from build_steps.programs import find_node_tool, run

if TYPE_CHECKING:
    from pathlib import Path


def bundle_script(entry: Path, output: Path, *, platform: str = "browser") -> None:
    """Bundle an entry with all that it imports into one minified ES module.

    `new URL("./worker.js", import.meta.url)` stays as it is written, so an
    entry finds what lies beside it wherever the folder is served.

    There are no source maps: they would be several times the size of the code,
    hold its sources a second time, and the sources are one `git clone` away.

    Args:
        entry: A TypeScript module.
        output: The JavaScript module that it becomes.
        platform: Where that runs: `browser` or `node`.

    Raises:
        BuildFailed: The entry does not bundle; esbuild has said why.
    """
    run(
        [
            find_node_tool("esbuild"),
            str(entry),
            "--bundle",
            "--format=esm",
            "--target=es2022",
            f"--platform={platform}",
            "--minify",
            "--legal-comments=eof",
            "--log-level=warning",
            f"--outfile={output}",
        ],
        folder=WEB,
        otherwise=f"{entry.relative_to(ROOT).as_posix()} could not be bundled: "
        "correct what esbuild says above and run again.",
    )
