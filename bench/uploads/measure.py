"""The part of the report on trees that a person uploads: their first search, beside the next."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bench.mounting.trees import write_tree
from bench.page import in_page, lay_out
from bench.report import cell, ratio, render_part, table
from bench.runner import Job, Part, run_rounds, say

if TYPE_CHECKING:
    from bench.facts import Facts, Round
    from bench.mounting.trees import MountTree
    from bench.runner import Bench

_SCRIPT = Path(__file__).with_name("uploads.mjs")
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


def _measure(bench: Bench) -> list[Round]:
    trees = [write_tree(bench.folder / str(size), size) for size in _SIZES]
    site = lay_out(bench.folder / "site", _SCRIPT)
    jobs = [Job(_case(tree.file_count), partial(_search, bench, site, tree)) for tree in trees]
    return run_rounds([jobs], bench.run_count)


def _search(bench: Bench, site: Path, tree: MountTree) -> Round:
    path, text = list(tree.samples.items())[1]
    pattern = text.splitlines()[3][5:25]
    args = {"pattern": pattern, "path": "/repo"}
    with bench.open_page(site, _CONTENT) as page:
        page.locator("#archive").set_input_files(tree.zip_file, timeout=0)
        page.locator("#folder").set_input_files(tree.folder, timeout=0)
        in_page(page, _SCRIPT.name, "warm(given)", args)
        found: dict[str, dict[str, Any]] = {}
        for name, kind in _KINDS.items():
            said = in_page(page, _SCRIPT.name, "search(...given)", [kind, args, _REPEATS])
            assert said["answers"] == [f"/repo/{path}"], name
            found[name] = said["figures"]
        said = in_page(page, _SCRIPT.name, "searchByJustBash(...given)", [pattern, _REPEATS])
        assert said["answer"] == f"/repo/{path}\n", said["answer"]
        found[_JUST_BASH] = said["figures"]
    say(f"  {found}")
    return {_case(tree.file_count): found}


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
