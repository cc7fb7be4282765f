"""The format of an array file: named NumPy arrays of any length, in the narrowest integer type, as one Arrow file.

Each array is one list value of a single row, so arrays of different length share a file. The field's metadata keeps the
type that an array had, and reading restores it. Rising numbers, such as the ids of rows that a filter keeps, are stored
as differences where these are narrower: if every row comes from the row of the same number, all are 1.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from whence.model.errors import DamagedFile
from whence.store.durable import HashingFile, Syncs, write_file

Array = npt.NDArray[np.generic]

_STEPS = "steps:"
_INTEGERS = (np.int8, np.int16, np.int32, np.int64)


def write_arrays(path: Path, arrays: Mapping[str, Array], syncs: Syncs | None = None) -> HashingFile:
    """Write the arrays. Return when they are on the disk, or leave that to `syncs`."""
    fields, columns = [], []
    for name, array in arrays.items():
        kept, written = _encode(array)
        values = pa.array(kept)
        column = pa.LargeListArray.from_arrays(pa.array([0, len(values)], pa.int64()), values)
        fields.append(pa.field(name, column.type, metadata={"dtype": written}))
        columns.append(column)
    batch = pa.record_batch(columns, schema=pa.schema(fields))

    def fill(file: HashingFile) -> None:
        options = pa.ipc.IpcWriteOptions(compression="zstd")
        with pa.ipc.new_file(pa.PythonFile(file, mode="w"), batch.schema, options=options) as writer:
            writer.write_batch(batch)

    return write_file(path, fill, "sync-array", syncs)


def read_arrays(path: Path) -> dict[str, Array]:
    """Read the arrays with the types they had when they were written."""
    try:
        with pa.OSFile(str(path)) as file, pa.ipc.open_file(file) as reader:
            batch = reader.get_batch(0)
    except (pa.ArrowException, OSError) as error:
        raise DamagedFile(f"The array file {path.name} cannot be read: {error}.") from error
    return {field.name: _widen(field, column) for field, column in zip(batch.schema, batch.columns, strict=True)}


def _encode(array: Array) -> tuple[Array, str]:
    """Return the array as it is written, and the text from which `_widen` restores it."""
    narrow = _narrow(array)
    if array.dtype.kind == "i" and len(array) > 1 and narrow.dtype.itemsize > 1:
        steps = np.diff(array.astype(np.int64, copy=False))
        if steps.min() >= 0:  # an overflow would be negative, so rising steps are safe
            stepped = _narrow(steps)
            if stepped.dtype.itemsize < narrow.dtype.itemsize:
                return stepped, f"{_STEPS}{int(array[0])}:{array.dtype.str}"
    return narrow, array.dtype.str


def _narrow(array: Array) -> Array:
    if array.ndim != 1:
        raise ValueError("an index array has one dimension")
    if array.dtype.kind not in "iu" or not len(array):
        return array
    low, high = int(array.min()), int(array.max())
    for candidate in _INTEGERS:
        bounds = np.iinfo(candidate)
        if bounds.min <= low and high <= bounds.max:
            return array.astype(candidate, copy=False)
    return array


def _widen(field: pa.Field, column: pa.LargeListArray) -> Array:
    stored: Array = column.flatten().to_numpy(zero_copy_only=False)
    written = field.metadata[b"dtype"].decode()
    if not written.startswith(_STEPS):
        return stored.astype(np.dtype(written), copy=False)
    first, _, dtype = written.removeprefix(_STEPS).partition(":")
    whole = np.empty(len(stored) + 1, dtype=np.int64)
    whole[0] = int(first)
    np.cumsum(stored, dtype=np.int64, out=whole[1:])
    whole[1:] += whole[0]
    return whole.astype(np.dtype(dtype), copy=False)
