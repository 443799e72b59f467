"""Programs that tests run to their end, and the built npm package installed for them."""

import subprocess
from collections.abc import Mapping
from pathlib import Path

from build_steps.folders import BUILD, NODE_MODULES, NPM, tree_files
from build_steps.freshness import only_process, remake_folder
from build_steps.programs import find_node_tool, find_program

OVER_LINKS = ("--preserve-symlinks", "--preserve-symlinks-main")
"""Options of a Node that looks for libraries beside the link to the package."""


def run(
    *command: str | Path,
    folder: Path | None = None,
    env: Mapping[str, str] | None = None,
    given: str = "",
    timeout: float | None = None,
) -> subprocess.CompletedProcess[str]:
    """Run a program to its end, and keep what it prints.

    Args:
        command: The program, and its arguments.
        folder: The folder that it starts in; ours by default.
        env: Its whole environment; ours by default.
        given: The text that it can read.
        timeout: The seconds after which it is ended and the test fails.
    """
    return subprocess.run(
        command,
        cwd=folder,
        env=env,
        input=given,
        timeout=timeout,
        capture_output=True,
        encoding="utf-8",
        check=False,
    )


def printed_by(
    *command: str | Path,
    folder: Path | None = None,
    env: Mapping[str, str] | None = None,
    given: str = "",
    timeout: float | None = None,
) -> str:
    """Run a program that must succeed, and return what it prints.

    Raises:
        AssertionError: It fails; the message is all that it has printed.
    """
    ran = run(*command, folder=folder, env=env, given=given, timeout=timeout)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    return ran.stdout


def write_program(path: Path, script: str = "") -> Path:
    """Write a program of the shell that stands for another one."""
    path.write_text(f"#!/bin/sh\n{script}", "utf-8")
    path.chmod(0o755)
    return path


def check_types(*options: str | Path, folder: Path) -> subprocess.CompletedProcess[str]:
    """Have TypeScript check modules in a folder as strictly as it can."""
    strict = ("--noEmit", "--strict", "--target", "es2022")
    return run(find_node_tool("tsc"), *strict, *options, folder=folder)


TYPES_OF_EXAMPLES = (
    *("--module", "esnext", "--moduleResolution", "bundler", "--types", ""),
    # A link would lead to a place without a library beside the package.
    *("--lib", "es2023,dom,dom.iterable", "--skipLibCheck", "--preserveSymlinks"),
    *("--allowImportingTsExtensions", "--exactOptionalPropertyTypes"),
)
"""Options of TypeScript for an example of the documentation, beside the built package."""


def pack_npm() -> Path:
    """Pack the built npm package as npm would publish it, and return the archive."""
    packing = (find_program("npm"), "pack", "--silent", "--pack-destination")
    folder = BUILD / "packed"

    def write(staging: Path) -> None:
        printed_by(*packing, staging, folder=NPM)

    with only_process("packed"):
        remake_folder("packed", folder, inputs=tree_files(NPM), write=write)
    (archive,) = folder.iterdir()
    return archive


def install_package(folder: Path, *, has_libraries: bool = False) -> Path:
    """Link the built npm package to where npm would install it, and return that place.

    Args:
        folder: The folder of the program that imports it.
        has_libraries: True if the libraries that its adapters import are beside it.
    """
    modules = folder / "node_modules"
    modules.mkdir(parents=True, exist_ok=True)
    for installed in NODE_MODULES.iterdir() if has_libraries else ():
        (modules / installed.name).symlink_to(installed)
    installed = modules / "treeglass"
    if not installed.exists():
        installed.symlink_to(NPM, target_is_directory=True)
    return installed
