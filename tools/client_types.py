"""How a schema of the OpenAPI document is written as a Python type."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

Schema = Mapping[str, Any]

_PLAIN = {"string": "str", "integer": "int", "number": "float", "boolean": "bool", "null": "None"}


def annotation(schema: Schema) -> str:
    """The type.

    >>> annotation({"anyOf": [{"type": "array", "items": {"$ref": "#/components/schemas/Page"}}, {"type": "null"}]})
    'list[Page] | None'
    >>> annotation({"enum": ["next", "previous"], "type": "string"}), annotation({})
    ("Literal['next', 'previous']", 'object')
    """
    if "$ref" in schema:
        return str(schema["$ref"]).rpartition("/")[2]
    if "anyOf" in schema:
        return " | ".join(dict.fromkeys(annotation(each) for each in schema["anyOf"]))
    if "enum" in schema or "const" in schema:
        values = schema.get("enum", [schema.get("const")])
        return f"Literal[{', '.join(repr(each) for each in values)}]"
    match schema.get("type"):
        case "array":
            return f"list[{annotation(schema.get('items', {}))}]"
        case "object":
            inner = schema.get("additionalProperties", True)
            return f"dict[str, {'object' if inner is True else annotation(inner)}]"
        case None:
            return "object"
        case kind:
            return _PLAIN[kind]


def argument(schema: Schema, *, is_required: bool) -> str:
    """The type and default of an argument; without a default of its own, None leaves it out."""
    kind = annotation(schema)
    if is_required:
        return kind
    if "default" in schema:
        return f"{kind} = {schema['default']!r}"
    return f"{kind} = None" if kind.endswith("| None") or kind == "object" else f"{kind} | None = None"
