"""`bundle` makes everything in `dist/`, each part only when it is stale; `clean` removes it."""

from __future__ import annotations

import shutil
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import TYPE_CHECKING

from build_steps.folders import BUILD, DIST, ROOT, WEB
from build_steps.freshness import note_sources
from build_steps.npm.npm_package import make_npm_package
from build_steps.runtime.assets import make_assets
from build_steps.site.documentation import make_documentation
from build_steps.site.playground import make_site
from build_steps.site.single_file.make import make_single_file, require_sense
from build_steps.web.packages import install_web_packages
from build_steps.wheels.wheel import make_wheel

if TYPE_CHECKING:
    from collections.abc import Callable, Collection
    from pathlib import Path


SOURCES_OF_DIST = BUILD / "sources-of-dist.json"
"""What `dist/` was made from, for `npm test` in `web/`, which builds nothing."""

_SOURCES = (
    *("pyproject.toml", "build_steps", "src/treeglass", "web/package.json", "web/src"),
    *("web/start-image/memory", "web/start-image/code"),
)

SINGLE_FILE = DIST / "treeglass.html"


@dataclass(frozen=True, slots=True, kw_only=True)
class SingleFile:
    """The options of `--single-file`."""

    tree: Path | None = None
    """A directory or an archive; None for the sample tree."""
    output: Path = SINGLE_FILE


def run(single_file: SingleFile | None = None, *, without: Collection[str] = ()) -> int:
    """Bundle, make the single file if one is wanted, and print how long it took."""
    started_s = time.monotonic()
    if single_file is not None:
        require_sense(single_file.tree, single_file.output)
    make_dist(without=without)
    if single_file is not None:
        make_single_file(single_file.tree, single_file.output)
    print(f"dist/ is ready, after {time.monotonic() - started_s:.1f} s.", flush=True)
    return 0


def make_dist(*, is_complete: bool = True, without: Collection[str] = ()) -> None:
    """Bring `dist/` up to date.

    Args:
        is_complete: True to make everything as it is published. A light `dist/` is for tests
            only: it has no documentation, and its files are compressed fast.
        without: Steps of `build_steps.runtime.smaller` to skip.

    Raises:
        BuildFailed: A step failed; its old output stays in `dist/`.
    """

    def make_package() -> None:
        make_assets(without)
        make_npm_package()

    side_by_side(make_wheel, install_web_packages)
    if is_complete:
        side_by_side(make_package, make_documentation)
    else:
        make_package()
    make_site(is_complete=is_complete)
    note_sources(SOURCES_OF_DIST, [ROOT / name for name in _SOURCES])


def side_by_side(*steps: Callable[[], object]) -> None:
    """Run independent steps at the same time, each to its end.

    Raises:
        BuildFailed: A step failed; the first of the arguments, if several did.
    """
    with ThreadPoolExecutor() as threads:
        for step in [threads.submit(step) for step in steps]:
            step.result()


def clean() -> int:
    """Remove build products; what was fetched (`.cache/`, `node_modules/`) stays."""
    for folder in (DIST, BUILD, WEB / "build", ROOT / "test-results"):
        if folder.exists():
            shutil.rmtree(folder)
            print(f"  removed {folder.relative_to(ROOT).as_posix()}/")
    return 0
