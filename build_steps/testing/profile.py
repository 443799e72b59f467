"""`profile`: notes which functions run, for the steps `split` and `bodies`."""

from __future__ import annotations

import json
import shutil

from build_steps.bundle import make_dist
from build_steps.failure import BuildFailed
from build_steps.folders import BUILD, NPM, WEB
from build_steps.freshness import empty_staging_folder, forget_stamp
from build_steps.programs import exit_code, find_program
from build_steps.programs import run as run_program
from build_steps.runtime.assets import STANDARD_LIBRARY, START_NAME, describe
from build_steps.runtime.bytecode import PYODIDE, make_bytecode
from build_steps.runtime.smaller import bodies
from build_steps.runtime.smaller.split import MODULES, write_profile
from build_steps.runtime.smaller.trimmed import CODE, ENGINE_FOLDER, SIDE_MODULE, make_engine
from build_steps.runtime.start_image import ImageSources, write_start_image
from build_steps.testing.browsers import BROWSERS, make_sure_of_browsers
from build_steps.testing.test import SIDE_BY_SIDE, make_test_environment
from build_steps.web.scripts import bundle_script
from build_steps.wheels.pinned_wheels import runtime_wheels
from build_steps.wheels.wheel import wheel_path

_SMALLER_CODE = WEB / "smaller-code"

_BITS_IN_A_NOTE = 30
# As web/smaller-code/instrument-module.ts has it.

_INTERPRETER_NOTES = 400
"""The interpreter has more notes than this, and the side module fewer."""

_TESTS = (
    *("tests/conformance/test_hosts_agree.py", "tests/edge/test_edge_runtimes.py"),
    *(
        f"tests/browser/test_{name}.py"
        for name in (
            *("every_source", "client_stories", "client_archives", "client_misuse"),
            *("recovery", "mount_aborts", "damaged_archives", "shared_runtime", "real_trees"),
        )
    ),
)
"""What is run: the recorded cases, and the stories of programs and pages."""

_WITHOUT_NOTES = "not deno and not workerd"
"""Deno's programs run without the permission to write notes, and workerd's have no disk."""


def run() -> int:
    """Build a package that notes its functions, run the tests with it, and write both profiles.

    The package takes the place of that in `dist/npm/`; the next build makes it anew.

    Raises:
        BuildFailed: No test has started an interpreter.
    """
    make_sure_of_browsers(BROWSERS)
    make_dist(is_complete=False, without=("split", "bodies"))
    python = make_test_environment()
    # Before the package is changed: whatever happens then, the next build makes it anew.
    forget_stamp("npm package")
    sources = _take_noting_image()
    script = BUILD / "staging" / "instrument.mjs"
    bundle_script(_SMALLER_CODE / "instrument.ts", script, platform="node")
    run_program(
        [find_program("node"), script, NPM, _SMALLER_CODE / "note-prelude.js"],
        otherwise="The package could not be made to note its functions.",
    )
    notes = empty_staging_folder("notes")
    try:
        code = exit_code(
            [python, "-m", "pytest", "-q", "--all", *SIDE_BY_SIDE, "-k", _WITHOUT_NOTES, *_TESTS],
            environment={"TREEGLASS_NOTES": str(notes)},
        )
        if code != 0:
            print("Some tests failed: the profile lacks what they would have run.")
    finally:
        shutil.rmtree(NPM)
    interpreter: set[int] = set()
    side_module: set[int] = set()
    start: set[str] = set()
    calls: set[str] = set()
    for file in notes.glob("*.json"):
        noted = json.loads(file.read_text("utf-8"))
        for bits in noted["modules"]:
            (interpreter if len(bits) > _INTERPRETER_NOTES else side_module).update(_noted(bits))
        # A page's thread has one interpreter, and so one start.
        at_start, _, later = noted["ran"].partition("\n\n")
        start.update(at_start.splitlines())
        calls.update(later.splitlines())
    seen = (interpreter, side_module)
    if not side_module or not start:
        raise BuildFailed("No test has started an interpreter: correct what pytest says above.")
    files = {CODE: PYODIDE / CODE, SIDE_MODULE: ENGINE_FOLDER / SIDE_MODULE}
    write_profile(
        {name: (files[name], functions) for name, functions in zip(MODULES, seen, strict=True)}
    )
    bodies.write_profile([sources.library, *runtime_wheels()], start, calls)
    counts = (len(interpreter), len(side_module), len(start | calls))
    for name, count in zip((*MODULES, "Python"), counts, strict=True):
        print(f"  {name:<20} {count} functions run")
    return 0


def _take_noting_image() -> ImageSources:
    """Replace the image of the package by one that notes Python's functions.

    Returns:
        What an image is made of.
    """
    wheels = runtime_wheels()
    ours = make_bytecode("our bytecode", [wheel_path()])
    sources = ImageSources(PYODIDE / STANDARD_LIBRARY, (*wheels, *ours))
    folder = empty_staging_folder("noting image")
    image = write_start_image(bodies.noting(sources, folder), make_engine(wheels, ()), folder)
    file = NPM / "assets" / START_NAME
    start = json.loads(file.read_text("utf-8"))
    memory = NPM / "assets" / start["image"]["memory"]["path"]
    shutil.copyfile(image.memory, memory)
    start["image"]["memory"] = describe(memory)
    file.write_text(json.dumps(start), "utf-8")
    return sources


def _noted(notes: list[int]) -> set[int]:
    return {
        place * _BITS_IN_A_NOTE + bit
        for place, note in enumerate(notes)
        for bit in range(_BITS_IN_A_NOTE)
        if note >> bit & 1
    }
