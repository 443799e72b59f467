"""Run a step again only if the content of its inputs changed, and put its output in place whole.

Modification times would not do: a checkout, a branch switched there and back, or an unpacked
archive makes every file new.
"""

from __future__ import annotations

import hashlib
import json
import shutil
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING

from build_steps.failure import BuildFailed
from build_steps.folders import BUILD, ROOT, tree_files

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from pathlib import Path

_STAMPS = BUILD / "stamps"

_LIGHT = "light"


def remake_when_stale(
    step: str,
    *,
    inputs: Iterable[Path],
    outputs: Iterable[Path],
    make: Callable[[], None],
    is_complete: bool = True,
) -> bool:
    """Call `make` unless its outputs exist and its inputs are unchanged.

    Prints one line on what was done. An interrupted `make` leaves no stamp, so the next run
    calls it again.

    Args:
        step: The name of the step, and of its stamp.
        inputs: Every file that decides the result; the modules of `build_steps/` are added.
        outputs: Files or folders that must exist afterwards.
        make: Makes them.
        is_complete: True if `make` makes the outputs as they are published. A complete output
            also counts as a light one, and a light one never as complete.

    Returns:
        True if `make` was called.
    """
    stamp = _stamp_of(step)
    fingerprint = content_fingerprint([*inputs, *tree_files(ROOT / "build_steps")])
    good_stamps = {fingerprint} if is_complete else {fingerprint, f"{fingerprint} {_LIGHT}"}
    is_recorded = stamp.is_file() and stamp.read_text(encoding="utf-8") in good_stamps
    if is_recorded and all(output.exists() for output in outputs):
        print(f"  {step:<16} up to date")
        return False
    stamp.unlink(missing_ok=True)
    started_s = time.monotonic()
    make()
    stamp.parent.mkdir(parents=True, exist_ok=True)
    stamp.write_text(fingerprint if is_complete else f"{fingerprint} {_LIGHT}", encoding="utf-8")
    print(f"  {step:<16} made in {time.monotonic() - started_s:.1f} s", flush=True)
    return True


def remake_folder(
    step: str,
    folder: Path,
    *,
    inputs: Iterable[Path],
    write: Callable[[Path], object],
    is_complete: bool = True,
) -> bool:
    """Call `write` with a new empty folder, and put that in place, unless it would be the same.

    The step, its inputs and the result are as for `remake_when_stale`.
    """

    def make() -> None:
        staging = empty_staging_folder(step)
        write(staging)
        put_in_place(staging, folder)

    return remake_when_stale(
        step, inputs=inputs, outputs=[folder], make=make, is_complete=is_complete
    )


def _stamp_of(step: str) -> Path:
    return _STAMPS / f"{step}.sha256"


def forget_stamp(step: str) -> None:
    """Make the next build make a step's outputs anew."""
    _stamp_of(step).unlink(missing_ok=True)


def content_fingerprint(paths: Iterable[Path], *, below: Path | None = None) -> str:
    """Return one SHA-256 over the names and the contents of files; their order does not matter.

    The names are relative to the root of the project, or to another folder.
    """
    whole = hashlib.sha256()
    named = {path.relative_to(below or ROOT).as_posix(): path for path in paths}
    # By the names between slashes: Windows sorts paths without regard to case.
    for name in sorted(named, key=lambda name: name.split("/")):
        whole.update(f"{sha256_of(named[name])} {name}\n".encode())
    return whole.hexdigest()


def sha256_of(path: Path) -> str:
    """Return the SHA-256 of a file as 64 hexadecimal digits."""
    with path.open("rb") as content:
        return hashlib.file_digest(content, "sha256").hexdigest()


def note_sources(file: Path, folders: Iterable[Path]) -> None:
    """Write down the content of source files, so that a program can tell whether they changed.

    The JSON object has the folders or single files, and the SHA-256 of each file, by their names
    below the root of the project.
    """
    listed = list(folders)
    files = [path for one in listed for path in (tree_files(one) if one.is_dir() else [one])]
    about = {
        "folders": [one.relative_to(ROOT).as_posix() for one in listed],
        "files": {path.relative_to(ROOT).as_posix(): sha256_of(path) for path in files},
    }
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(json.dumps(about, indent=1) + "\n", encoding="utf-8", newline="\n")


def choice_file(step: str, *, is_taken: bool) -> Path:
    """Return a file whose content says whether a step is taken, as an input of what it decides."""
    return input_file(f"{step}.txt", f"{is_taken}\n")


def input_file(name: str, text: str) -> Path:
    """Return a file of `build/inputs/` that holds a text, as an input of steps."""
    file = BUILD / "inputs" / name
    if not file.is_file() or file.read_text(encoding="utf-8") != text:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8", newline="\n")
    return file


def empty_staging_folder(name: str) -> Path:
    """Return a new empty folder under `build/staging/`, for output that is not finished."""
    staging = BUILD / "staging" / name
    shutil.rmtree(staging, ignore_errors=True)
    staging.mkdir(parents=True)
    return staging


def put_in_place(staging: Path, final: Path) -> None:
    """Replace a folder with a finished one.

    Raises:
        BuildFailed: The old folder is in use and cannot be moved; it stays whole.
    """
    old = BUILD / "staging" / f"{final.name}.old"
    shutil.rmtree(old, ignore_errors=True)
    final.parent.mkdir(parents=True, exist_ok=True)
    old.parent.mkdir(parents=True, exist_ok=True)
    try:
        if final.exists():
            # Moved aside first: deleting it in place could stop half-way.
            final.rename(old)
        staging.rename(final)
    except OSError as refusal:
        raise BuildFailed(
            f"{final.relative_to(ROOT).as_posix()} cannot be replaced ({refusal.strerror}): "
            "end the program that uses it, such as another `build.py serve`, and run again."
        ) from refusal
    shutil.rmtree(old, ignore_errors=True)


@contextmanager
def only_process(name: str) -> Iterator[None]:
    """Hold a lock of that name, so that one process at a time works in a folder of `build/`.

    The lock is released when the process ends in any way.

    Raises:
        RuntimeError: A thread entered the same context twice, and would wait for itself.
    """
    # Not at the top: this import takes longer than all those of a build with nothing to do.
    from filelock import FileLock  # noqa: PLC0415

    locks = BUILD / "locks"
    locks.mkdir(parents=True, exist_ok=True)
    with FileLock(locks / f"{name}.lock"):
        yield
