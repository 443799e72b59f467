"""Compressed siblings of files that are served, for hosts that send them in their place."""

from __future__ import annotations

import json
import shutil
from typing import TYPE_CHECKING

from build_steps.folders import BUILD, ROOT, tree_files
from build_steps.freshness import sha256_of
from build_steps.programs import find_program, run

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

SUFFIXES = {"br": ".br", "gzip": ".gz"}
"""Each encoding, as HTTP calls it, and how the name of such a sibling ends; the smallest first."""

_SCRIPT = ROOT / "build_steps" / "web" / "compress.mjs"

# Brotli takes 1 to 2 parts in 100 off these, and a second a megabyte to find that out.
_COMPRESSED_ALREADY = frozenset({".png", ".whl", ".woff2", ".zip"})

_MAX_SHARE = 0.95
"""Of a file, that its sibling may be as large as; a larger one is not worth a header."""


def add_compressed_siblings(
    folder: Path, *, step: str, encodings: Iterable[str], is_fast: bool = False
) -> None:
    """Put `NAME.br` and `NAME.gz` beside each file of a folder that is smaller so.

    A sibling that is there already stands.

    Args:
        folder: Files that will be served, each as it is now.
        step: The name of the step that the folder is made by.
        encodings: Keys of `SUFFIXES`.
        is_fast: Whether to compress fast, which makes siblings that are too large to publish.

    Raises:
        BuildFailed: Node.js is missing, or could not do it and has said why.
    """
    wanted = [
        (file, encoding)
        for file in tree_files(folder)
        for encoding in encodings
        if file.suffix not in {*SUFFIXES.values(), *_COMPRESSED_ALREADY}
        and not _sibling(file, encoding).exists()
    ]
    for (file, encoding), result in compress(wanted, step=step, is_fast=is_fast).items():
        if result.stat().st_size <= _MAX_SHARE * file.stat().st_size:
            shutil.copyfile(result, _sibling(file, encoding))


def _sibling(file: Path, encoding: str) -> Path:
    return file.with_name(file.name + SUFFIXES[encoding])


def compress(
    wanted: Iterable[tuple[Path, str]], *, step: str, is_fast: bool = False
) -> dict[tuple[Path, str], Path]:
    """Return where each file lies compressed, by the file and the encoding.

    Brotli at its best takes 4 s for a megabyte. So each result is kept by the
    content of its file, until the step comes by without it.

    Args:
        wanted: Files, each with a key of `SUFFIXES`.
        step: Who asks: what one step keeps, another one does not find.
        is_fast: Whether to compress fast, and not as small as possible; kept apart.

    Raises:
        BuildFailed: Node.js is missing, or could not do it and has said why.
    """
    # Settings that change make another folder: the results would be taken for what they are not.
    name = f"{step}-fast" if is_fast else step
    kept = BUILD / "compressed" / f"{name}-{sha256_of(_SCRIPT)[:8]}"
    kept.mkdir(parents=True, exist_ok=True)
    results = {
        (file, encoding): kept / f"{sha256_of(file)}{SUFFIXES[encoding]}"
        for file, encoding in wanted
    }
    tasks = {
        result: {
            "encoding": encoding,
            "isFast": is_fast,
            "source": str(file),
            "result": str(result),
        }
        for (file, encoding), result in results.items()
        if not result.exists()
    }
    if tasks:
        tasks_file = BUILD / "compressed" / f"{name}.json"
        tasks_file.write_text(json.dumps(list(tasks.values())), encoding="utf-8")
        run(
            [find_program("node"), _SCRIPT, tasks_file],
            otherwise="The files in dist/ could not be compressed: "
            "correct what Node.js says above and run again.",
        )
    for result in set(kept.iterdir()) - set(results.values()):
        result.unlink()
    return results
