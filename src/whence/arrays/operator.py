"""The base class of operators: what a class declares about its lineage, and what holds if it declares nothing."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar, Literal

import numpy as np
import numpy.typing as npt

from whence.arrays.emit import Emit
from whence.arrays.reach import everything, neighbours
from whence.arrays.shapes import Ids, Shape, Shapes
from whence.model.errors import UserError

Representation = Literal["full", "map", "pay", "comp"]

Full: Representation = "full"
"""The operator lists the input cells behind each output cell while it runs."""
Map: Representation = "map"
"""`map_b` and `map_f` compute the lineage from cell numbers and shapes alone; nothing is stored."""
Pay: Representation = "pay"
"""The operator records a few bytes for output cells; `map_p` computes lineage from these. Other cells have none."""
Comp: Representation = "comp"
"""Composite: like Pay, but `map_b` and `map_f` give the lineage of cells without a payload."""


class Operator:
    """A function of datasets that knows where its output comes from.

    Arrays come in as NumPy arrays, rows as pandas frames, one for each input; what `run` returns becomes a dataset.
    Cells are known by their number in C order, rows by their position.

    >>> import numpy as np
    >>> class Mirror(whence.Operator):
    ...     gives = {whence.Map}
    ...     def run(self, inputs, emit):
    ...         return inputs[0][::-1]
    ...     def map_b(self, out, shapes, i=0):
    ...         return shapes.cells - 1 - out
    ...     map_f = map_b
    >>> raw = ws.array("samples", np.array([1.5, 2.5, 4.0]))
    >>> mirrored = ws.apply(Mirror(), "samples", name="mirrored")
    >>> mirrored.to_numpy().tolist(), mirrored.lineage.backward([(0,)], to="samples").cells
    ([4.0, 2.5, 1.5], [(2,)])
    """

    gives: ClassVar[set[Representation]] = set()
    """Which representations it can produce. With none, every output cell may come from every input cell."""

    radius: int | tuple[int, ...] | None = None
    """How far around its own place an output cell reads the input, on each axis; the operator may run tile by tile."""

    deterministic: bool = True
    """Whether the same input always gives the same output, so that another run can recover the lineage."""

    def run(self, inputs: Sequence[Any], emit: Emit) -> Any:  # noqa: ANN401 - arrays and frames of the user's libraries
        """Return the output, and tell `emit` the lineage that `emit.wants`."""
        raise NotImplementedError

    # Cells are given by place: a type checker would refuse `map_f = map_b` if their names were part of the contract.
    def map_b(self, out: Ids, /, shapes: Shapes, i: int = 0) -> object:
        """Return, for each output cell, the cells of input i it was made from."""
        if self.radius is not None:  # an input of one cell is used everywhere
            return neighbours(out, self.radius, shapes[i]) if shapes[i] else np.zeros(len(out), dtype=np.int64)
        raise UserError(f"{self.name} says it gives a map, but has no map_b.", "Write map_b(self, out, shapes, i).")

    def map_f(self, ins: Ids, /, shapes: Shapes, i: int = 0) -> object:
        """Return, for each cell of input i, the output cells made from it."""
        if self.radius is not None:
            return neighbours(ins, self.radius, shapes.out) if shapes[i] else everything(len(ins), shapes.cells)
        raise UserError(f"{self.name} says it gives a map, but has no map_f.", "Write map_f(self, ins, shapes, i).")

    def map_p(self, out: Ids, payload: npt.NDArray[Any], shapes: Shapes, i: int = 0) -> object:
        """Return, for each output cell and its payload, the cells of input i it was made from."""
        raise UserError(f"{self.name} notes payloads, but has no map_p.", "Write map_p(self, out, payload, shapes, i).")

    def is_same(self, shapes: Shapes, i: int) -> bool:
        """Whether each output cell comes from the input cell of the same number, so that lookups cost nothing."""
        return False

    def covers(self, shapes: Shapes, i: int, *, backward: bool) -> bool | Ids | None:
        """Return what all cells together reach by the map: True for every cell, ids, or None if unknown."""
        return None

    @property
    def name(self) -> str:
        """The name of the operator in messages and plans."""
        return type(self).__name__

    @property
    def representations(self) -> frozenset[Representation]:
        """The representations it can produce; a radius alone makes a map."""
        return frozenset(self.gives) | ({Map} if self.radius is not None and not self.gives else frozenset())


def shape_of(value: Any) -> Shape:  # noqa: ANN401
    """Return the shape of an array, or (rows,) for a frame."""
    return value.shape if isinstance(value, np.ndarray) else (len(value),)
