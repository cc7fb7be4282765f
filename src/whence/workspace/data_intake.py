"""The calls of `Workspace` that take data in: files, folders, tables, rows, frames, arrays and uploads."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any

from whence.arrays.create import CellCaveat as ArrayCaveat
from whence.arrays.create import create_array
from whence.engine.frames import Frame
from whence.loading.create import CellCaveat, RowCaveat
from whence.loading.options import Options
from whence.loading.progress import Report
from whence.store.uploads import Incoming
from whence.workspace.array import ArrayDataset
from whence.workspace.create import create_dataset, to_table
from whence.workspace.dataset import Dataset
from whence.workspace.derive_frame import derive_frame
from whence.workspace.load_source import load_source
from whence.workspace.restate import find_load_report, restate
from whence.workspace.workspace_reader import WorkspaceReader


class DataIntake(WorkspaceReader):
    """The calls of `Workspace` that make a dataset from data outside it."""

    def load(
        self,
        path: str | os.PathLike[str] | None = None,
        name: str | None = None,
        key: str | None = None,
        *,
        delimiter: str | None = None,
        quote: str | None = None,
        header: bool | None = None,
        encoding: str | None = None,
        types: Mapping[str, str] | None = None,
        skip: int = 0,
        nulls: Sequence[str] = (),
        comment: str | None = None,
        file_column: str | None = None,
        sheet: str | None = None,
        table: str | None = None,
        user_from: str | None = None,
        password_from: str | None = None,
        allow_private: bool = False,
        in_place: bool | None = None,
        version: int | str | None = None,
        timestamp: str | None = None,
        progress: Report | None = None,
    ) -> Dataset:
        """Load data as a new dataset version. Types come from all rows, misfits become caveats, and no row is dropped.

        `path` is a file, a folder, a pattern, a web address, a path of a Hadoop file system, `jdbc:...` or
        `iceberg://...`. For a table of Spark's catalog pass `table=` alone. whence detects delimiter, header, encoding
        and types of text files. The arguments of these names override it. Folders of Parquet files over 256 MB are read
        where they lie, unless `in_place` says otherwise. Of a Delta or Iceberg table the newest version is loaded, or
        the one that `version` or `timestamp` names. A load that takes more than a second shows a bar on the terminal,
        or calls `progress(done, total, phase)`.

        >>> from pathlib import Path
        >>> _ = Path("parts.csv").write_text("id;price\\n1;2,5\\n2;oops\\n3;4\\n4;1,5\\n")
        >>> parts = ws.load("parts.csv", types={"id": "string"})
        >>> parts.to_arrow().to_pylist()[1], parts.load_report.counts["misfit"]
        ({'id': '2', 'price': None}, 1)
        """
        options = Options(
            delimiter=delimiter,
            quote=quote,
            header=header,
            encoding=encoding,
            types=dict(types or {}),
            skip=skip,
            nulls=tuple(nulls),
            comment=comment,
            file_column=file_column,
        )
        return self._dataset(
            load_source(
                self._context,
                path,
                name=name,
                key=key,
                options=options,
                sheet=sheet,
                table=table,
                user_from=user_from,
                password_from=password_from,
                allow_private=allow_private,
                in_place=in_place,
                version=version,
                timestamp=timestamp,
                progress=progress,
            )
        )

    def reload(self, name: str) -> Dataset:
        """Load the source of a dataset again with the same options, as a new version.

        Caveats that were stated about its rows are stated again about the same rows, found by their keys.

        >>> from pathlib import Path
        >>> _ = Path("stock.csv").write_text("part,n\\nbolt,1\\n")
        >>> ws.load("stock.csv").count
        1
        >>> _ = Path("stock.csv").write_text("part,n\\nbolt,1\\nnut,4\\n")
        >>> ws.reload("stock"), ws.diff("stock@1", "stock@2").added.to_arrow().to_pylist()
        (<Dataset stock@2: 2 rows x 2 columns>, [{'part': 'nut', 'n': 4}])
        """
        before = self[name].record
        report = find_load_report(self._context.store, before)
        options: dict[str, Any] = dict(report.options)
        loaded = self.load(report.source.path, name=before.name, key=report.key, **options)
        return self._dataset(restate(self._context, before, loaded.record))

    def create(
        self,
        name: str,
        data: object,
        schema: str | None = None,
        cell_caveats: Sequence[CellCaveat] = (),
        row_caveats: Sequence[RowCaveat] = (),
    ) -> Dataset:
        """Make a dataset from rows, a dict of columns, a pandas frame, Arrow or a Spark DataFrame; row i gets rid i.

        A frame that `to_pandas` or `to_arrow` returned keeps its doubt flags and its lineage to that dataset.

        >>> ws.create("people", [("Ada", 36)], schema="name string, age int")
        <Dataset people@1: 1 row x 2 columns>
        >>> ws.create("prices", {"item": ["ink", "pen"], "price": [2.5, 1.0]}).to_arrow().to_pylist()
        [{'item': 'ink', 'price': 2.5}, {'item': 'pen', 'price': 1.0}]
        """
        # A Spark frame over datasets of this workspace is a query: derived, its rows keep their lineage.
        is_plain = not (schema or cell_caveats or row_caveats)
        if isinstance(data, Frame) and is_plain and self._context.engine.read(data).sources:
            return self._dataset(derive_frame(self._context, data, name))
        table = to_table(self._context.engine, data, schema)
        return self._dataset(
            create_dataset(self._context, name, data, table=table, cell_caveats=cell_caveats, row_caveats=row_caveats)
        )

    def array(
        self,
        name: str,
        array: object,
        axes: Sequence[str] | None = None,
        cell_caveats: Sequence[ArrayCaveat] = (),
    ) -> ArrayDataset:
        """Store a NumPy array of any number of axes. SQL sees a column for each axis and a column `value`.

        >>> import numpy as np
        >>> sky = ws.array("sky", np.array([[1, 9], [2, 1]]), axes=("y", "x"), cell_caveats=[((0, 1), "hot pixel")])
        >>> sky, ws.sql("select y, sum(value) s from sky group by y order by y", name="lines").to_arrow().to_pylist()
        (<Array sky@1: 2 x 2, int64>, [{'y': 0, 's': 10}, {'y': 1, 's': 3}])
        >>> ws["lines"].lineage.backward([1], to="sky").cells, ws["lines"].caveats.marks().column("s").to_pylist()
        ([(1, 0), (1, 1)], [True, False])
        """
        named = None if axes is None else tuple(axes)
        return ArrayDataset(self._context, create_array(self._context.store, name, array, named, cell_caveats))

    def receive(self, name: str) -> Incoming:
        """Begin an upload: write the file piece by piece, then `finish` returns the path that load cells read.

        >>> from pathlib import Path
        >>> incoming = ws.receive("cities.csv")
        >>> incoming.write(b"city\\nOslo\\n")
        >>> path = incoming.finish()
        >>> Path(path).name, ws.run_cell("load", source=path, name="cities").to_arrow().to_pylist()
        ('cities.csv', [{'city': 'Oslo'}])
        """
        return self._context.store.receive(name)
