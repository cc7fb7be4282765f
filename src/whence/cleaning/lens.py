"""What a lens is: a step over a dataset that repairs it, a sentence, and caveats on exactly what it guessed."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import ClassVar

from whence.model.errors import UnknownColumn, UserError
from whence.plan.expr import Column
from whence.plan.fresh import Fresh
from whence.plan.step import Step


@dataclass(frozen=True)
class LensInput:
    """The dataset a lens looks at: its plan, and a way to ask for one statistic (a SQL aggregate)."""

    label: str
    plan: Step
    statistic: Callable[[str], object]
    fresh: Fresh

    def column(self, name: object) -> Column:
        """A column by its name."""
        found = next((column for column in self.plan.columns if column.name == name), None)
        if found is None:
            names = ", ".join(column.name for column in self.plan.columns)
            raise UnknownColumn(f"{self.label} has no column {name}.", f"It has {names}.")
        return found


@dataclass(frozen=True)
class Cleaned:
    """What a lens gives: the steps to run, and what it did in one sentence."""

    plan: Step
    sentence: str


class Lens(ABC):
    """One way of cleaning. It never changes data in silence: a guessed value goes through `caveat_if`."""

    name: ClassVar[str]
    title: ClassVar[str]
    parameters: ClassVar[Mapping[str, str]]
    """Parameter -> what it is, in words."""

    @abstractmethod
    def clean(self, given: LensInput, values: Mapping[str, object]) -> Cleaned:
        """The steps over the input, for these parameter values."""

    def check(self, values: Mapping[str, object]) -> None:
        """Refuse a parameter the lens does not have."""
        for name in values:
            if name not in self.parameters:
                known = ", ".join(self.parameters)
                raise UserError(f"The lens {self.name} has no parameter {name}.", f"It takes {known}.")
