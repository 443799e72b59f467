"""`types`: each tool's arguments and structured content as TypeScript, from its schemas."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import TYPE_CHECKING, Any

from build_steps.failure import BuildFailed
from build_steps.folders import ROOT, WEB
from build_steps.programs import find_node_tool
from build_steps.web.packages import install_web_packages
from build_steps.web.schema_types import type_of

if TYPE_CHECKING:
    from collections.abc import Iterable

MODULE = WEB / "src" / "protocol" / "tool-types.ts"
"""The module with the types."""

_HEAD = """\
/**
 * The types of each tool, from the schemas that `treeglass tools` prints.
 *
 * Written by `python build.py types`; do not edit.
 */
"""


def run(*, check: bool) -> int:
    """Write the module; with `check`, write nothing and compare.

    Returns:
        0; or 1 if `check` is set and the module differs.
    """
    install_web_packages()
    module = render_module(published_tools())
    name = MODULE.relative_to(ROOT).as_posix()
    if check and MODULE.read_text(encoding="utf-8") != module:
        print(f"{name} differs from the tools' schemas: run `python build.py types`.")
        return 1
    if not check and MODULE.read_text(encoding="utf-8") != module:
        MODULE.write_text(module, encoding="utf-8", newline="\n")
        print(f"{name} is written anew: it differed from the tools' schemas.")
        return 0
    print(f"{name} agrees with the tools' schemas.")
    return 0


def published_tools() -> list[dict[str, Any]]:
    """Return the definitions of all tools, in MCP's shape, as `treeglass tools` prints them.

    Raises:
        BuildFailed: The command failed; it has said why.
    """
    command = [sys.executable, "-m", "treeglass", "tools", "--family", "all"]
    printed = subprocess.run(command, stdout=subprocess.PIPE, check=False)
    if printed.returncode != 0:
        raise BuildFailed("`treeglass tools` failed: correct what it says above and run again.")
    tools: list[dict[str, Any]] = json.loads(printed.stdout)
    return tools


def render_module(tools: Iterable[dict[str, Any]]) -> str:
    """Return the text of the module, in the project's format.

    Args:
        tools: Definitions in MCP's shape.

    Raises:
        BuildFailed: A schema has a keyword that has no type here.
    """
    arguments, contents = [], []
    for tool in tools:
        name = json.dumps(tool["name"])
        doc = f"/** {tool['title']}. */"
        arguments.append(f"{doc}\nreadonly {name}: {type_of(tool['inputSchema'])};")
        content = type_of(tool["outputSchema"]) if "outputSchema" in tool else "null"
        contents.append(f"{doc}\nreadonly {name}: {content};")
    return _formatted(
        "\n".join(
            [
                _HEAD,
                "/** The arguments of each tool, by its name. */",
                "export interface ToolArguments {",
                *arguments,
                "}\n",
                "/** `ToolResult.structured` of each tool, by its name; null without a schema. */",
                "export interface ToolStructuredContent {",
                *contents,
                "}\n",
            ]
        )
    )


def _formatted(text: str) -> str:
    formatted = subprocess.run(
        [find_node_tool("biome"), "format", f"--stdin-file-path={MODULE}"],
        cwd=WEB,
        input=text,
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    if formatted.returncode != 0:
        raise BuildFailed(f"The types of the tools are not TypeScript: {formatted.stderr}")
    return formatted.stdout
