"""Strategies for keeping the lineage of an operator: a representation, stored by cell (`one`) or region (`many`)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, cast, get_args

from whence.arrays.encodings import Encoding
from whence.arrays.operator import Operator, Representation
from whence.model.errors import BadInput

Kind = Literal["map", "full one", "full many", "pay one", "pay many", "comp one", "comp many", "black box", "coarse"]


@dataclass(frozen=True)
class Strategy:
    """One way to keep lineage, by the name users see."""

    kind: Kind

    @property
    def representation(self) -> Representation | None:
        """What the operator must provide; None for coarse lineage and for a black box, which a question runs again."""
        first = self.kind.split()[0]
        return cast(Representation, first) if first in ("map", "full", "pay", "comp") else None

    @property
    def encoding(self) -> Encoding:
        """`one` entry for each cell, or one for `many` cells that share a region."""
        return "many" if self.kind.endswith("many") else "one"

    @property
    def is_stored(self) -> bool:
        """Whether the run stores lineage: a map, a black box and coarse lineage store none."""
        return self.representation not in (None, "map")

    @property
    def wants(self) -> frozenset[str]:
        """The representations that `emit` keeps."""
        return frozenset({self.kind.split()[0]}) if self.is_stored else frozenset()


COARSE, BLACK_BOX, MAP = Strategy("coarse"), Strategy("black box"), Strategy("map")


def strategy(name: str) -> Strategy:
    """Return the strategy of this name.

    >>> strategy("comp one").representation
    'comp'
    """
    if name not in get_args(Kind):
        raise BadInput(f"Lineage cannot be kept as {name!r}.", f"Say one of {', '.join(get_args(Kind))}.")
    return Strategy(cast(Kind, name))


def possible(operator: Operator) -> list[Strategy]:
    """Return every strategy the operator allows, the default first."""
    given = operator.representations
    if not given:
        return [COARSE]
    found = [MAP] if "map" in given else []
    for representation in ("comp", "pay", "full"):
        if representation in given:
            found += [strategy(f"{representation} {encoding}") for encoding in ("one", "many")]
    can_rerun = operator.deterministic and given & {"full", "pay", "comp"}
    return [*found, BLACK_BOX] if can_rerun else found


def usual(operator: Operator) -> Strategy:
    """Return the default strategy: the representation that stores least by its nature."""
    return possible(operator)[0]


def tracing_mode(operator: Operator) -> Strategy:
    """Return the strategy for a run that only recovers lineage: listed regions if possible, else payloads."""
    given = operator.representations
    return strategy(f"{next(each for each in ('full', 'comp', 'pay') if each in given)} many")
