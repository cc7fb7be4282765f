"""Runs an operator on its inputs: to make a dataset, or again in tracing mode to recover its lineage."""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa

from whence.arrays.arrays import Form, form_of, read_cells
from whence.arrays.emit import Emit
from whence.arrays.encodings import Arrays, Encoding, pack_full, pack_noted
from whence.arrays.operator import Operator, shape_of
from whence.arrays.shapes import Shapes
from whence.arrays.strategy import Strategy
from whence.model.dataset import DatasetRecord
from whence.model.errors import BadInput, UserError, WhenceError
from whence.model.lazy_module import LazyModule
from whence.store.store import Store

if TYPE_CHECKING:
    import pandas as pd
else:
    pd = LazyModule("pandas")

Input = Any
"""An array, or a pandas frame."""


@dataclass(frozen=True)
class OperatorRun:
    """The result of a run: the output, what the operator said about its lineage, and the seconds it took."""

    output: Any
    shapes: Shapes
    emit: Emit
    seconds: float


def read_input(store: Store, record: DatasetRecord) -> Input:
    """Return a dataset as an operator sees it: an array, or a pandas frame of rows."""
    form: Form | None = form_of(store, record)
    if form is not None:
        return read_cells(store, record, form)
    return store.read(record, 0, record.rows).to_pandas()


def run_operator(operator: Operator, inputs: Sequence[Input], wants: Iterable[str]) -> OperatorRun:
    """Run the operator once; errors of the user's code become a UserError with one sentence."""
    emit = Emit(wants, len(inputs))
    started = time.perf_counter()
    try:
        output = operator.run(inputs, emit)
    except WhenceError:
        raise
    except NotImplementedError as error:
        raise UserError(f"{operator.name} has no run.", "Write run(self, inputs, emit).") from error
    except Exception as error:
        # The code is the user's, and may raise anything.
        shapes = ", ".join(str(shape_of(each)) for each in inputs)
        raise UserError(
            f"{operator.name} failed on inputs of shape {shapes}: {type(error).__name__}: {error}"
        ) from error
    seconds = time.perf_counter() - started
    output = _normalise_output(operator, output)
    return OperatorRun(output, Shapes(tuple(shape_of(each) for each in inputs), shape_of(output)), emit, seconds)


def _normalise_output(operator: Operator, output: object) -> object:
    if isinstance(output, pd.DataFrame | np.ndarray):
        return output
    if isinstance(output, pa.Table):
        return output.to_pandas()
    if isinstance(output, np.generic | int | float | bool | list):
        return np.asarray(output)
    raise BadInput(
        f"{operator.name} returned {type(output).__name__}.", "Return a NumPy array, a pandas frame or an Arrow table."
    )


def pack(ran: OperatorRun, strategy: Strategy) -> Arrays:
    """Return the lineage that a run recorded as arrays; raise BadInput if it names cells outside the shapes."""
    if strategy.representation == "full":
        listed = ran.emit.listed
        _within(listed.outs, ran.shapes.cells, "output")
        for number, (cells, _) in enumerate(listed.ins):
            _within(cells, ran.shapes.cells_of(number), f"input {number}")
        return pack_full(listed, strategy.encoding, ran.shapes)
    noted = ran.emit.noted
    _within(noted.outs, ran.shapes.cells, "output")
    return pack_noted(noted, strategy.encoding)


def smaller_encoding(ran: OperatorRun, strategy: Strategy) -> Encoding:
    """Return the encoding that stores less: `many` where listing by region takes fewer numbers."""
    if strategy.representation == "full":
        listed = ran.emit.listed
        by_region = len(listed.outs) + sum(len(cells) for cells, _ in listed.ins)
        return "many" if by_region < sum(listed.pair_count(n) for n in range(len(listed.ins))) else "one"
    noted = ran.emit.noted
    return "many" if len(noted.values) * 2 < len(noted.outs) else "one"


def _within(cells: Any, count: int, what: str) -> None:  # noqa: ANN401
    if len(cells) and (cells.min() < 0 or cells.max() >= count):
        wrong = int(cells.min() if cells.min() < 0 else cells.max())
        raise BadInput(f"emit was told of cell {wrong} of the {what}, which has the cells 0 to {count - 1}.")
