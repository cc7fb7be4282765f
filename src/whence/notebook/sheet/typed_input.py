"""Parses what was typed into a cell: a formula, or a value as near to the type of the column as possible."""

from __future__ import annotations

import math
import re
from datetime import date, datetime
from decimal import Decimal

from whence.model.errors import BadInput
from whence.notebook.sheet.content import Blank, Formula, Input, Invalid, Value
from whence.notebook.sheet.formula.errors import SYNTAX, error
from whence.notebook.sheet.formula.parse import BadFormula, parse
from whence.notebook.sheet.formula.references import Place
from whence.notebook.sheet.ladder import kind_of

_WHOLE = re.compile(r"[+-]?\d{1,38}")
"""A whole number of at most the 38 digits that a decimal column holds."""
_DECIMAL = re.compile(r"[+-]?(\d{1,30}\.\d{0,30}|\.\d{1,30})")
_DATE = re.compile(r"\d{4}-\d{2}-\d{2}")
"""How a date must begin: Python alone would also read 20240229 as one."""


def read_input(given: object, type_name: str | None, place: Place) -> Input:
    """Return what `given` means in a column of this type. With None, the column takes the type of what is in it."""
    if given is None:
        return Value(None)
    if not isinstance(given, str):
        return Value(_checked(given, type_name))
    if given.startswith("=") and len(given) > 1:
        return _formula(given, place)
    if given == "":
        return Blank()
    if given.startswith("'"):  # as in every spreadsheet, what follows is text, even if it looks like a number
        return Value(given[1:])
    return Value(typed_value(given, type_name))


def _formula(text: str, place: Place) -> Input:
    try:
        return Formula(parse(text, place.refer), text)
    except BadFormula as failure:
        return Invalid(text, error(SYNTAX, str(failure)))


def _checked(given: object, type_name: str | None) -> object:
    if isinstance(given, float) and kind_of(type_name or "") != "double" and math.isfinite(given):
        shown = repr(given)
        # A caller who writes 1.5 means these digits: it becomes a decimal, except in a column of doubles.
        return Decimal(shown) if _DECIMAL.fullmatch(shown) else given
    if isinstance(given, bool | int | float | Decimal | date | datetime):
        return given
    raise BadInput(f"A cell cannot hold {type(given).__name__}.", "Give a number, a text, a date, True, False or None.")


def typed_value(text: str, type_name: str | None) -> object:
    """Return a text as a value of the type if it can be one, else the text."""
    stripped = text.strip()
    kind = None if type_name is None else kind_of(type_name)
    if kind in ("text", "other"):
        return text
    if kind in ("date", "timestamp", None):
        moment = _moment(stripped)
        if moment is not None:
            return moment
    if kind in ("boolean", None) and stripped.lower() in ("true", "false"):
        return stripped.lower() == "true"
    if kind in ("whole", "decimal", "double", None):
        number = _number(stripped)
        if number is not None:
            return number
    return text


def _number(text: str) -> object:
    if _WHOLE.fullmatch(text):
        return int(text)
    if _DECIMAL.fullmatch(text):
        return Decimal(text)
    try:
        number = float(text)
    except ValueError:
        return None
    return number if math.isfinite(number) and "_" not in text else None  # Python reads 1_000 as a number


def _moment(text: str) -> object:
    try:
        if _DATE.fullmatch(text):
            return date.fromisoformat(text)
        return datetime.fromisoformat(text) if _DATE.match(text) else None
    except ValueError:
        return None
