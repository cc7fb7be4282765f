"""A dataset as a Python cell sees it: its rows as Arrow, pandas or polars, or as a PySpark DataFrame."""

from __future__ import annotations

import importlib
import mmap
import os
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, NoReturn

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq

from whence.notebook.workers.inside.known_rows import INDEX
from whence.notebook.workers.inside.mimebundle import Bundle

if TYPE_CHECKING:
    from whence.notebook.workers.inside.requests import Requests


@dataclass(frozen=True)
class DatasetDescription:
    """Facts about a dataset that need none of its rows."""

    name: str
    version: int
    rows: int
    columns: tuple[tuple[str, str], ...]
    """Name and Spark's type of each column."""
    label: str
    """Name and version in the workspace, which may differ from the name in the notebook."""

    @property
    def index_name(self) -> str:
        """The name of the pandas index by which whence recognises rows of this version in a result."""
        return f"{self.label}{INDEX}"


class Handle:
    """One dataset version. It reads no rows before the cell asks for them."""

    def __init__(self, known: DatasetDescription, requests: Requests) -> None:
        self._known = known
        self._requests = requests

    @property
    def name(self) -> str:
        """The name of the dataset in the notebook."""
        return self._known.name

    @property
    def version(self) -> int:
        """The number of this version."""
        return self._known.version

    @property
    def count(self) -> int:
        """The number of rows."""
        return self._known.rows

    @property
    def label(self) -> str:
        """Name and version in the workspace."""
        return self._known.label

    @property
    def index_name(self) -> str:
        """The name of the index of its pandas frame."""
        return self._known.index_name

    @property
    def columns(self) -> list[str]:
        """Column names."""
        return [name for name, _ in self._known.columns]

    @property
    def schema(self) -> dict[str, str]:
        """The type of each column, as Spark calls it."""
        return dict(self._known.columns)

    @cached_property
    def _table(self) -> pa.Table:
        return read_parts(self._requests.parts(self.name), self.columns)

    def to_arrow(self) -> pa.Table:
        """All rows as an Arrow table."""
        return self._table

    def rows(self, start: int = 0, stop: int | None = None) -> pa.Table:
        """Rows start..stop-1 as an Arrow table."""
        return self._table.slice(start, (self.count if stop is None else stop) - start)

    def head(self, n: int = 5) -> pd.DataFrame:
        """The first rows as a pandas frame, whose index says which row is which."""
        return self._framed(self._table.slice(0, max(n, 0)))

    def to_pandas(self) -> pd.DataFrame:
        """All rows as a pandas frame, whose index says which row is which.

        A frame that keeps this index, whatever happens to its columns, keeps the identity of its rows.
        """
        return self._framed(self._table)

    def _framed(self, first: pa.Table) -> pd.DataFrame:
        frame: pd.DataFrame = first.to_pandas()
        frame.index = pd.RangeIndex(len(frame), name=self._known.index_name).astype("int64")
        return frame

    def to_polars(self) -> Any:  # noqa: ANN401 - polars need not be installed
        """All rows as a polars frame."""
        try:
            polars = importlib.import_module("polars")
        except ImportError:
            raise ImportError("polars is not installed here; install it, or use to_pandas or to_arrow.") from None
        return polars.from_arrow(self._table)

    @property
    def df(self) -> Any:  # noqa: ANN401 - a PySpark DataFrame
        """The dataset as a PySpark DataFrame; what is made from it keeps exact lineage."""
        return self._requests.frame(self.name)

    def __len__(self) -> int:
        return self.count

    def __getattr__(self, name: str) -> NoReturn:
        if name.startswith("_"):  # protocols ask for such names to see whether they are there
            raise AttributeError(name)
        raise AttributeError(f"A dataset has no {name}; {self._instead(f'.{name}', hasattr(pd.DataFrame, name))}")

    def __getitem__(self, key: object) -> NoReturn:
        raise TypeError(f"A dataset has no [{key!r}]; {self._instead(f'[{key!r}]', is_there=True)}")

    def _instead(self, asked: str, is_there: bool) -> str:
        frame = f'ws["{self.name}"].to_pandas()'
        return f"a pandas frame has: {frame}{asked}" if is_there else f"{frame} gives a pandas frame of its rows."

    def __repr__(self) -> str:
        return f"<dataset {self.name}@{self.version}: {self.count} rows, {len(self.columns)} columns>"

    def _repr_mimebundle_(self, **_: object) -> Bundle:
        # The name in the workspace: a page asks for the rows by it.
        shown: dict[str, object] = {"name": self.label.rpartition("@")[0], "version": self.version, "rows": self.count}
        return {"text/plain": repr(self), "application/vnd.whence.dataset+json": shown}


def read_parts(descriptors: Sequence[int], columns: list[str]) -> pa.Table:
    """Return the rows of part files, which are memory-mapped, not copied. A damaged page raises an error."""
    tables = []
    for descriptor in descriptors:
        mapped = mmap.mmap(descriptor, 0, prot=mmap.PROT_READ)
        os.close(descriptor)
        with pq.ParquetFile(pa.BufferReader(pa.py_buffer(mapped)), page_checksum_verification=True) as file:
            # pyarrow reads the column "a.b" as well when asked for "a".
            rows = file.read(columns=columns).select(columns)
            # A new table with nullable columns: what a cell makes from a dataset without NULL may hold some.
            tables.append(pa.table(rows.columns, names=columns))
    return pa.concat_tables(tables)
