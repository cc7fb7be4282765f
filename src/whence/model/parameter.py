"""`Parameter`: a parameter of a transformation or a cell. Its kind drives parsing, forms, command line and docs."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches
from numbers import Integral, Real
from typing import Literal

from whence.model.errors import UnknownColumn, UserError
from whence.model.schema import Field, Schema

ParameterKind = Literal[
    "text",
    "texts",
    "condition",
    "path",
    "dataset",
    "datasets",
    "column",
    "columns",
    "choice",
    "number",
    "numbers",
    "whole",
    "flag",
    "value",
    "values",
    "mapping",
    "entries",
]
"""`condition` is a condition in SQL over the columns, `value` any JSON value, `whole` a whole number, `mapping` names
with values, `entries` a list of mappings."""

_ITEMS: dict[ParameterKind, ParameterKind] = {
    "texts": "text", "datasets": "dataset", "columns": "column", "entries": "mapping", "numbers": "number",
    "values": "value",
}  # fmt: skip
_WORDS: dict[ParameterKind, str] = {
    "text": "a text",
    "condition": "a condition in SQL",
    "path": "a path",
    "dataset": "the name of a dataset",
    "column": "the name of a column",
    "choice": "a choice",
    "number": "a number",
    "whole": "a whole number",
    "flag": "true or false",
    "mapping": "names with values",
}


@dataclass(frozen=True)
class Parameter:
    """One parameter of a transformation or a cell. A default of None means that it may be left out."""

    name: str
    kind: ParameterKind
    label: str
    default: object = None
    is_required: bool = False
    choices: tuple[str, ...] = ()
    least: float | None = None
    """The smallest number that is allowed."""
    fields: tuple[Parameter, ...] = ()
    """What each mapping of `entries` holds; without any, the columns of the source."""

    def parse(self, asker: str, value: object) -> object:
        """Return the value in the type of this kind. Raise if it does not fit. `asker` is the name in the message.

        >>> Parameter("rows", "number", "how many rows").parse("sample", "3")
        3
        """
        if value is None or self.kind == "value":
            return value
        if self.kind in _ITEMS:
            item = replace(self, kind=_ITEMS[self.kind])
            return tuple(item.parse(asker, each) for each in self._items(asker, value))
        return self._one(asker, value)

    def _one(self, asker: str, value: object) -> object:
        """Parse a single value, as opposed to a list. Raise if it does not fit the kind or is too small."""
        match self.kind:
            case "number":
                found: object = _read_number(value)
            case "whole":
                found = _read_whole(value)
            case "flag":
                found = _read_flag(value)
            case "mapping":
                found = _read_mapping(value)
            case "choice":
                return self._choice(asker, value)
            case "dataset":  # in Python also a handle of one, which only the workspace knows
                return value
            case _:
                found = value if isinstance(value, str) else None
        if found is None:
            raise self._misfit(asker, _WORDS[self.kind], value)
        if self.least is not None and isinstance(found, int | float) and found < self.least:
            raise UserError(
                f"{asker} takes no {self.name} below {self.least:g}, so not {found}.", f"It is {self.label}."
            )
        return found

    def _items(self, asker: str, value: object) -> Sequence[object]:
        is_one = isinstance(value, str | Mapping) or (self.kind == "datasets" and not isinstance(value, Sequence))
        items = [value] if is_one else value
        if not isinstance(items, Sequence | set | frozenset):
            raise self._misfit(asker, "a list", value)
        return list(items)

    def _choice(self, asker: str, value: object) -> str:
        if isinstance(value, str) and (value in self.choices or not self.choices):
            return value
        hint = near_miss(str(value), self.choices) or f"Use {', '.join(self.choices)}."
        raise UserError(f"{asker} does not know the {self.name} {value}.", hint)

    def _misfit(self, asker: str, wanted: str, value: object) -> UserError:
        found = f"{type(value).__name__} {value!r}"
        return UserError(f"{asker} takes {wanted} as {self.name}, not {found}.", f"It is {self.label}.")


def check_values(asker: str, parameters: Iterable[Parameter], values: Mapping[str, object]) -> dict[str, object]:
    """Return the parsed value or default of every parameter. Raise on unknown names, missing values and misfits."""
    known = {each.name: each for each in parameters}
    for name in values:
        if name not in known:
            hint = near_miss(name, known) or f"It takes {', '.join(known)}."
            raise UserError(f"{asker} has no parameter {name}.", hint)
    for each in known.values():
        if each.is_required and is_open(values.get(each.name)):
            raise UserError(f"{asker} needs {each.name}: {each.label}.")
    parsed = {each.name: each.parse(asker, values.get(each.name)) for each in known.values()}
    return {name: known[name].default if value is None else value for name, value in parsed.items()}


def is_open(value: object) -> bool:
    """Return whether a value is left out: None, or an empty text, list or mapping."""
    return value is None or (isinstance(value, str | Sequence | Mapping) and len(value) == 0)


def find_column(label: str, schema: Schema, name: object) -> Field:
    """Return the column of this name; if there is none, raise an error that suggests a similar name or lists all."""
    position = schema.position(name) if isinstance(name, str) else None
    if position is None:
        near = near_miss(str(name), schema.names)
        raise UnknownColumn(f"{label} has no column {name}.", near or f"It has {', '.join(schema.names)}.")
    return schema.fields[position]


def near_miss(name: str, known: Iterable[str]) -> str:
    """Return a question about the name that was probably meant; empty if none is similar.

    >>> near_miss("prize", ["price", "part"])
    'Did you mean price?'
    """
    by_lower = {each.lower(): each for each in known}
    found = get_close_matches(name.lower(), by_lower, n=1, cutoff=0.6)
    return f"Did you mean {by_lower[found[0]]}?" if found else ""


def _read_number(value: object) -> int | float | None:
    number = _from_json(value)
    if isinstance(number, bool) or not isinstance(number, Real):
        return None
    return int(number) if isinstance(number, Integral) else float(number)


def _read_whole(value: object) -> int | None:
    number = _read_number(value)
    # `int` of an infinite number raises an error.
    return int(number) if isinstance(number, int) or (number is not None and number.is_integer()) else None


def _read_flag(value: object) -> bool | None:
    flag = _from_json(value.lower() if isinstance(value, str) else value)
    return flag if isinstance(flag, bool) else None


def _read_mapping(value: object) -> Mapping[object, object] | None:
    mapping = _from_json(value)
    return mapping if isinstance(mapping, Mapping) else None


def _from_json(value: object) -> object:
    """Read a text, as forms and the command line send it, as JSON. Return anything else as it is."""
    try:
        return json.loads(value) if isinstance(value, str) else value
    except ValueError:
        return None
