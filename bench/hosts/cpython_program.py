"""The session of CPython: reads its task from stdin, prints as `program.mjs` does.

Run as a script with the built wheel on PYTHONPATH.
"""

from __future__ import annotations

import json
import sys
import time
from typing import Any

from treeglass import Config, ToolRegistry, Workspace


def main() -> None:
    """Print the first answer, then time each call, repeated."""
    task: dict[str, Any] = json.load(sys.stdin)
    registry = ToolRegistry(Workspace(task["directories"]), Config.from_object(task["config"]))

    def call(tool: str, arguments: dict[str, Any]) -> str:
        budget: int = task["maxOutputBytes"]
        result = registry.call_tool(tool, arguments, max_output_bytes=budget)
        assert not result.is_error, result.content
        return result.content

    print(json.dumps({"first": call(*task["firstCall"])}), flush=True)
    works = []
    for work in task["works"]:
        answer = call(work["tool"], work["arguments"])
        before_s = time.perf_counter()
        for _ in range(work["repeats"]):
            call(work["tool"], work["arguments"])
        taken_ms = (time.perf_counter() - before_s) * 1000 / work["repeats"]
        works.append({"takenMs": taken_ms, "answer": answer})
    print(json.dumps({"works": works}))


main()
