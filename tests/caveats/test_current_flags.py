"""The copy of rows with the flags that stand now: written once, and made again if it is damaged."""

from __future__ import annotations

from pathlib import Path
from typing import cast

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from tests.store.making import make
from whence.caveats.current_flags import CurrentFlags
from whence.caveats.doubt_flags import DoubtFlags
from whence.caveats.reach import FlagMasks
from whence.model.dataset import DatasetRecord
from whence.store.doctor import doctor
from whence.store.store import Store


class OneFlag:
    """Flags of a dataset of two rows, of which the second was acknowledged."""

    def stored_flags(self, record: DatasetRecord) -> FlagMasks:
        return FlagMasks({"a": np.array([True, True])}, row_set=False)

    def current_flags(self, record: DatasetRecord) -> FlagMasks:
        return FlagMasks({"a": np.array([True, False])}, row_set=False)


def test_a_damaged_copy_is_found_and_made_again(tmp_path: Path) -> None:
    store = Store.open(tmp_path / "w")
    record = make(store, "t", pa.table({"a": [1, 2]}))

    def part() -> Path:
        rows = CurrentFlags(store, lambda: cast("DoubtFlags", OneFlag())).rows_path(record)
        (file,) = rows.rglob("*.parquet")
        return file

    written = part().read_bytes()
    assert pq.ParquetFile(part()).read().column(1).to_pylist() == [True, False]
    part().write_bytes(written[:20] + bytes([written[20] ^ 1]) + written[21:])
    (said,) = doctor(store)
    assert "is not what was written" in said
    assert (part().read_bytes(), doctor(store)) == (written, [])
    store.close()
