"""The build's one door: every command that a newcomer needs, each by its name.

Parses the command and calls its step in `build_steps/`; knows nothing else.
"""

from __future__ import annotations

import argparse
import sys

from build_steps import bench, bundle, check, clean, serve, test
from build_steps.failure import BuildFailed

_PASSED_THROUGH = {"test": test.run, "bench": bench.run}


def main(argv: list[str]) -> int:
    """Run one command and return its exit code: 0, or 1 with one sentence of why."""
    parser = _parser()
    # What follows `test` or `bench` belongs to another program, order and all,
    # which argparse would reorder.
    passed_through = _PASSED_THROUGH.get(argv[0]) if argv else None
    try:
        if passed_through is not None and argv[1:2] not in (["-h"], ["--help"]):
            return passed_through(argv[1:])
        arguments = parser.parse_args(argv)
        if arguments.command == "serve":
            return serve.run(host=arguments.host, port=arguments.port)
        return {"bundle": bundle.run, "check": check.run, "clean": clean.run}[arguments.command]()
    except BuildFailed as failure:
        print(failure, file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("Stopped.", file=sys.stderr)
        return 130


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="uv run build.py", description="Build treeglass.")
    commands = parser.add_subparsers(dest="command", required=True, metavar="command")
    serving = commands.add_parser("serve", help="build what is stale and serve the playground")
    serving.add_argument("--host", default="127.0.0.1", help="address (default: %(default)s)")
    serving.add_argument("--port", type=int, default=8000, help="port (default: %(default)s)")
    commands.add_parser("bundle", help="make the wheel, the npm package and the site in dist/")
    testing = commands.add_parser("test", help="bundle, then test what was built")
    testing.add_argument("pytest_arguments", nargs="*", help="passed to pytest as they are")
    commands.add_parser("check", help="lint, format, types and layers; changes nothing")
    benching = commands.add_parser("bench", help="bundle, then measure")
    benching.add_argument("bench_arguments", nargs="*", help="passed to bench/run.py as they are")
    commands.add_parser("clean", help="remove what the other commands have made")
    return parser


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
