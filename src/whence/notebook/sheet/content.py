"""What stands in an edited cell: a value, nothing, a formula, or text that could not be read; and its form as JSON."""

from __future__ import annotations

import math
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal
from typing import Any

from whence.notebook.sheet.formula.errors import FormulaError
from whence.notebook.sheet.formula.tree import Tree, from_json, to_json


@dataclass(frozen=True)
class Value:
    """A value as it was entered; None is no value at all."""

    value: object


@dataclass(frozen=True)
class Blank:
    """Cleared: an empty text in a column of text, else no value."""


@dataclass(frozen=True)
class Formula:
    """A formula, and the text that was typed."""

    tree: Tree
    text: str


@dataclass(frozen=True)
class Invalid:
    """A text that begins like a formula and is none; it is kept as it was typed."""

    text: str
    error: FormulaError


@dataclass(frozen=True)
class Copy:
    """The same as a cell of the data: row and column of the source."""

    row: int
    column: str


Content = Value | Blank | Formula | Invalid | Copy
Input = Value | Blank | Formula | Invalid
"""What can be typed."""


def to_document(content: Input) -> dict[str, Any]:
    """As JSON."""
    match content:
        case Value(value):
            return _value_out(value)
        case Blank():
            return {"blank": True}
        case Formula(tree, text):
            return {"formula": to_json(tree), "text": text}
        case Invalid(text, failure):
            return {"invalid": text, "code": failure.code, "why": failure.why}


def from_document(document: dict[str, Any]) -> Input:
    """What `to_document` wrote."""
    match document:
        case {"blank": True}:
            return Blank()
        case {"formula": tree, "text": str(text)}:
            return Formula(from_json(tree), text)
        case {"invalid": str(text), "code": str(code), "why": str(why)}:
            return Invalid(text, FormulaError(code, why))
        case {"decimal": str(text)}:
            return Value(Decimal(text))
        case {"date": str(text)}:
            return Value(date.fromisoformat(text))
        case {"timestamp": str(text)}:
            return Value(datetime.fromisoformat(text))
        case {"float": str(text)}:
            return Value(float(text))
    return Value(document["value"])


def _value_out(value: object) -> dict[str, Any]:
    if isinstance(value, Decimal):
        return {"decimal": str(value)}
    if isinstance(value, datetime):
        return {"timestamp": value.isoformat()}
    if isinstance(value, date):
        return {"date": value.isoformat()}
    if isinstance(value, float) and not math.isfinite(value):
        return {"float": str(value)}
    return {"value": value}
