"""The base class of the grammar's operators (stats, geoms, positions, scales), and how one is found by name."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar, TypeVar

from whence.charts.errors import near, wrong
from whence.charts.options import Chosen, check_options
from whence.model.parameter import Parameter


@dataclass(frozen=True)
class Call:
    """An operator as a specification names it: `bin`, or `{"type": "bin", "bins": 10}`."""

    name: str
    given: Mapping[str, object]
    """The options as they were written, not yet checked."""
    path: str
    """Its place in the JSON, for messages."""

    def to_json(self) -> object:
        """Return the call as JSON: a name, or a mapping if there are options."""
        return {"type": self.name, **self.given} if self.given else self.name


class Operator:
    """A stat, geom, position or scale."""

    name: ClassVar[str]
    title: ClassVar[str]
    """What it does, in a few words, for forms and docs."""
    options: ClassVar[tuple[Parameter, ...]] = ()

    def choose(self, call: Call) -> Chosen:
        """Return all options of a call with their values, checked."""
        return check_options(self.name, self.options, call.given, call.path)


Kind = TypeVar("Kind", bound=Operator)


def find(registry: Mapping[str, Kind], aliases: Mapping[str, str], call: Call, what: str) -> Kind:
    """Return the operator that a call names."""
    name = aliases.get(call.name, call.name)
    if name not in registry:
        raise wrong(
            call.path,
            f"there is no {what} {call.name}",
            near(call.name, [*registry, *aliases], f"{what.capitalize()}s"),
        )
    return registry[name]
