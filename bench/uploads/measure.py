"""The part of the report on trees that a person uploads: their first search, beside the next."""

from __future__ import annotations

import shutil
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bench.mounting.trees import write_tree
from bench.page import browser_version, bundle_just_bash, in_page, open_fresh_page
from bench.report import cell, ratio, render_part, table
from bench.runner import Job, Part, run_rounds, say
from build_steps.folders import NPM

if TYPE_CHECKING:
    from bench.facts import Facts, Round
    from bench.mounting.trees import MountTree
    from bench.runner import Bench

_PAGE = Path(__file__).parent / "page"
_SCRIPT = "uploads.mjs"
_CONTENT = (
    b'<!doctype html><title>bench</title><link rel="icon" href="data:,">'
    b'<input type="file" id="archive"><input type="file" id="folder" webkitdirectory>'
)
_SIZES = (4_000, 20_000)
_REPEATS = 3
_BYTES, _FILE, _FOLDER, _JUST_BASH = "zip, bytes", "zip, `File`", "folder", "just-bash"
_KINDS = {_BYTES: "bytes", _FILE: "file", _FOLDER: "folder"}

_METHOD = (
    "A tree is mounted, searched by `grep_files` and searched again, each from the page and back "
    "to it; the code of searches was fetched before.\n"
    f"{_JUST_BASH} runs `grep -rl` over the same files in memory; its figure is the median of "
    f"{_REPEATS} searches.\n"
    "The answers were found to name the same file."
)


def _measure(bench: Bench) -> tuple[list[Round], list[str]]:
    trees = []
    for size in _SIZES:
        say(f"writing the tree of {size:,} files")
        (bench.folder / str(size)).mkdir()
        trees.append(write_tree(bench.folder / str(size), size))
    site = bench.folder / "site"
    shutil.copytree(NPM, site / "npm")
    shutil.copyfile(_PAGE / _SCRIPT, site / _SCRIPT)
    bundle_just_bash(site)
    about: list[str] = []
    jobs = [
        Job(f"{tree.file_count:,} files", partial(_search, bench, site, tree, about))
        for tree in trees
    ]
    rounds = run_rounds([jobs], bench.run_count)
    return rounds, list(dict.fromkeys(about))


def _search(bench: Bench, site: Path, tree: MountTree, about: list[str]) -> Round:
    path, text = list(tree.samples.items())[1]
    pattern = text.splitlines()[3][5:25]
    args = {"pattern": pattern, "path": "/repo"}
    case = _case(tree.file_count)
    with open_fresh_page(bench.playwright, site, _CONTENT) as page:
        about.append(browser_version(page))
        page.locator("#archive").set_input_files(tree.zip_file, timeout=0)
        page.locator("#folder").set_input_files(tree.folder, timeout=0)
        in_page(page, _SCRIPT, "warm(given)", args)
        found: dict[str, dict[str, Any]] = {}
        for name, kind in _KINDS.items():
            said = in_page(page, _SCRIPT, "search(...given)", [kind, args, _REPEATS])
            assert said.pop("answers") == [f"/repo/{path}"], name
            found[name] = {
                "mount_ms": said["mountMs"],
                "first_ms": said["firstMs"],
                "repeated_ms": said["repeatedMs"],
            }
        said = in_page(page, _SCRIPT, "searchByJustBash(...given)", [pattern, _REPEATS])
        assert said["answer"] == f"/repo/{path}\n", said["answer"]
        found[_JUST_BASH] = {"repeated_ms": said["takenMs"]}
    say(f"  {found}")
    return {case: found}


def _case(file_count: int) -> str:
    return f"{file_count:,} files"


def _render(facts: Facts) -> str:
    rows = []
    for case in map(_case, _SIZES):
        theirs = (case, _JUST_BASH, "repeated_ms")
        for name in (*_KINDS, _JUST_BASH):
            first = (case, name, "first_ms")
            rows.append(
                [
                    f"{case}, {name}",
                    *(cell(facts, case, name, what) for what in ("mount_ms", "first_ms")),
                    cell(facts, case, name, "repeated_ms"),
                    ratio(facts, first, (case, _BYTES, "first_ms")),
                    ratio(facts, first, (case, name, "repeated_ms")),
                    ratio(facts, first, theirs),
                ]
            )
    head = ["Tree", "mount", "first search", "repeated"]
    ratios = ["first to that of bytes", "first to repeated", f"first to {_JUST_BASH}"]
    return render_part(facts, _METHOD, table([*head, *ratios], rows))


UPLOADS = Part("Uploads", 5, _measure, _render)
