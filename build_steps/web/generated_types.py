"""`types`: what TypeScript knows of the tools and the configuration, and all public names."""

from __future__ import annotations

import ast
import inspect
import json
import re
from itertools import groupby
from operator import itemgetter
from typing import TYPE_CHECKING, Any

from build_steps.failure import BuildFailed
from build_steps.folders import ROOT, WEB
from build_steps.programs import find_node_tool, output_of
from build_steps.web import api_surface
from build_steps.web.packages import install_web_packages
from build_steps.web.schema_types import ENVELOPE, Schema, envelope_of, type_of
from treeglass import config, config_tables
from treeglass.definition_formats import render_definitions
from treeglass.registry import ToolRegistry
from treeglass.tool_names import TOOL_NAMES
from treeglass.workspace import Workspace

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

FOLDER = WEB / "src" / "generated"
"""The folder of the modules."""

_HEAD = """\
/**
 * {about}
 *
 * Written by `python build.py types`; do not edit.
 */

"""


def run(*, check: bool) -> int:
    """Write the modules, and then the list of all public names, which shows them.

    With `check`, write nothing and compare.

    Returns:
        0; or 1 if `check` is set and a file differs.
    """
    install_web_packages()
    files = {
        FOLDER / "tool-types.ts": lambda: render_tools(published_tools()),
        FOLDER / "config.ts": render_config,
        api_surface.FILE: api_surface.render_surface,
    }
    agree = [_agrees(path, render(), check=check) for path, render in files.items()]
    if all(agree):
        print("The generated types and the list of public names agree with the sources.")
    return 1 if check and not all(agree) else 0


def _agrees(path: Path, text: str, *, check: bool) -> bool:
    """Tell whether a file holds a text already; without `check`, write it if not."""
    name = path.relative_to(ROOT).as_posix()
    if path.is_file() and path.read_text(encoding="utf-8") == text:
        return True
    if check:
        print(f"{name} differs from the sources: run `python build.py types`.")
    else:
        path.write_text(text, encoding="utf-8", newline="\n")
        print(f"{name} is written anew: it differed from the sources.")
    return False


def published_tools() -> list[dict[str, Any]]:
    """Return the definitions of all tools, by their names, in MCP's shape.

    Two families have a changing tool of one name; both are there.
    """
    tools = [tool for tables in _tables_of_tools() for tool in _offered_by(tables)]
    return sorted(tools, key=lambda tool: tool["name"])


def _tables_of_tools() -> Iterator[dict[str, Any]]:
    """Yield tables `tools` of configurations that offer every tool once.

    No configuration may offer the changing tools of two families.
    """
    yield {"family": "all"}
    changing = [tool for tool in TOOL_NAMES if tool.is_changing]
    for family in dict.fromkeys(tool.family for tool in changing):
        own = [tool for tool in changing if tool.family == family]
        yield {
            "experimental_supported_tools": [tool.name for tool in own if family == "codex"],
            "offered": [tool.spellings[0] for tool in own if family != "codex"],
        }


def _offered_by(tables: dict[str, Any]) -> list[dict[str, Any]]:
    document = config.Config.from_object({"tools": tables})
    return render_definitions(ToolRegistry(Workspace({}), document).list_tools(), "mcp")


def render_tools(tools: Iterable[dict[str, Any]]) -> str:
    """Return the text of the module about tools, which are defined in MCP's shape."""
    envelopes: set[str] = set()
    arguments, contents = [], []
    for name, named in groupby(tools, key=itemgetter("name")):
        own = [*named]
        doc = f"/** {own[0]['title']}. */"
        given = _any_of(type_of(tool["inputSchema"]) for tool in own)
        content = _any_of(_content_of(tool, envelopes) for tool in own)
        arguments.append(f"{doc}\nreadonly {json.dumps(name)}: {given};")
        contents.append(f"{doc}\nreadonly {json.dumps(name)}: {content};")
    if len(envelopes) != 1:
        raise BuildFailed(f"The tools have {len(envelopes)} kinds of envelopes, and not one.")
    return _formatted(
        "\n".join(
            [
                _HEAD.format(
                    about="The types of each tool, from the schemas of `treeglass tools`."
                ),
                "/** The arguments of each tool, by its name. */",
                "export interface ToolArguments {",
                *arguments,
                "}\n",
                "/** `structuredContent` of each tool's results; null without a schema. */",
                "export interface ToolStructuredContent {",
                *contents,
                "}\n",
                "/** The common part of the structured contents of several tools. */",
                f"type {ENVELOPE} = {envelopes.pop()};",
            ]
        )
    )


def _any_of(types: Iterable[str]) -> str:
    return " | ".join(dict.fromkeys(types))


def _content_of(tool: dict[str, Any], envelopes: set[str]) -> str:
    """Return the type of a tool's structured content; notes the envelope that it has."""
    schema = tool.get("outputSchema", {"type": "null"})
    if "allOf" not in schema:
        return type_of(schema)
    content, envelope = envelope_of(schema)
    envelopes.add(envelope)
    return content


def render_config() -> str:
    """Return the text of the configuration's module, in the project's format."""
    schema = config.Config.model_json_schema()
    documented = _documented_fields()
    tables = []
    for name, table in [*schema["$defs"].items(), ("ConfigDocument", schema)]:
        words = re.sub(r" \(CFG-.*?\)", "", table["description"].partition("\n\nExample:")[0])
        properties = {
            key: _with_words(found, documented.get((name, key)))
            for key, found in table["properties"].items()
        }
        body = type_of({"type": "object", "properties": properties})
        tables.append(f"/** {words} */\nexport interface {name} {body}\n")
    timeouts = json.dumps(config_tables.TimeoutsTable().model_dump())
    tables.append("/** `[tools.timeouts]` of a configuration that sets none. */")
    tables.append(f"export const DEFAULT_TIMEOUTS: Required<TimeoutsTable> = {timeouts};")
    tables.append("/** Whose tools are offered; `all` is every family's. */")
    tables.append('export type ToolFamily = NonNullable<ToolsTable["family"]>;')
    about = "The configuration as an object: the tables of the TOML document, with the same keys."
    return _formatted("\n".join([_HEAD.format(about=about), *tables]))


def _with_words(field: Schema, words: str | None) -> Schema:
    """Return a field's schema with its words, as a key that any program may write."""
    field = {key: found for key, found in field.items() if key != "description"}
    if "anyOf" in field:
        field["anyOf"] = [kind for kind in field["anyOf"] if kind != {"type": "null"}]
    if field.get("type") == "array":
        # The wheel refuses an unknown name with a sentence; a type would refuse every `string[]`.
        field["items"] = {"type": "string"}
    return field if words is None else {**field, "description": " ".join(words.split())}


def _documented_fields() -> dict[tuple[str, str], str]:
    """Return the docstring of each field, by its class and its name."""
    found = {}
    sources = "".join(map(inspect.getsource, (config_tables, config)))
    for node in ast.parse(sources).body:
        if isinstance(node, ast.ClassDef):
            for field, after in zip(node.body, node.body[1:], strict=False):
                if isinstance(field, ast.AnnAssign) and isinstance(after, ast.Expr):
                    key = (node.name, ast.unparse(field.target))
                    found[key] = str(ast.literal_eval(after.value))
    return found


def _formatted(text: str) -> str:
    return output_of(
        [find_node_tool("biome"), "format", f"--stdin-file-path={FOLDER / 'types.ts'}"],
        folder=WEB,
        given=text,
        otherwise="The generated types are not TypeScript: Biome says above why.",
    )
