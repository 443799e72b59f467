"""Compressed siblings of files that are served, for hosts that send them in their place."""

from __future__ import annotations

import json
import shutil
from typing import TYPE_CHECKING

from build_steps.folders import BUILD, ROOT, tree_files
from build_steps.freshness import sha256_of
from build_steps.precompressed import SUFFIXES
from build_steps.programs import find_program, run

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

_SCRIPT = ROOT / "build_steps" / "compress.mjs"

# Brotli takes 1 to 2 parts in 100 off these, and a second a megabyte to find that out.
_COMPRESSED_ALREADY = frozenset({".png", ".whl", ".woff2", ".zip"})

_MAX_SHARE = 0.95
"""Of a file, that its sibling may be as large as; a larger one is not worth a header."""


def add_compressed_siblings(folder: Path, *, step: str, encodings: Iterable[str]) -> None:
    """Put `NAME.br` and `NAME.gz` beside each file of a folder that is smaller so.

    Brotli at its best takes 4 s for a megabyte. So what was compressed is kept
    by content in `build/`, until the step comes by without it; a sibling that
    is there already stands.

    Args:
        folder: Files that will be served, each as it is now.
        step: The name of the step that the folder is made by.
        encodings: Keys of `SUFFIXES`.

    Raises:
        BuildFailed: Node.js is missing, or could not do it and has said why.
    """
    kept = BUILD / "compressed" / step
    kept.mkdir(parents=True, exist_ok=True)
    results = {
        sibling: (encoding, file, kept / f"{sha256_of(file)}{SUFFIXES[encoding]}")
        for file in _compressible_files(folder)
        for encoding in encodings
        if not (sibling := file.with_name(file.name + SUFFIXES[encoding])).exists()
    }
    _compress(results.values())
    for sibling, (_, file, result) in results.items():
        if result.stat().st_size <= _MAX_SHARE * file.stat().st_size:
            shutil.copyfile(result, sibling)
    for result in set(kept.iterdir()) - {result for _, _, result in results.values()}:
        result.unlink()


def _compressible_files(folder: Path) -> list[Path]:
    others = {*SUFFIXES.values(), *_COMPRESSED_ALREADY}
    return [file for file in tree_files(folder) if file.suffix not in others]


def _compress(results: Iterable[tuple[str, Path, Path]]) -> None:
    tasks = {
        result: {"encoding": encoding, "source": str(file), "result": str(result)}
        for encoding, file, result in results
        if not result.exists()
    }
    if tasks:
        tasks_file = BUILD / "compressed" / "tasks.json"
        tasks_file.write_text(json.dumps(list(tasks.values())), encoding="utf-8")
        run(
            [find_program("node"), _SCRIPT, tasks_file],
            otherwise="The files in dist/ could not be compressed: "
            "correct what Node.js says above and run again.",
        )
