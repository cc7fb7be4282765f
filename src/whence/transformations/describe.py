"""Descriptions of transformations for users of Python and of the command line."""

from __future__ import annotations

from dataclasses import dataclass

from whence.model.parameter import Parameter
from whence.transformations.transformation import Transformation
from whence.transformations.vocabulary.registry import TRANSFORMATIONS


@dataclass(frozen=True)
class LensDescription:
    """One transformation: its name in `ws.lens`, what it does, what it guesses, and its parameters."""

    name: str
    title: str
    does: str
    guesses: str
    parameters: tuple[Parameter, ...]
    group: str = ""
    provenance: str = ""

    def __str__(self) -> str:
        lines = [f"{self.name}: {self.title}. {self.does} Caveats: {self.guesses}."]
        return "\n".join([*lines, *(f"  {each.name}: {each.label}{_more(each)}" for each in self.parameters)])


def describe_lenses() -> list[LensDescription]:
    """Return all transformations that need no Python function, in the order of the registry."""
    return [_describe(each) for each in TRANSFORMATIONS.values() if not each.needs_python]


def _describe(known: Transformation) -> LensDescription:
    return LensDescription(
        name=known.name,
        title=known.title,
        does=known.description,
        guesses=known.guesses,
        parameters=known.parameters,
        group=known.group,
        provenance=known.provenance,
    )


def _more(parameter: Parameter) -> str:
    facts = ["needed"] if parameter.is_required else []
    facts += [f"one of {', '.join(parameter.choices)}"] if parameter.choices else []
    facts += [f"default {parameter.default}"] if parameter.default is not None else []
    return f" ({'; '.join(facts)})" if facts else ""
