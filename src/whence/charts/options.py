"""Check the options of the grammar's operators. They are described by the same Parameter class as those of cells."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence

from whence.charts.errors import near, wrong
from whence.model.parameter import Parameter, ParameterKind

Chosen = Mapping[str, object]

_WORDS: dict[ParameterKind, str] = {
    "whole": "a whole number",
    "number": "a number",
    "flag": "true or false",
    "text": "a text",
    "choice": "a name",
    "numbers": "a list of numbers",
    "values": "a list",
    "mapping": "a mapping",
    "value": "a value",
}


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)


def _is_list(value: object) -> bool:
    return isinstance(value, Sequence) and not isinstance(value, str | bytes)


_FITS: dict[ParameterKind, Callable[[object], bool]] = {
    "whole": lambda value: isinstance(value, int) and not isinstance(value, bool),
    "number": _is_number,
    "flag": lambda value: isinstance(value, bool),
    "text": lambda value: isinstance(value, str),
    "choice": lambda value: isinstance(value, str),
    "numbers": lambda value: _is_list(value) and all(map(_is_number, value)),  # type: ignore[call-overload]
    "values": _is_list,
    "mapping": lambda value: isinstance(value, Mapping),
    "value": lambda _: True,
}


def check_option(option: Parameter, value: object, path: str) -> object:
    """Return the value of an option, or its default. A specification is JSON, so a number in quotes is refused."""
    if value is None and option.is_required:
        raise wrong(path, f"{option.name} is needed", f"It is {option.label}.")
    if value is None:
        return option.default
    if not _FITS[option.kind](value):
        raise wrong(path, f"{option.name} must be {_WORDS[option.kind]}, not {value!r}", f"It is {option.label}.")
    if option.choices and value not in option.choices:
        raise wrong(path, f"{option.name} cannot be {value!r}", near(value, option.choices, "It can be"))
    if option.least is not None and isinstance(value, int | float) and value < option.least:
        raise wrong(path, f"{option.name} must be at least {option.least:g}, not {value!r}", f"It is {option.label}.")
    return value


def check_options(what: str, options: Sequence[Parameter], given: Mapping[str, object], path: str) -> Chosen:
    """Return every option with its value. An unknown or unfit option is refused with its place in the JSON.

    >>> check_options("bin", [Parameter("bins", "whole", "how many")], {"bins": 3}, "stat")
    {'bins': 3}
    """
    known = [option.name for option in options]
    for name in given:
        if name not in known:
            hint = near(name, known, "It takes") or "It takes no options."
            raise wrong(f"{path}.{name}", f"{what} has no option {name}", hint)
    return {option.name: check_option(option, given.get(option.name), f"{path}.{option.name}") for option in options}
