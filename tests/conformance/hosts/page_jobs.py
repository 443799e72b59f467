"""The requests to a host that is a page, and the reading of its answers.

The other half is `browser_page.mjs`, which runs in the page.
"""

import base64
import json
from collections.abc import Sequence
from pathlib import Path

from tests.conformance.scenes import Answer, CannotStage, Scene, ToolCall
from tests.conformance.trees import Json, as_entries, as_tar
from tests.support.start_json import without_image

_HERE = Path(__file__).parent
PACKAGE = _HERE.parents[2] / "dist" / "npm"
"""The folder that the page is served from."""

# An empty icon keeps the browser from asking for one and logging that it is missing.
_BLANK = b'<!doctype html><title>conformance</title><link rel="icon" href="data:,">'


def pages_beside_package(*, has_image: bool) -> dict[str, bytes]:
    """Return the files served beside the package: `/conformance.html` and its script.

    Args:
        has_image: True if the package's start-up image is served.

    Raises:
        FileNotFoundError: The package is not built.
    """
    if not (PACKAGE / "index.js").exists():
        message = "dist/npm is not built; run `python build.py bundle` first"
        raise FileNotFoundError(message)
    script = (_HERE / "browser_page.mjs").read_bytes()
    pages = {"/conformance.html": _BLANK, "/conformance.mjs": script}
    return pages if has_image else {**pages, "/assets/start.json": without_image(PACKAGE)}


def job_of(scene: Scene, calls: Sequence[ToolCall], way: str) -> Json:
    """Return the arguments of `answerCalls`.

    Args:
        scene: What is mounted.
        calls: What is called, in turn.
        way: How the runtime has to start: `image` or `packages`.

    Raises:
        CannotStage: A page has no way to mount such a tree.
    """
    if scene.faults:
        message = "a page has no filesystem of its own to put under the workspace"
        raise CannotStage(message)
    return {
        "way": way,
        "config": scene.config,
        "source": _source(scene),
        "calls": [_to_wire(call) for call in calls],
    }


def answers_in(reply: str) -> list[Answer | Exception]:
    """Return the answers in the result of `answerCalls`.

    Raises:
        CannotStage: The package refused to mount the tree.
    """
    told = json.loads(reply)
    if "refused" in told:
        raise CannotStage(told["refused"])
    return [_from_wire(answer) for answer in told["answers"]]


def _source(scene: Scene) -> Json:
    """Return the tree as entries, or as an archive where entries cannot say it."""
    tree = scene.tree
    if tree.has_raw_names or tree.pipes or any(node.mode is not None for _, node in tree):
        return {"archive": base64.b64encode(as_tar(tree)).decode()}
    return {"entries": as_entries(tree)}


def _to_wire(call: ToolCall) -> Json:
    options = {
        "workingDir": call.working_dir,
        "maxOutputBytes": call.max_output_bytes,
        "availableCapacityBytes": call.available_capacity_bytes,
        "timeMs": call.time_ms,
    }
    given = {name: value for name, value in options.items() if value is not None}
    return {"tool": call.tool, "args": _sayable(call.arguments), "options": given}


def _sayable(arguments: Json | str) -> Json | str:
    """Return arguments that reach the package as they are written.

    To JavaScript 2.0 is 2, so an object that holds such a number goes as text.
    """
    text = json.dumps(arguments)
    floats: list[str] = []
    json.loads(text, parse_float=floats.append)
    has_integral_float = any(float(number).is_integer() for number in floats)
    return text if has_integral_float else arguments


def _from_wire(answer: Json) -> Answer | Exception:
    if "thrown" in answer:
        return RuntimeError(answer["thrown"])
    if "manifest" in answer:
        return Answer.of_manifest(answer["manifest"])
    result = answer["result"]
    error = result["error"] or {"kind": None, "message": None}
    return Answer(
        content=result["content"],
        structured_content=result["structuredContent"],
        is_error=result["isError"],
        error_kind=error["kind"],
        error_message=error["message"],
        truncated=result["truncated"],
        next_arguments=result["nextArguments"],
        warnings=tuple(result["warnings"]),
    )
