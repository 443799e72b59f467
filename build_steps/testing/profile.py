"""`profile`: notes which functions run, for the steps `split` and `bodies`.

First the tests run in an image in which each of Python's functions has its body and notes that it
runs; the functions of the WebAssembly modules do too. The image that is published has stubs
instead, so its memory lies differently, and other functions of the modules run: the recorded cases,
and a search whose code is damaged, run once more in that image.
"""

from __future__ import annotations

import json
import shutil
import time
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from build_steps.bundle import make_dist
from build_steps.failure import BuildFailed
from build_steps.folders import NPM, WEB
from build_steps.freshness import empty_staging_folder, forget_stamp
from build_steps.programs import exit_code, find_program
from build_steps.programs import run as run_program
from build_steps.runtime.assets import STANDARD_LIBRARY, START_NAME, describe
from build_steps.runtime.bytecode import PYODIDE, make_our_bytecode
from build_steps.runtime.smaller import bodies, split
from build_steps.runtime.smaller.split import MODULES
from build_steps.runtime.smaller.trimmed import CODE, SIDE_MODULE, SIDE_MODULE_FILE, make_engine
from build_steps.runtime.start_image import ImageSources, write_start_image
from build_steps.testing.browsers import BROWSERS, make_sure_of_browsers
from build_steps.testing.test import SIDE_BY_SIDE, make_test_environment
from build_steps.web.scripts import start_image_program
from build_steps.wheels.pinned_wheels import runtime_wheels
from build_steps.wheels.wheel import wheel_path

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence
    from pathlib import Path

_Function = TypeVar("_Function", str, int)

_PRELUDE = WEB / "start-image" / "code" / "note-prelude.js"

_BITS_IN_A_NOTE = 30
# As web/start-image/code/instrument-module.ts has it.

_INTERPRETER_NOTES = 400
"""The interpreter has more notes than this, and the side module fewer."""

_RECORDED = ("tests/conformance/test_hosts_agree.py", "tests/edge/test_edge_runtimes.py")

_FAULT = (
    "tests/browser/start/test_damaged_assets.py::"
    "test_a_search_whose_code_is_damaged_names_the_file_until_the_file_is_back"
)
"""A search whose code is missing or damaged: in every other test all code arrives."""

_TESTS = (
    *_RECORDED,
    _FAULT,
    *(
        f"tests/browser/client/test_{name}.py"
        for name in ("client_stories", "client_misuse", "recovery", "shared_runtime")
    ),
    *(
        f"tests/browser/mounts/test_{name}.py"
        for name in (
            *("every_source", "client_archives", "mount_aborts"),
            *("damaged_archives", "real_trees"),
        )
    ),
)
"""What is run: the recorded cases, and the stories of programs and pages."""

_WITH_NOTES = "not deno and not workerd"
"""Deno's programs run without the permission to write notes, and workerd's have no disk."""

_SOME_FAILED = 1
"""An exit code of pytest."""

_NAMED = 12
"""So many functions that a profile lacked are named."""


class Noted(NamedTuple):
    """What has run."""

    modules: dict[str, set[int]]
    """The functions of each module of `MODULES`, by their numbers."""
    start: set[str]
    """The functions of Python that a start runs."""
    calls: set[str]
    """The functions of Python that run later."""


def run(*, check: bool = False, anew: bool = False) -> int:
    """Note which functions run, and write both profiles; with `check`, fail if they lack one.

    What a profile lists already stays in it, unless it is made `anew`: what depends on time does
    not run each time. Of another version, those functions of Python stay that this one still has.
    """
    started_s = time.monotonic()
    make_sure_of_browsers(BROWSERS)
    archives = [PYODIDE / STANDARD_LIBRARY, *runtime_wheels()]
    start, calls = (set[str](), set[str]()) if anew else bodies.read_profile(archives)
    noted = _note(("split", "bodies"), _TESTS, _WITH_NOTES)
    if not noted.start:
        raise BuildFailed("No test has started an interpreter: correct what pytest says above.")
    if not check:
        bodies.write_profile(archives, start | noted.start, calls | noted.calls)
    published = _note(("split",), (*_RECORDED, _FAULT), "node or damaged")
    files = {CODE: PYODIDE / CODE, SIDE_MODULE: SIDE_MODULE_FILE}
    known = {name: set[int]() if anew else split.read_profile(name, files[name]) for name in files}
    ran = {name: noted.modules[name] | published.modules[name] for name in files}
    if not check:
        split.write_profile({name: (files[name], known[name] | ran[name]) for name in files})
    lacking = [_tell(name, ran[name], known[name]) for name in files]
    lacking.append(_tell("Python", noted.start | noted.calls, start | calls))
    if check and any(lacking):
        raise BuildFailed("The profiles lack functions that ran: run `python build.py profile`.")
    done = "lack nothing that ran" if check else "are written: commit them"
    changes = f"{sum(lacking)} functions more" if any(lacking) else "no change"
    print(f"profile.json and bodies.json {done} ({changes}, {time.monotonic() - started_s:.0f} s).")
    return 0


def _tell(name: str, ran: set[_Function], known: set[_Function]) -> int:
    """Print how what ran differs from a profile; return how many functions that lacks."""
    lacking = sorted(map(str, ran - known))
    others = len(known - ran)
    told = f"{len(ran)} functions ran; the profile lacked {len(lacking)}, has {others} more"
    print(f"  {name:<20} {told}")
    if known and lacking:
        print(f"    it lacked {', '.join(lacking[:_NAMED])}")
    return len(lacking)


def _note(without: Collection[str], tests: Sequence[str], chosen: str) -> Noted:
    """Run chosen tests with a package that notes its functions, and without some steps.

    It takes the place of that in `dist/npm/`; the next build makes that anew. Without `bodies`,
    Python's functions are noted too.
    """
    make_dist(is_complete=False, without=without)
    python = make_test_environment()
    # Before the package is changed: whatever happens then, the next build makes it anew.
    forget_stamp("npm package")
    if "bodies" in without:
        _take_noting_image()
    run_program(
        [find_program("node"), start_image_program("code/instrument"), NPM, _PRELUDE],
        otherwise="The package could not be made to note its functions.",
    )
    notes = empty_staging_folder("notes")
    options = ("-q", "--all", *SIDE_BY_SIDE, "-k", chosen)
    pytest: list[str | Path] = [python, "-m", "pytest", *options, *tests]
    environment = {"TREEGLASS_NOTES": str(notes)}
    try:
        code = exit_code(pytest, environment=environment)
        if code == _SOME_FAILED:
            print("Some tests failed, and run again.", flush=True)
            code = exit_code([*pytest, "--last-failed"], environment=environment)
    finally:
        shutil.rmtree(NPM)
    if code != 0:
        raise BuildFailed("Tests fail, so what they run is not known: correct them and run again.")
    return _read(notes)


def _take_noting_image() -> None:
    """Replace the image of the package by one that notes Python's functions."""
    wheels = runtime_wheels()
    ours = make_our_bytecode(wheel_path())
    sources = ImageSources(PYODIDE / STANDARD_LIBRARY, (*wheels, ours))
    folder = empty_staging_folder("noting image")
    make_engine(wheels)
    image = write_start_image(bodies.noting(sources, folder), folder)
    file = NPM / "assets" / START_NAME
    start = json.loads(file.read_text("utf-8"))
    memory = NPM / "assets" / start["image"]["memory"]["path"]
    shutil.copyfile(image.memory, memory)
    start["image"]["memory"] = describe(memory)
    file.write_text(json.dumps(start), "utf-8")


def _read(notes: Path) -> Noted:
    noted = Noted({name: set() for name in MODULES}, set(), set())
    for file in notes.glob("*.json"):
        told = json.loads(file.read_text("utf-8"))
        for bits in told["modules"]:
            noted.modules[CODE if len(bits) > _INTERPRETER_NOTES else SIDE_MODULE].update(
                place * _BITS_IN_A_NOTE + bit
                for place, note in enumerate(bits)
                for bit in range(_BITS_IN_A_NOTE)
                if note >> bit & 1
            )
        # A page's thread has one interpreter, and so one start.
        at_start, _, later = told["ran"].partition("\n\n")
        noted.start.update(filter(None, at_start.splitlines()))
        noted.calls.update(filter(None, later.splitlines()))
    return noted
