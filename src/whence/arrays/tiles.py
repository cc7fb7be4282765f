"""Runs a local operator tile by tile in Spark's tasks; each tile comes with a halo of the slices around it."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import prod
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from whence.arrays.arrays import VALUE, Form, bands, schema, tile_table
from whence.arrays.operator import Operator
from whence.arrays.shapes import Shape
from whence.arrays.tracing import run_operator
from whence.model.errors import UserError
from whence.model.schema import flag_column
from whence.store.manifest import Manifest
from whence.store.pages import Pages
from whence.store.parts import PartFile, write_part

MANY_CELLS = 8 * (1 << 20)
"""From so many cells on, a local operator runs in Spark's tasks."""

Run = Callable[[Callable[["Tile"], "TileFile"], Sequence["Tile"]], list["TileFile"]]
"""Runs a function on each tile, in Spark's tasks or in this process."""


@dataclass(frozen=True)
class StoredArray:
    """The files of an input. It holds no open file, so that Spark can send it to a task."""

    folder: Path
    manifest: Manifest
    form: Form

    def read(self, start: int, stop: int) -> npt.NDArray[Any]:
        """Return slices start..stop-1 along the first axis; an input of one cell is read whole for every tile."""
        width = prod(self.form.shape[1:])
        rows = (start * width, stop * width) if self.form.shape else (0, 1)
        table = Pages(self.folder, self.manifest).read(*rows, [VALUE])
        cells: npt.NDArray[Any] = table.column(0).to_numpy().astype(np.dtype(self.form.dtype), copy=False)
        return cells.reshape((stop - start, *self.form.shape[1:]) if self.form.shape else ())


@dataclass(frozen=True)
class Tile:
    """One task: the slices start..stop-1 of the output, and how many slices beyond them it must read."""

    operator: Operator
    inputs: tuple[StoredArray, ...]
    start: int
    stop: int
    halo: int
    staging: Path
    flags: Path | None


@dataclass(frozen=True)
class TileFile:
    """The file that a task wrote, and the type of its cells."""

    part: PartFile
    dtype: str


def is_local(operator: Operator, forms: Sequence[Form | None]) -> bool:
    """Whether it reads a fixed radius around each cell, and its inputs are arrays of one shape or single cells."""
    if operator.radius is None or any(form is None for form in forms):
        return False
    shapes = {form.shape for form in forms if form is not None and form.shape}
    return len(shapes) == 1 and operator.representations == {"map"}


def run_tiles(run: Run, operator: Operator, inputs: Sequence[StoredArray], staging: Path, mask: Any) -> list[TileFile]:  # noqa: ANN401
    """Run the operator on every tile and return the files; `mask` marks the cells in doubt."""
    shape = next(each.form.shape for each in inputs if each.form.shape)
    path = None
    if mask is not None:
        path = staging / "flags.npy"
        # Tasks map this file into memory, so that the mask is not sent with each of them.
        np.save(path, mask)
    # Tiles are cut along the first axis only, so only the radius on this axis needs a halo.
    halo = operator.radius if isinstance(operator.radius, int) else (operator.radius or (0,))[0]
    tiles = [
        Tile(operator=operator, inputs=tuple(inputs), start=start, stop=stop, halo=halo, staging=staging, flags=path)
        for start, stop in bands(shape)
    ]
    made = run(make_tile, tiles)
    if path is not None:
        path.unlink()
    if len({each.dtype for each in made}) > 1:
        kinds = ", ".join(sorted({each.dtype for each in made}))
        raise UserError(f"{operator.name} gave cells of different types for different tiles: {kinds}.")
    return made


def make_tile(tile: Tile) -> TileFile:
    """Run one task: read the tile with its halo, run the operator, cut the halo off, write the file."""
    shape = next(each.form.shape for each in tile.inputs if each.form.shape)
    low, high = max(tile.start - tile.halo, 0), min(tile.stop + tile.halo, shape[0])
    output = run_operator(tile.operator, [each.read(low, high) for each in tile.inputs], ()).output
    given = (high - low, *shape[1:])
    if np.shape(output) != given:
        raise UserError(
            f"{tile.operator.name} has a radius, and returned the shape {np.shape(output)} for {given}.",
            "A local operator keeps the shape of its input.",
        )
    cells = output[tile.start - low : tile.stop - low]
    form = _form(shape, cells.dtype.str)
    table = tile_table(cells, form, tile.start)
    if tile.flags is not None:
        width = prod(shape[1:])
        mask = np.load(tile.flags, mmap_mode="r")[tile.start * width : tile.stop * width]
        table = table.append_column(flag_column(schema(form).names.index(VALUE)), pa.array(np.asarray(mask)))
    # A task may be run twice, so each attempt writes a file of its own.
    path = tile.staging / f"tile-{tile.start:012d}-{os.urandom(4).hex()}.parquet"
    return TileFile(write_part(path, table.to_batches(), table.schema), cells.dtype.str)


def _form(shape: Shape, dtype: str) -> Form:
    return Form(shape, dtype, tuple(f"axis{number}" for number in range(len(shape))))
