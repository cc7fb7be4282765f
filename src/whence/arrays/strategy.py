"""How the lineage of an operator is kept: which representation, and by cell or by region."""

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
        """What the operator is asked for; nothing for a black box, which is asked when somebody wants to know."""
        first = self.kind.split()[0]
        return cast(Representation, first) if first in ("map", "full", "pay", "comp") else None

    @property
    def encoding(self) -> Encoding:
        """By cell or by region."""
        return "many" if self.kind.endswith("many") else "one"

    @property
    def is_stored(self) -> bool:
        """Something is written."""
        return self.representation not in (None, "map")

    @property
    def wants(self) -> frozenset[str]:
        """What `emit` keeps."""
        return frozenset({self.kind.split()[0]}) if self.is_stored else frozenset()


COARSE, BLACK_BOX, MAP = Strategy("coarse"), Strategy("black box"), Strategy("map")


def strategy(name: str) -> Strategy:
    """A strategy by its name.

    >>> strategy("comp one").representation
    'comp'
    """
    if name not in get_args(Kind):
        raise BadInput(f"Lineage cannot be kept as {name!r}.", f"Say one of {', '.join(get_args(Kind))}.")
    return Strategy(cast(Kind, name))


def possible(operator: Operator) -> list[Strategy]:
    """Every way to keep the lineage of an operator, the plainest first."""
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
    """What is done where nobody says otherwise: the representation that stores least by its nature."""
    return possible(operator)[0]


def tracing_mode(operator: Operator) -> Strategy:
    """What an operator is asked for when it is run only to learn its lineage: the one that needs least afterwards."""
    given = operator.representations
    return strategy(f"{next(each for each in ('full', 'comp', 'pay') if each in given)} many")
