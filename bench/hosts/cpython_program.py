"""The session of CPython: reads its task as a line of stdin, prints as `program.mjs` does.

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
    task: dict[str, Any] = json.loads(sys.stdin.readline())
    config = Config.from_object(task["config"])
    registry = ToolRegistry(Workspace(task["directories"]), config)

    def call(tool: str, arguments: dict[str, Any]) -> str:
        budget: int = task["maxOutputBytes"]
        result = registry.call_tool(tool, arguments, max_output_bytes=budget)
        assert not result.is_error, result.content
        # An envelope tells how long the call took, so its text stands for it.
        text: str = (result.structured_content or {}).get("text", result.content)
        return text

    print(json.dumps({"first": call(*task["firstCall"])}), flush=True)
    large = {path: source["directory"] for path, source in task["large"].items()}
    registry = ToolRegistry(Workspace({**task["directories"], **large}), config)
    works = []
    for work in task["works"]:
        answer = call(work["tool"], work["arguments"])
        before_s = time.perf_counter()
        for _ in range(work["repeats"]):
            call(work["tool"], work["arguments"])
        taken_ms = (time.perf_counter() - before_s) * 1000 / work["repeats"]
        works.append({"takenMs": taken_ms, "answer": answer})
    print(json.dumps({"works": works}), flush=True)
    # The input ends once the memory of this process was looked at.
    sys.stdin.read()


main()
