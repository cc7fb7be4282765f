"""Removes all names and constants of users from a plan, so that its shape can be shown to others."""

from __future__ import annotations

import json

from whence.engine.read_expr import JsonNode
from whence.plan.expr import CAVEAT_FIELD, HAS_CAVEAT_FIELD

_KEPT = frozenset(
    ("class", "product-class", "object", "dataType", "type", "elementType", "keyType", "valueType", "functionName")
)
"""Fields whose text comes from Spark and not from the user."""

_OWN_WORDS = frozenset((CAVEAT_FIELD, HAS_CAVEAT_FIELD, "if", "why", "family", "answer", "among"))
"""Constants that whence itself writes into a query, to find its caveats by."""


def redact_plan(text: str) -> list[JsonNode]:
    """Return the nodes of a plan in Spark's JSON form. Constants become placeholders, names become n0, n1 and so on.

    >>> node = {"class": "Literal", "num-children": 0, "value": "Ada", "dataType": "string"}
    >>> redact_plan(json.dumps([node]))[0]["value"]
    ''
    """
    redaction = _Redaction()
    return [redaction.node(each) for each in json.loads(text)]


class _Redaction:
    """Gives the same name the same placeholder throughout one plan."""

    def __init__(self) -> None:
        self._names: dict[str, str] = {}

    def node(self, node: JsonNode) -> JsonNode:
        redacted = {key: self._field(key, value) for key, value in node.items()}
        is_literal = str(node.get("class", "")).endswith("Literal")
        return {**redacted, "value": _placeholder(node)} if is_literal else redacted

    def _field(self, key: str, value: object) -> object:
        if isinstance(value, str):
            return self._text(key, value)
        if isinstance(value, dict):
            return {} if key == "metadata" else self.node(value)
        return [self._field(key, each) for each in value] if isinstance(value, list) else value

    def _text(self, key: str, text: str) -> str:
        if key == "name":
            return self._names.setdefault(text, f"n{len(self._names)}")
        return text if key in _KEPT else ""


def _placeholder(literal: JsonNode) -> object:
    """Return a dummy constant in place of a literal. NULL, TRUE and FALSE stay."""
    value, kind = literal.get("value"), literal.get("dataType")
    if value is None or kind == "boolean" or value in _OWN_WORDS:
        return value
    return "" if kind == "string" else "1"
