"""What a lens wants to know: parameters that drive parsing, the form and the docs."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches
from typing import Literal

from whence.model.errors import UnknownColumn, UserError
from whence.model.schema import Field, Schema

Kind = Literal["column", "columns", "text", "texts", "number", "choice", "flag", "value", "mapping", "entries"]
"""`entries` is a list of mappings; `value` is anything that can stand in a cell."""

_SEVERAL: dict[Kind, Kind] = {"columns": "column", "texts": "text", "entries": "mapping"}


@dataclass(frozen=True)
class Parameter:
    """One thing a lens wants to know. None as default means: left open, the lens finds out or does without."""

    name: str
    kind: Kind
    label: str
    default: object = None
    is_required: bool = False
    choices: tuple[str, ...] = ()

    def parse(self, lens: str, label: str, schema: Schema, value: object) -> object:
        """The value in the form the lens reads; one that does not fit is refused in a sentence."""
        if value is None:
            return self.default
        if self.kind in _SEVERAL:
            one = replace(self, kind=_SEVERAL[self.kind])
            return tuple(one.parse(lens, label, schema, each) for each in self._several(lens, value))
        match self.kind:
            case "column":
                return find_column(label, schema, value)
            case "text":
                return self._text(lens, value)
            case "number":
                return self._number(lens, value)
            case "choice":
                return self._choice(lens, value)
            case "flag":
                return self._flag(lens, value)
            case "mapping":
                return self._mapping(lens, value)
        return value

    def _several(self, lens: str, value: object) -> Sequence[object]:
        given = [value] if isinstance(value, str | Mapping) else value
        if not isinstance(given, Sequence | set | frozenset) or not given:
            raise self._misfit(lens, "a list", value)
        return list(given)

    def _text(self, lens: str, value: object) -> str:
        if not isinstance(value, str):
            raise self._misfit(lens, "a text", value)
        return value

    def _number(self, lens: str, value: object) -> int | float:
        number = _read_number(value)
        if number is None:
            raise self._misfit(lens, "a number", value)
        return number

    def _choice(self, lens: str, value: object) -> str:
        if value not in self.choices:
            near = near_miss(str(value), self.choices)
            known = ", ".join(self.choices)
            raise UserError(f"{lens} does not know the {self.name} {value}.", near or f"Use {known}.")
        return str(value)

    def _flag(self, lens: str, value: object) -> bool:
        if isinstance(value, str) and value.lower() in ("true", "false"):
            return value.lower() == "true"
        if not isinstance(value, bool):
            raise self._misfit(lens, "true or false", value)
        return value

    def _mapping(self, lens: str, value: object) -> Mapping[str, object]:
        if not isinstance(value, Mapping):
            raise self._misfit(lens, "a mapping", value)
        return {str(key): each for key, each in value.items()}

    def _misfit(self, lens: str, wanted: str, value: object) -> UserError:
        found = f"{type(value).__name__} {value!r}"
        return UserError(f"The lens {lens} takes {wanted} as {self.name}, not {found}.", f"It is {self.label}.")


def find_column(label: str, schema: Schema, name: object) -> Field:
    """A column by its name."""
    position = schema.position(name) if isinstance(name, str) else None
    if position is None:
        near = near_miss(str(name), schema.names)
        raise UnknownColumn(f"{label} has no column {name}.", near or f"It has {', '.join(schema.names)}.")
    return schema.fields[position]


def near_miss(name: str, known: Iterable[str]) -> str:
    """A question about the name that was probably meant; empty if none is near.

    >>> near_miss("prize", ["price", "part"])
    'Did you mean price?'
    """
    by_lower = {each.lower(): each for each in known}
    found = get_close_matches(name.lower(), by_lower, n=1, cutoff=0.6)
    return f"Did you mean {by_lower[found[0]]}?" if found else ""


def _read_number(value: object) -> int | float | None:
    if isinstance(value, bool):
        return None
    if isinstance(value, int | float):
        return value
    try:
        number = json.loads(value) if isinstance(value, str) else None
    except ValueError:
        return None
    return number if isinstance(number, int | float) and not isinstance(number, bool) else None
