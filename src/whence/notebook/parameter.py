"""What a cell wants to know: one parameter's name, type and label, and whether a value fits."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from whence.model.errors import UserError

ParameterType = Literal[
    "text",
    "path",
    "dataset",
    "datasets",
    "column",
    "columns",
    "choice",
    "number",
    "flag",
    "value",
    "mapping",
    "entries",
]
"""`value` is anything that can stand in JSON; `entries` is a list of mappings."""


@dataclass(frozen=True)
class Parameter:
    """One thing a cell wants to know; its type drives parsing, the form and the docs."""

    name: str
    type: ParameterType
    label: str
    is_required: bool = True
    default: object = None
    choices: tuple[str, ...] = ()


_TYPES: dict[ParameterType, tuple[type | tuple[type, ...], str]] = {
    "text": (str, "a text"),
    "path": (str, "a path"),
    "dataset": (str, "the name of a dataset"),
    "datasets": (list, "a list of names"),
    "column": (str, "a column"),
    "columns": ((list, str), "a list of columns"),
    "choice": (str, "a choice"),
    "number": ((int, float), "a number"),
    "flag": (bool, "true or false"),
    "mapping": ((dict, str), "names with values"),
    "entries": (list, "a list"),
}


def check_type(kind: str, parameter: Parameter, value: object) -> None:
    """Refuse a value that does not fit its parameter."""
    if value is None or parameter.type == "value":
        return
    wanted, words = _TYPES[parameter.type]
    if not isinstance(value, wanted) or (parameter.type == "number" and isinstance(value, bool)):
        found = f"{type(value).__name__} {value!r}"
        raise UserError(f"A {kind} cell takes {words} as {parameter.name}, not {found}.", f"It is {parameter.label}.")
    if parameter.choices and value not in parameter.choices:
        raise UserError(
            f"A {kind} cell does not know the {parameter.name} {value}.", f"Use {', '.join(parameter.choices)}."
        )
