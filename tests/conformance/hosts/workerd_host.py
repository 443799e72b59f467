"""The tools in workerd: a Worker with the built npm package, asked over HTTP."""

import json
import tempfile
import time
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path

from tests.conformance.hosts.page_jobs import answers_in, job_of
from tests.conformance.scenes import Answer, HostAbout, Scene, ToolCall
from tests.support.hosts.workerd_support import serving, workerd_version

_HERE = Path(__file__).parent

_WORKER = """\
import { connect } from "./index.js";
import { answerCalls } from "./browser_page.mjs";
export default {
  async fetch(request) {
    if (request.method === "GET") {
      const client = await connect();
      await client.close();
      return Response.json(client.start.way);
    }
    return new Response(await answerCalls(await request.json()));
  },
};
"""


class WorkerdHost:
    """One workerd with one Worker that holds one client of the package."""

    name = "workerd"

    def __init__(self) -> None:
        modules = {
            "worker.mjs": _WORKER,
            "browser_page.mjs": (_HERE / "browser_page.mjs").read_text("utf-8"),
            "index.js": 'export { connect } from "./treeglass/workerd.js";\n',
        }
        with ExitStack() as stack:
            folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
            self._workerd = stack.enter_context(serving(folder, modules))
            # By the clock of this side: that of a Worker stands still while it computes.
            started_s = time.monotonic()
            assert self._workerd.ask("/") == "image"
            self._start_ms = (time.monotonic() - started_s) * 1000
            self._stack = stack.pop_all()

    def answer(self, scene: Scene, calls: Sequence[ToolCall]) -> list[Answer | Exception]:
        """Mount the scene's tree through the public API and make every call.

        Raises:
            CannotStage: The package has no way to mount such a tree, or refuses to.
        """
        return answers_in(json.dumps(self._workerd.ask("/", job_of(scene, calls, "image"))))

    def about(self) -> HostAbout:
        """Return workerd's version, and the time of the request that started the interpreter."""
        return HostAbout(version=workerd_version(), start_ms=self._start_ms)

    def close(self) -> None:
        """End the process; one that complained fails here."""
        self._stack.close()
