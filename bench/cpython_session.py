"""One session on CPython: a process of its own that measures and prints JSON.

Run as a script with the built wheel on PYTHONPATH; reads its task from stdin.
Imports treeglass and the standard library alone, since it reports their memory.
"""

from __future__ import annotations

import json
import resource
import sys
import time
from pathlib import Path
from typing import Any


def _peak_bytes() -> int:
    status = Path("/proc/self/status")
    if status.exists():
        # On Linux ru_maxrss starts at the peak of the process that started this one.
        fields = dict(line.split(":", 1) for line in status.read_text("utf-8").splitlines())
        return int(fields["VmHWM"].removesuffix("kB")) * 1024
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else peak * 1024


def main() -> None:
    """Make every call of the task; print the time and the answer of each."""
    task: dict[str, Any] = json.load(sys.stdin)
    peaks = {"started": _peak_bytes()}
    started = time.perf_counter()
    from treeglass import Config, ToolRegistry, Workspace, __file__  # noqa: PLC0415  # measured

    registry = ToolRegistry(Workspace(task["first_mounts"]), Config())
    first = registry.call_tool(*task["first_call"])
    first_ms = (time.perf_counter() - started) * 1000
    peaks["first"] = _peak_bytes()
    registry = ToolRegistry(Workspace(task["mounts"]), Config())
    measured = []
    for work in task["works"]:
        taken = []
        result = registry.call_tool(work["tool"], work["arguments"])
        peaks[work["label"]] = _peak_bytes()
        for _ in range(work["repeats"]):
            before = time.perf_counter()
            result = registry.call_tool(work["tool"], work["arguments"])
            taken.append((time.perf_counter() - before) * 1000)
        answer = {"content": result.content, "structured": result.structured}
        measured.append({"taken_ms": taken, "answer": answer})
    said = {
        "package": __file__,
        "python": sys.version.split()[0],
        "first_ms": first_ms,
        "first_content": first.content,
        "works": measured,
        "peak_bytes": peaks,
    }
    print(json.dumps(said))


main()
