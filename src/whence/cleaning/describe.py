"""Says of each lens what it does and wants to know, for users, forms and the docs."""

from __future__ import annotations

import inspect
from dataclasses import dataclass

from whence.cleaning.lens import Lens
from whence.cleaning.lenses.registry import LENSES
from whence.cleaning.parameter import Parameter


@dataclass(frozen=True)
class LensDescription:
    """One lens: its name in `ws.lens`, what it does, what it guesses, and its parameters."""

    name: str
    title: str
    does: str
    guesses: str
    parameters: tuple[Parameter, ...]

    def __str__(self) -> str:
        lines = [f"{self.name}: {self.title}. {self.does} Caveats: {self.guesses}."]
        return "\n".join([*lines, *(f"  {each.name}: {each.label}{_more(each)}" for each in self.parameters)])


def describe_lenses() -> list[LensDescription]:
    """Every lens, in the order in which data is usually cleaned."""
    return [_describe(lens) for lens in LENSES.values()]


def _describe(lens: Lens) -> LensDescription:
    does = (inspect.getdoc(lens) or "").splitlines()[0]
    return LensDescription(lens.name, lens.title, does, lens.guesses, lens.parameters)


def _more(parameter: Parameter) -> str:
    facts = ["needed"] if parameter.is_required else []
    facts += [f"one of {', '.join(parameter.choices)}"] if parameter.choices else []
    facts += [f"default {parameter.default}"] if parameter.default is not None else []
    return f" ({'; '.join(facts)})" if facts else ""
