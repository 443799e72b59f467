"""Compressed siblings of served files, for hosts that send these instead."""

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

# Brotli makes these 1 to 2 % smaller, and takes a second for each megabyte.
_COMPRESSED_ALREADY = frozenset({".png", ".whl", ".woff2", ".zip"})

_MAX_SHARE = 0.95
"""A sibling that is larger than this share of its file is not worth a header."""


def add_compressed_siblings(
    folder: Path, *, step: str, encodings: Iterable[str], is_fast: bool = False
) -> None:
    """Put `NAME.br` and `NAME.gz` beside each file of a folder that they are smaller than.

    A sibling that exists is kept. Compressed fast, siblings are too large to publish.
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
    """Compress files, each by an encoding of `SUFFIXES`, and return the path of each result.

    Brotli at its best takes 4 s for a megabyte. So each result is kept by the content of its
    file, until a call for the same step does not ask for it. Fast results are kept apart.
    """
    # Named for the script, since results of other settings must not be taken for these.
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
        # The largest first: the last one to end keeps a single core busy.
        for (file, encoding), result in sorted(
            results.items(), key=lambda task: task[0][0].stat().st_size, reverse=True
        )
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
