"""An array as a dataset: one row for each cell in C order, with its coordinates and its value, written tile by tile."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from math import prod
from pathlib import Path
from typing import Any, cast

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from whence.arrays.shapes import Shape
from whence.model.dataset import DatasetRecord
from whence.model.errors import BadInput
from whence.model.schema import Schema
from whence.store.key_columns import DOCUMENT as KEYS
from whence.store.parts import PartFile, write_part
from whence.store.store import Store
from whence.store.types import schema_of

NAME = "array"
VALUE = "value"

TILE = 1 << 20
"""About how many cells a tile has; a tile is a band of whole slices along the first axis."""

Array = npt.NDArray[Any]


@dataclass(frozen=True)
class Form:
    """The shape and type of an array, and what its axes are called."""

    shape: Shape
    dtype: str
    axes: tuple[str, ...]

    @property
    def cells(self) -> int:
        """The number of cells."""
        return prod(self.shape)

    def to_json(self) -> dict[str, object]:
        """Return the form as a JSON document."""
        return {"shape": list(self.shape), "dtype": self.dtype, "axes": list(self.axes)}

    @classmethod
    def from_json(cls, content: Mapping[str, object]) -> Form:
        """Return the form that `to_json` wrote."""
        shape = tuple(cast("list[int]", content["shape"]))
        return cls(shape, str(content["dtype"]), tuple(cast("list[str]", content["axes"])))

    def documents(self, *, is_source: bool) -> dict[str, object]:
        """Return what is stored beside the cells: this form, and the coordinates as the row key."""
        names = self.axes or (VALUE,)
        keys: dict[str, object] = {"columns": list(names), "declared": True}
        if not is_source:
            keys = {"key": {"values": [{"shown": name} for name in names]}}
        return {NAME: self.to_json(), KEYS: keys}


def form_of(store: Store, record: DatasetRecord) -> Form | None:
    """Return the form of an array dataset; None for a dataset of rows."""
    if record.origin not in ("array", "operator"):
        return None
    content = store.document(record, NAME)
    return None if content is None else Form.from_json(content)


def checked(array: object, axes: tuple[str, ...] | None = None) -> tuple[Array, Form]:
    """Return a NumPy array with its form; raise BadInput if it cannot be stored."""
    if isinstance(array, np.ma.MaskedArray):
        raise BadInput("An array with masked cells cannot be stored.", "Fill them first: array.filled(...).")
    cells = np.asarray(array)
    # Truth values, whole numbers with and without sign, floats, text, dates. Arrow has no float of more than 8 bytes.
    if cells.dtype.kind not in "biufUM" or (cells.dtype.itemsize > 8 and cells.dtype.kind == "f"):
        raise BadInput(
            f"An array of {cells.dtype} cannot be stored.", "Use whole or floating numbers, booleans, text or dates."
        )
    # `_plain` stores unsigned 64-bit numbers as signed ones, which have half the range.
    if cells.dtype.kind == "u" and cells.dtype.itemsize == 8 and cells.size and cells.max() > np.iinfo(np.int64).max:
        raise BadInput(f"The number {cells.max()} is too large to be stored.", "Use signed or floating numbers.")
    names = tuple(f"axis{number}" for number in range(cells.ndim)) if axes is None else tuple(axes)
    if len(names) != cells.ndim or len({name.lower() for name in (*names, VALUE)}) != len(names) + 1:
        raise BadInput(
            f"An array of {cells.ndim} axes cannot have the axes {', '.join(names) or 'none'}.",
            f"Give each axis a name of its own, other than {VALUE}.",
        )
    return cells, Form(cells.shape, cells.dtype.str, names)


def schema(form: Form) -> Schema:
    """Return the columns of an array dataset: its coordinates, then the value."""
    return schema_of(tile_table(np.empty((0, *form.shape[1:]), dtype=form.dtype), form, 0).schema)


def bands(shape: Shape, most: int = TILE) -> list[tuple[int, int]]:
    """Return the tiles of an array as (start, stop) of slices along its first axis.

    >>> bands((10, 100), most=400)
    [(0, 4), (4, 8), (8, 10)]
    """
    if not shape or not prod(shape):
        return [(0, shape[0] if shape else 1)]
    height = max(1, most // max(prod(shape[1:]), 1))
    return [(start, min(start + height, shape[0])) for start in range(0, shape[0], height)]


def tile_table(tile: Array, form: Form, start: int) -> pa.Table:
    """Return a row for each cell of a tile; its first slice is slice `start` of the array."""
    shape = (len(tile), *form.shape[1:]) if form.shape else ()
    columns = {}
    for axis, name in enumerate(form.axes):
        # Coordinates take four bytes each, unless an axis is too long for that.
        along = np.arange(shape[axis], dtype=np.int32 if max(form.shape) < 2**31 else np.int64)
        places = (along + start if axis == 0 else along).reshape([-1 if a == axis else 1 for a in range(len(shape))])
        columns[name] = pa.array(np.broadcast_to(places, shape).ravel())
    columns[VALUE] = pa.array(_plain(tile).ravel())
    return pa.table(columns)


def _plain(cells: Array) -> Array:
    # Spark SQL has no type for unsigned 64-bit integers or half floats; `_back` restores the type from the form.
    if cells.dtype.kind == "u" and cells.dtype.itemsize == 8:
        return cells.astype(np.int64)
    if cells.dtype == np.float16:
        return cells.astype(np.float32)
    return cells.astype(cells.dtype.newbyteorder("="), copy=False)


def write_tiles(folder: Path, cells: Array, form: Form, flags: pa.Table | None = None) -> tuple[PartFile, ...]:
    """Write an array, one Parquet file for each tile; `flags` has columns with one doubt flag for each cell."""
    parts = []
    for number, (start, stop) in enumerate(bands(form.shape)):
        tile = cells[start:stop] if form.shape else cells
        table = tile_table(tile, form, start)
        if flags is not None:
            first = start * prod(form.shape[1:])
            mine = flags.slice(first, table.num_rows)
            table = pa.table(dict(zip([*table.column_names, *mine.column_names], _all(table, mine), strict=True)))
        parts.append(write_part(folder / f"tile-{number:05d}.parquet", table.to_batches(), table.schema))
    return tuple(parts)


def _all(left: pa.Table, right: pa.Table) -> Iterator[pa.ChunkedArray]:
    yield from left.columns
    yield from right.columns


def read_cells(store: Store, record: DatasetRecord, form: Form, start: int = 0, stop: int | None = None) -> Array:
    """Return the slices start..stop-1 along the first axis as an array."""
    if not form.shape:
        return _back(store.read(record, 0, 1, [VALUE]), form).reshape(())
    width = prod(form.shape[1:])
    begin, end, _ = slice(start, stop).indices(form.shape[0])
    table = store.read(record, begin * width, max(end, begin) * width, [VALUE])
    return _back(table, form).reshape((max(end - begin, 0), *form.shape[1:]))


def _back(table: pa.Table, form: Form) -> Array:
    cells: Array = table.column(VALUE).to_numpy()
    return cells.astype(np.dtype(form.dtype), copy=False)
