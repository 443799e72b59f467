"""`bundle` makes everything in `dist/`, each part only when it is stale; `clean` removes it."""

from __future__ import annotations

import shutil
import time
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

from build_steps.failure import BuildFailed
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


def run(
    *,
    has_single_file: bool = False,
    tree: Path | None = None,
    output: Path = SINGLE_FILE,
    without: Collection[str] = (),
) -> int:
    """Bundle, make the single file if one is wanted, and print how long it took."""
    if not has_single_file and (tree is not None or output != SINGLE_FILE):
        raise BuildFailed("--tree and --output belong to the single file: add --single-file.")
    started_s = time.monotonic()
    if has_single_file:
        require_sense(tree, output)
    make_dist(without=without)
    if has_single_file:
        make_single_file(tree, output)
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
