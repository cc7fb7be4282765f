"""What an operator of the grammar can be told: options that drive checking, the docs and forms."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass
from typing import Literal

from whence.charts.errors import near, wrong

Kind = Literal["whole", "number", "flag", "text", "choice", "numbers", "list", "mapping", "any"]
Chosen = Mapping[str, object]

_WORDS: dict[Kind, str] = {
    "whole": "a whole number",
    "number": "a number",
    "flag": "true or false",
    "text": "a text",
    "choice": "a name",
    "numbers": "a list of numbers",
    "list": "a list",
    "mapping": "a mapping",
    "any": "a value",
}


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)


def _is_list(value: object) -> bool:
    return isinstance(value, Sequence) and not isinstance(value, str | bytes)


_FITS: dict[Kind, Callable[[object], bool]] = {
    "whole": lambda value: isinstance(value, int) and not isinstance(value, bool),
    "number": _is_number,
    "flag": lambda value: isinstance(value, bool),
    "text": lambda value: isinstance(value, str),
    "choice": lambda value: isinstance(value, str),
    "numbers": lambda value: _is_list(value) and all(map(_is_number, value)),  # type: ignore[call-overload]
    "list": _is_list,
    "mapping": lambda value: isinstance(value, Mapping),
    "any": lambda _: True,
}


@dataclass(frozen=True)
class Option:
    """One thing an operator can be told. None as default means: left open, the operator finds out."""

    name: str
    kind: Kind
    label: str
    _: KW_ONLY
    default: object = None
    is_required: bool = False
    choices: tuple[str, ...] = ()
    least: float | None = None

    def check(self, value: object, path: str) -> object:
        """The value, if it fits."""
        if value is None and self.is_required:
            raise wrong(path, f"{self.name} is needed", f"It is {self.label}.")
        if value is None:
            return self.default
        if not _FITS[self.kind](value):
            raise wrong(path, f"{self.name} must be {_WORDS[self.kind]}, not {value!r}", f"It is {self.label}.")
        if self.choices and value not in self.choices:
            raise wrong(path, f"{self.name} cannot be {value!r}", near(value, self.choices, "It can be"))
        if self.least is not None and isinstance(value, int | float) and value < self.least:
            raise wrong(path, f"{self.name} must be at least {self.least:g}, not {value!r}", f"It is {self.label}.")
        return value


def check_options(what: str, options: Sequence[Option], given: Mapping[str, object], path: str) -> Chosen:
    """Every option with its value; one that is unknown, or does not fit, is refused with its place.

    >>> check_options("bin", [Option("bins", "whole", "how many")], {"bins": 3}, "stat")
    {'bins': 3}
    """
    known = [option.name for option in options]
    for name in given:
        if name not in known:
            hint = near(name, known, "It takes") or "It takes no options."
            raise wrong(f"{path}.{name}", f"{what} has no option {name}", hint)
    return {option.name: option.check(given.get(option.name), f"{path}.{option.name}") for option in options}
