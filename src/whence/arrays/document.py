"""The stored document about a run of an operator: which operator, on which shapes, and how its lineage is kept."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, cast

from whence.arrays.shapes import Shapes
from whence.arrays.strategy import Strategy, strategy

NAME = "operator"
FILE = "operator"


@dataclass(frozen=True)
class OperatorDocument:
    """What is stored about a run of an operator.

    It took `seconds`, and packing its lineage `capture_seconds` more. `bytes` counts lineage before compression.
    """

    operator: Mapping[str, Any]
    shapes: Shapes
    strategy: Strategy
    seconds: float
    capture_seconds: float = 0.0
    bytes: int = 0

    def to_json(self) -> dict[str, object]:
        """Return the document as JSON."""
        return {
            "operator": dict(self.operator),
            "inputs": [list(shape) for shape in self.shapes.inputs],
            "out": list(self.shapes.out),
            "strategy": self.strategy.kind,
            "seconds": self.seconds,
            "capture_seconds": self.capture_seconds,
            "bytes": self.bytes,
        }

    @classmethod
    def from_json(cls, content: Mapping[str, Any]) -> OperatorDocument:
        """Return the document that `to_json` wrote."""
        shapes = Shapes(
            tuple(tuple(shape) for shape in cast("list[list[int]]", content["inputs"])), tuple(content["out"])
        )
        return cls(
            operator=content["operator"],
            shapes=shapes,
            strategy=strategy(content["strategy"]),
            seconds=float(content["seconds"]),
            capture_seconds=float(content["capture_seconds"]),
            bytes=int(content["bytes"]),
        )
