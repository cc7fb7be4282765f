"""The contents an edited cell can have (value, blank, formula, unreadable formula, copy), and their JSON form."""

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
    """A value as it was entered; None means that the cell has no value."""

    value: object


@dataclass(frozen=True)
class Blank:
    """A cell that was cleared: an empty text in a column of text, no value elsewhere."""


@dataclass(frozen=True)
class Formula:
    """A formula: its tree, and the text that was typed."""

    tree: Tree
    text: str


@dataclass(frozen=True)
class Invalid:
    """A text that begins like a formula and cannot be parsed; the cell keeps it as it was typed."""

    text: str
    error: FormulaError


@dataclass(frozen=True)
class Copy:
    """The value of a cell of the data, given by row and column of the source."""

    row: int
    column: str


Content = Value | Blank | Formula | Invalid | Copy
Input = Value | Blank | Formula | Invalid
"""Contents that a user can type. Only operations, such as fill, make a `Copy`."""


def to_document(content: Input) -> dict[str, Any]:
    """Return the content as JSON."""
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
    """Return the content that `to_document` wrote."""
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
    if isinstance(value, datetime):  # before date: every datetime is a date, too
        return {"timestamp": value.isoformat()}
    if isinstance(value, date):
        return {"date": value.isoformat()}
    if isinstance(value, float) and not math.isfinite(value):  # JSON has no NaN and no infinity
        return {"float": str(value)}
    return {"value": value}
