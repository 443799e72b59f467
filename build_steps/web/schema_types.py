"""JSON Schema as a TypeScript type: the part of both that the tools use."""

from __future__ import annotations

import json
from typing import Any

from build_steps.failure import BuildFailed

Schema = dict[str, Any]

_NAMES = {"string": "string", "boolean": "boolean", "null": "null"} | dict.fromkeys(
    ("number", "integer"), "number"
)

_UNTYPED = frozenset(
    {"title", "description", "default", "minimum", "maximum", "minLength", "pattern"}
)
"""Keywords that have no type: words for people, and bounds of a value."""

_TYPED = frozenset(
    {"type", "enum", "const", "properties", "required", "items", "additionalProperties"}
)

_MERGED = frozenset({"allOf", "maxProperties", "not"})
"""Keywords that `_variants` replaces, in a schema that has a status or the like."""


def type_of(schema: Schema) -> str:
    """Return the type of the values that a schema allows.

    A schema whose `allOf` decides by the value of one property, such as a status, becomes a
    union with a member for each value.

    Raises:
        BuildFailed: It has a keyword that has no type here.
    """
    if "allOf" in schema:
        return " | ".join(_plain_type(variant) for variant in _variants(schema))
    return _plain_type(schema)


def _plain_type(schema: Schema) -> str:
    unknown = schema.keys() - _TYPED - _UNTYPED
    if unknown:
        raise BuildFailed(
            f"No type is known for {', '.join(sorted(unknown))} of JSON Schema: "
            "add the keyword to build_steps/web/schema_types.py."
        )
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
    words = [schema["description"].replace("*/", "* /")] if "description" in schema else []
    if schema.get("default") is not None:
        words.append(f"@default {json.dumps(schema['default'])}")
    return f"/** {' '.join(words)} */\n" if words else ""


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
