"""The tools on CPython: the installed package over directories on a disk."""

import errno
import os
import platform
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path

from tests.conformance.scenes import CHANGES, Answer, CannotStage, HostAbout, Scene, ToolCall
from tests.conformance.trees import MOUNT_POINT, Tree, write_tree
from tests.support.hosts.privileges_support import without_privileges
from treeglass import Config, ToolRegistry, ToolResult, Workspace
from treeglass.workspace.host import HostFileSystem

_READY = """\
import sys
from treeglass import ToolRegistry, Workspace

ToolRegistry(Workspace({"/project": sys.argv[1]})).list_tools()
"""


class CPythonHost:
    """CPython and the filesystem of the operating system."""

    name = "cpython"

    def __init__(self) -> None:
        # Not pytest's temporary directory: that one is closed to everyone but
        # its owner, and some cases run as another user.
        self._directory = Path(tempfile.mkdtemp(prefix="treeglass-conformance-"))
        self._directory.chmod(0o755)
        self._bases: dict[Tree, Path] = {}
        self._closed: list[Path] = []

    def answer(self, scene: Scene, calls: Sequence[ToolCall]) -> list[Answer | Exception]:
        """Mount the scene's tree from the disk and make every call.

        Raises:
            CannotStage: The disk cannot hold the tree, or no unprivileged user exists here.
        """
        root = str(self._base(scene.tree) / "project")
        file_system = FaultyFileSystem(root, scene.faults) if scene.faults else None
        workspace = Workspace(
            {MOUNT_POINT: root}, project_root=MOUNT_POINT, file_system=file_system
        )
        registry = ToolRegistry(workspace, Config.from_object(scene.config))
        with without_privileges() if scene.unprivileged else nullcontext():
            return [_answer(registry, call) for call in calls]

    def _base(self, tree: Tree) -> Path:
        if tree not in self._bases:
            base = Path(tempfile.mkdtemp(dir=self._directory))
            base.chmod(0o755)
            try:
                write_tree(tree, base)
            except OSError as error:
                raise CannotStage(error.strerror) from error
            self._bases[tree] = base
            closed = [path for path, node in tree if node.mode is not None]
            self._closed += [base / "project" / os.fsdecode(path) for path in closed]
        return self._bases[tree]

    def about(self) -> HostAbout:
        """Return the interpreter's version, and the time of a new process until it is ready."""
        command = [sys.executable, "-c", _READY, str(self._directory)]
        started_s = time.perf_counter()
        subprocess.run(command, check=True)  # our own text
        return HostAbout(
            version=f"CPython {platform.python_version()}",
            start_ms=(time.perf_counter() - started_s) * 1000,
        )

    def close(self) -> None:
        """Remove the trees from the disk."""
        for path in self._closed:
            path.chmod(0o755)
        shutil.rmtree(self._directory)


class FaultyFileSystem(HostFileSystem):
    """The operating system's filesystem, with some paths that fail."""

    def __init__(self, root: str, faults: Mapping[str, Mapping[str, str]]) -> None:
        self._faults = {
            operation: {f"{root}/{path}": name for path, name in paths.items()}
            for operation, paths in faults.items()
        }

    def _fail(self, operation: str, path: str) -> None:
        name = self._faults.get(operation, {}).get(path)
        if name == "OTHER":
            message = "a fault that is no error of the operating system"
            raise RuntimeError(message)
        if name is not None:
            number = getattr(errno, name)
            raise OSError(number, os.strerror(number), path)

    def lstat(self, path: str, held: int | None = None) -> os.stat_result:
        """Inspect an entry, or fail with the error set for its path."""
        self._fail("lstat", path)
        return super().lstat(path, held)

    def scandir(self, path: str) -> AbstractContextManager[Iterator[os.DirEntry[str]]]:
        """Open a directory for listing, or fail with the error set for its path."""
        self._fail("readdir", path)
        return super().scandir(path)


def _answer(registry: ToolRegistry, call: ToolCall) -> Answer | Exception:
    try:
        if call is CHANGES:
            manifest = registry.workspace.overlay.manifest()
            registry.workspace.overlay.discard()
            return Answer.of_manifest(manifest)
        result = registry.call_tool(
            call.tool,
            call.arguments,
            time_ms=call.time_ms,
            max_output_bytes=call.max_output_bytes,
            available_capacity_bytes=call.available_capacity_bytes,
            working_dir=call.working_dir,
        )
    except Exception as raised:  # noqa: BLE001  # one call that raises must not hide the others
        return raised
    return _from_result(result)


def _from_result(result: ToolResult) -> Answer:
    error = result.error
    return Answer(
        content=result.content,
        structured_content=result.structured_content,
        is_error=result.is_error,
        error_kind=None if error is None else error.kind,
        error_message=None if error is None else error.message,
        truncated=result.truncated,
        next_arguments=result.next_arguments,
        warnings=result.warnings,
    )
