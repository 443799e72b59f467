"""The tools in a program: the built npm package under Node, Deno or Bun."""

import json
import shutil
import tempfile
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path

from tests.conformance.hosts.job_program import JobProgram
from tests.conformance.hosts.page_jobs import answers_in, job_of
from tests.conformance.scenes import Answer, CannotStage, HostAbout, Scene, ToolCall
from tests.conformance.trees import Json, Tree, write_tree
from tests.support.hosts.edge_support import PACKAGE, command_of, environment, version_of
from tests.support.write_spy import traces_of

_HERE = Path(__file__).parent


class EdgeHost:
    """One program of one runtime that holds one client of the package.

    Args:
        runtime: `node`, `deno` or `bun`.
        name: The host's name, for reports.

    Raises:
        FileNotFoundError: The package is not built.
        RuntimeNotFound: The runtime is not on this machine.
    """

    def __init__(self, runtime: str, name: str) -> None:
        self.name = name
        self._runtime = runtime
        with ExitStack() as stack:
            made = stack.enter_context(tempfile.TemporaryDirectory(prefix="treeglass-edge-"))
            self._folder = Path(made).resolve()
            self._trees = self._folder / "trees"
            self._trees.mkdir()
            page = (_HERE / "browser_page.mjs").read_text("utf-8")
            entry = json.dumps((PACKAGE / "edge.js").as_uri())
            (self._folder / "browser_page.mjs").write_text(
                page.replace('"/index.js"', entry), "utf-8"
            )
            module = self._folder / "edge_program.mjs"
            shutil.copyfile(_HERE / "edge_program.mjs", module)
            command = command_of(runtime, module, readable=[self._trees])
            self._program = JobProgram(name, command, environment=environment())
            stack.callback(self._program.close)
            self._stack = stack.pop_all()

    def answer(self, scene: Scene, calls: Sequence[ToolCall]) -> list[Answer | Exception]:
        """Mount the scene's tree through the public API and make every call.

        Raises:
            CannotStage: The package has no way to mount such a tree, or refuses to.
        """
        return answers_in(self._program.ask(self._job(scene, calls)))

    def about(self) -> HostAbout:
        """Return the runtime's version, and the client's time from `connect` to its readiness."""
        return HostAbout(version=version_of(self._runtime), start_ms=self._program.ask("startMs"))

    def close(self) -> None:
        """Let the program end; it must do so by itself and without a complaint."""
        self._stack.close()

    def _job(self, scene: Scene, calls: Sequence[ToolCall]) -> Json:
        return job_of(scene, calls, "image")


class DirectoryHost(EdgeHost):
    """The same over folders of the machine, as CPython has them; no call may write there."""

    def __init__(self, runtime: str, name: str) -> None:
        super().__init__(runtime, name)
        self._bases: dict[Tree, Path] = {}

    def answer(self, scene: Scene, calls: Sequence[ToolCall]) -> list[Answer | Exception]:
        """As of every host; and make sure that no write reaches what was mounted."""
        job = self._job(scene, calls)
        base = self._base(scene.tree)
        before = traces_of(base)
        answers = answers_in(self._program.ask(job))
        assert traces_of(base) == before
        return answers

    def _job(self, scene: Scene, calls: Sequence[ToolCall]) -> Json:
        if scene.unprivileged:
            message = "permission bits may not bind the user who started the program"
            raise CannotStage(message)
        job = super()._job(scene, calls)
        return {**job, "source": {"directory": str(self._base(scene.tree) / "project")}}

    def _base(self, tree: Tree) -> Path:
        if tree not in self._bases:
            base = Path(tempfile.mkdtemp(dir=self._trees))
            try:
                write_tree(tree, base)
            except OSError as error:
                raise CannotStage(error.strerror) from error
            self._bases[tree] = base
        return self._bases[tree]
