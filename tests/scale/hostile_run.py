"""Makes every hostile call in this process, and prints what became of it as JSON."""

import json
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from tests.support.hostile_calls import (
    EMPTY,
    IGNORE_FILE,
    LIMIT_SECONDS,
    TREE,
    config_for,
    hostile_calls,
)
from treeglass import Config, ToolRegistry, Workspace


def run(root: Path) -> dict[str, Any]:
    """Return the seconds of each call, by the time of the processor, and the growth of memory."""
    for path, content in TREE.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(content, "utf-8")
    seconds: dict[str, float] = {}
    empty_bytes = 0
    for call in hostile_calls():
        (root / IGNORE_FILE).write_text("", "utf-8")
        workspace = Workspace({"/repo": root}, working_dir="/repo")
        config = Config.from_object(config_for(call.family, limit_seconds=LIMIT_SECONDS))
        registry = ToolRegistry(workspace, config, clock=time.process_time)
        for tool, arguments in (EMPTY, call.first):
            if registry.call_tool(tool, arguments).is_error:
                raise AssertionError(tool)
        empty_bytes = empty_bytes or _peak_bytes()
        (root / IGNORE_FILE).write_text(call.ignore_file, "utf-8")
        # As a model sends it.
        text = json.dumps(call.arguments, ensure_ascii=False)
        begun = time.process_time()
        registry.call_tool(call.tool, text)
        seconds[call.name] = time.process_time() - begun
    return {"seconds": seconds, "grown_bytes": _peak_bytes() - empty_bytes}


def _peak_bytes() -> int:
    """Return the most memory that this process has held; it never falls."""
    if sys.platform == "win32":
        # Which has no such module; the test is skipped there.
        raise NotImplementedError
    import resource  # noqa: PLC0415

    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else peak * 1024


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        sys.stdout.write(json.dumps(run(Path(folder))))
