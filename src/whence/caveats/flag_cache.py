"""Keeps the doubt flags that a run gave after something was acknowledged: the next session need not run it again."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

import numpy as np

from whence.caveats.influence import ROW, Part
from whence.caveats.reach import FlagMasks
from whence.model.dataset import DatasetRecord
from whence.model.errors import DamagedFile, UserError
from whence.store.derived import remove
from whence.store.index_file import IndexFile, write_index
from whence.store.store import Store

FORM = 1
"""Goes into the name of every file: one of another form is never opened."""


class FlagCache:
    """Files of doubt flags under the workspace's tmp, by what they depend on; they can be made again."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def read(self, record: DatasetRecord, question: list[object]) -> FlagMasks | None:
        """What was kept; None if nothing was, or it is not what was written."""
        path = self._path(record, question)
        if not path.exists():
            return None
        try:
            file = IndexFile(path)
            arrays = {name: array.part(0, len(array)) for name, array in file.arrays.items()}
        except DamagedFile:
            remove(path)
            return None
        parts: tuple[Part, ...] = (*record.schema.names, ROW)
        masks = {
            parts[int(name)]: np.unpackbits(bits.view(np.uint8), count=record.rows).astype(bool)
            for name, bits in arrays.items()
        }
        return FlagMasks(masks, bool(file.facts["row_set"]))

    def write(self, record: DatasetRecord, question: list[object], flagged: FlagMasks) -> None:
        """Keep it; a full disk is no reason to fail."""
        parts: list[Part] = [*record.schema.names, ROW]
        bits = {str(parts.index(part)): np.packbits(mask) for part, mask in flagged.masks.items()}
        with suppress(UserError):
            write_index(self._path(record, question), bits, {"row_set": flagged.row_set})

    def _path(self, record: DatasetRecord, question: list[object]) -> Path:
        return self._store.derived.path("recomputed", record.id, [FORM, question])
