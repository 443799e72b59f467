"""JSON Schema as a TypeScript type: the part of both that the tools use."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from build_steps.failure import BuildFailed

if TYPE_CHECKING:
    from collections.abc import Iterable

Schema = dict[str, Any]

_NAMES = {"string": "string", "boolean": "boolean", "null": "null"} | dict.fromkeys(
    ("number", "integer"), "number"
)

_UNTYPED = frozenset(
    {"title", "description", "default", "minimum", "maximum", "exclusiveMinimum"}
    | {"minItems", "minLength", "pattern", "propertyNames"}
)
"""Keywords that have no type: words for people, and bounds of a value."""

_TYPED = frozenset(
    {"type", "enum", "const", "properties", "required", "items", "additionalProperties"}
    | {"$ref", "anyOf"}
)

_NAMED = "a type by its name"
"""Stands in a schema for a type that is written elsewhere."""

_MERGED = frozenset({"allOf", "maxProperties", "not"})
"""Keywords that `_variants` replaces, in a schema that has a status or the like."""


ENVELOPE = "Envelope<Data, IsCut, Stats, Code extends string, Failed = object>"
"""The type that the envelopes of all tools have in common, with its parameters."""


def envelope_of(schema: Schema) -> tuple[str, str]:
    """Return the type of an envelope's schema, and the type that `ENVELOPE` stands for."""
    success, partial, error = _variants(schema)
    stats = error["properties"]["stats"]
    codes = error["properties"]["error"]["properties"]
    given = [
        _type_without(["truncated"], success["properties"]["data"]),
        type_of(partial["properties"]["data"]["properties"]["truncated"]),
        _type_without(stats["properties"], success["properties"]["stats"]),
        type_of(codes["code"]),
    ]
    failed = type_of(error["properties"]["data"])
    if failed != "object":
        given.append(failed)
    codes["code"] = {_NAMED: "Code"}
    error["properties"]["data"] = {_NAMED: "Failed"}
    for variant, is_cut in ((success, "false"), (partial, "IsCut")):
        variant["properties"]["data"] = {_NAMED: f"Data & {{ readonly truncated: {is_cut} }}"}
        variant["properties"]["stats"] = {_NAMED: f"Stats & {type_of(stats)}"}
    common = " | ".join(map(type_of, (success, partial, error)))
    return f"Envelope<{', '.join(given)}>", common


def _type_without(names: Iterable[str], schema: Schema) -> str:
    """Return the type of an object without some properties, and without others than it lists."""
    properties = {key: found for key, found in schema["properties"].items() if key not in names}
    return _object_type({"properties": properties, "required": schema["required"]})


def type_of(schema: Schema) -> str:
    """Return the type of the values that a schema allows."""
    if _NAMED in schema:
        return str(schema[_NAMED])
    unknown = schema.keys() - _TYPED - _UNTYPED
    if unknown:
        raise BuildFailed(
            f"No type is known for {', '.join(sorted(unknown))} of JSON Schema: "
            "add the keyword to build_steps/web/schema_types.py."
        )
    if "$ref" in schema:
        return str(schema["$ref"]).rpartition("/")[2]
    if "anyOf" in schema:
        return " | ".join(map(type_of, schema["anyOf"]))
    if "const" in schema:
        return json.dumps(schema["const"])
    if "enum" in schema:
        return " | ".join(map(json.dumps, schema["enum"]))
    kinds = schema.get("type", [])
    kinds = kinds if isinstance(kinds, list) else [kinds]
    return " | ".join(_type_of_kind(kind, schema) for kind in kinds) or "unknown"


def _type_of_kind(kind: str, schema: Schema) -> str:
    match kind:
        case "array":
            return f"readonly ({type_of(schema.get('items', {}))})[]"
        case "object":
            return _object_type(schema)
    return _NAMES[kind]


def _object_type(schema: Schema) -> str:
    properties: dict[str, Schema] = schema.get("properties", {})
    others = schema.get("additionalProperties", {})
    if not properties and not others:
        return "object" if others is not False else "Readonly<Record<string, never>>"
    required = schema.get("required", [])
    lines = [
        f"{_doc(found)}readonly {json.dumps(name)}{'' if name in required else '?'}: "
        f"{type_of(found)};"
        for name, found in properties.items()
    ]
    if isinstance(others, dict) and others:
        lines.append(f"readonly [key: string]: {type_of(others)};")
    return "\n".join(["{", *lines, "}"])


def _doc(schema: Schema) -> str:
    words = [schema["description"]] if "description" in schema else []
    default = schema.get("default")
    if default is not None and "$ref" not in schema:
        whole = isinstance(default, float) and default.is_integer()
        words.append(f"@default {json.dumps(int(default) if whole else default)}")
    # A glob, too, may hold the two signs that end a comment.
    text = " ".join(words).replace("*/", "* /")
    return f"/** {text} */\n" if words else ""


def _variants(schema: Schema) -> list[Schema]:
    """Return a schema without conditions for each value of the property that its rules name."""
    base = {keyword: found for keyword, found in schema.items() if keyword != "allOf"}
    name = _deciding_property(schema)
    variants = []
    for value in schema["properties"][name]["enum"]:
        variant = _merged(base, {"properties": {name: {"const": value}}})
        for rule in schema["allOf"]:
            holds = _holds(rule.get("if", {}), name, value)
            if holds is not None:
                variant = _merged(variant, rule.get("then" if holds else "else", {}))
        variants.append(_without_merged(variant))
    return variants


def _deciding_property(schema: Schema) -> str:
    """Return the property whose values are listed, and which a rule of `allOf` compares."""
    compared: set[str] = {
        name
        for rule in schema["allOf"]
        for name, found in rule.get("if", {}).get("properties", {}).items()
        if "const" in found and "enum" in schema["properties"].get(name, {})
    }
    if len(compared) != 1:
        raise BuildFailed(
            f"The rules of {schema.get('title', 'a schema')} compare {len(compared)} properties "
            "that list their values; build_steps/web/schema_types.py knows types for exactly one."
        )
    return compared.pop()


def _holds(condition: Schema, name: str, value: object) -> bool | None:
    """Tell whether a condition holds if one property has a value; None if others decide too."""
    properties: dict[str, Schema] = condition.get("properties", {})
    required: object = properties.get(name, {}).get("const")
    if required is not None and required != value:
        return False
    return True if required is not None and properties.keys() == {name} else None


def _merged(first: Schema, second: Schema) -> Schema:
    """Return a schema of what both allow, for the keywords that the tools use."""
    merged = {**first, **second}
    if "required" in first and "required" in second:
        merged["required"] = list(dict.fromkeys([*first["required"], *second["required"]]))
    if "properties" in first and "properties" in second:
        merged["properties"] = dict(first["properties"])
        for name, found in second["properties"].items():
            merged["properties"][name] = _merged(first["properties"].get(name, {}), found)
    return merged


def _without_merged(schema: Schema) -> Schema:
    """Return a schema without the keywords that only leave properties out."""
    left_out = schema.get("not", {}).get("required", [])
    properties = {
        name: _without_merged(found)
        for name, found in schema.get("properties", {}).items()
        if name not in left_out
    }
    kept = {keyword: found for keyword, found in schema.items() if keyword not in _MERGED}
    if schema.get("maxProperties") == 0:
        # Open, so that its type refuses to read a property that only another variant has.
        return {**kept, "properties": {}}
    return {**kept, "properties": properties} if "properties" in schema else kept
