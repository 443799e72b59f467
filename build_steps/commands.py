"""The commands of the build: parses one and calls its step."""

from __future__ import annotations

import argparse
import io
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from build_steps import bundle
from build_steps.adopting import adopt
from build_steps.failure import BuildFailed
from build_steps.folders import ROOT
from build_steps.programs import exit_code
from build_steps.runtime import smaller
from build_steps.site import serve
from build_steps.testing import check, matrix, profile, test
from build_steps.web import generated_types
from build_steps.web.packages import install_locked

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

COMMANDS = {
    "serve": "build what is stale and serve the playground",
    "bundle": "make the wheel, the npm package and the site in dist/",
    "test": "bundle, then run the fast tests; with --all, every test",
    "matrix": "run the recorded cases on every host of this machine; write docs/hosts.md",
    "types": "write the TypeScript types of the tools, and the list of all public names",
    "check": "lint, format, types and layers; changes nothing",
    "profile": "note which WebAssembly functions run, and write them down for the bundle",
    "adopt": "pin another version of Pyodide or pydantic, and make and test what follows",
    "bench": "bundle, then measure",
    "clean": "remove what the other commands have made",
}
"""Each command, and what it does."""


def _bench(arguments: Sequence[str]) -> int:
    bundle.make_dist()
    # These packages run in a browser only, so their install scripts are not needed.
    install_locked(
        "bench packages", ROOT / "bench", options=["--ignore-scripts", "--omit=optional"]
    )
    return exit_code([sys.executable, "-m", "bench.run", *arguments])


_PASSED_THROUGH = {"test": test.run, "bench": _bench}

_STEPS: dict[str, Callable[..., int]] = {
    "serve": serve.run,
    "bundle": bundle.run,
    "matrix": matrix.run,
    "types": generated_types.run,
    "check": check.run,
    "profile": profile.run,
    "adopt": adopt.run,
    "clean": bundle.clean,
}
"""The other commands; each takes its options by their names."""


def main(argv: list[str]) -> int:
    """Run one command and return its exit code: 0, or 1 with one sentence of why."""
    _speak_in_order()
    parser = _parser()
    # Arguments after `test` and `bench` are passed on as they are: argparse would reorder them.
    passed_through = _PASSED_THROUGH.get(argv[0]) if argv else None
    try:
        if passed_through is not None and argv[1:2] not in (["-h"], ["--help"]):
            return passed_through(argv[1:])
        options = vars(parser.parse_args(argv))
        return _STEPS[options.pop("command")](**options)
    except BuildFailed as failure:
        print(failure, file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("Stopped.", file=sys.stderr)
        return 130


def _speak_in_order() -> None:
    """Print each line at once, and any sign, also where standard output is a pipe.

    Otherwise lines of this process would come behind those of the programs that it runs.
    """
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(line_buffering=True, errors="backslashreplace")
    # Windows, and a locale of Latin letters, lack signs that test runners print.
    os.environ.setdefault("PYTHONUTF8", "1")


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python build.py", description="Build treeglass.")
    commands = parser.add_subparsers(dest="command", required=True, metavar="command")
    parsers = {name: commands.add_parser(name, help=does) for name, does in COMMANDS.items()}
    parsers["serve"].add_argument("--host", default="127.0.0.1", help="default: %(default)s")
    parsers["serve"].add_argument("--port", type=int, default=8000, help="default: %(default)s")
    single = parsers["bundle"]
    single.add_argument(
        "--single-file",
        dest="has_single_file",
        action="store_true",
        help="also the playground as one file, for file://",
    )
    single.add_argument(
        *("--tree",), type=Path, metavar="DIR|ARCHIVE", help="the tree inside; default: the sample"
    )
    single.add_argument(
        *("--output",),
        type=Path,
        metavar="FILE",
        default=bundle.SINGLE_FILE,
        help="default: dist/treeglass.html",
    )
    single.add_argument(
        "--without",
        action="append",
        choices=smaller.STEPS,
        default=[],
        help="skip a step that makes the first start smaller, to find a fault; repeatable",
    )
    for name, fault in {
        "matrix": "docs/hosts.md differs",
        "types": "the types differ",
        "profile": "the profiles lack a function",
    }.items():
        checked = f"write nothing; fail if {fault}"
        parsers[name].add_argument("--check", action="store_true", help=checked)
    parsers["profile"].add_argument(
        "--anew", action="store_true", help="forget what the profiles list already"
    )
    parsers["adopt"].add_argument("package", choices=adopt.PACKAGES)
    parsers["adopt"].add_argument("version", help="as npm or PyPI has it")
    tests = parsers["test"]
    tests.add_argument("--all", action="store_true", help="run every test, on a complete bundle")
    tests.add_argument("pytest_arguments", nargs="*", help="passed to pytest unchanged")
    parsers["bench"].add_argument("bench_arguments", nargs="*", help="passed on unchanged")
    return parser
