"""A table of an SQLite file."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import closing
from pathlib import Path
from urllib.parse import quote

import numpy as np

from whence.loading.cells import read_cells
from whence.loading.problems import Problem, of_file
from whence.loading.read import Loaded
from whence.model.errors import BadInput

SQLITE = b"SQLite format 3\x00"
_TABLES = "select name from sqlite_master where type in ('table', 'view') and name not like 'sqlite_%' order by rowid"


def read_sqlite(path: Path, table: str | None = None, types: Mapping[str, str] | None = None) -> Loaded:
    """Read one table or view: the first, unless another is named."""
    try:
        with closing(sqlite3.connect(f"file:{quote(str(path.resolve()))}?mode=ro", uri=True)) as database:
            names = [name for (name,) in database.execute(_TABLES)]
            chosen = _chosen(names, path, table)
            cursor = database.execute(f'select * from "{chosen.replace(chr(34), chr(34) * 2)}"')
            header, rows = [column[0] for column in cursor.description], cursor.fetchall()
    except sqlite3.Error as error:
        raise BadInput(f"The SQLite file {path} cannot be read: {error}.", "Check it with another program.") from error
    problems = list(_others(names, chosen, table))
    return read_cells(path, header, rows, np.arange(1, len(rows) + 1), problems, types or {})


def _chosen(names: list[str], path: Path, table: str | None) -> str:
    if not names:
        raise BadInput(f"The SQLite file {path} has no table in it.")
    if table is not None and table not in names:
        raise BadInput(f"The SQLite file {path} has no table {table}.", f"There are {', '.join(names)}.")
    return table or names[0]


def _others(names: list[str], chosen: str, table: str | None) -> Iterator[Problem]:
    others = [name for name in names if name != chosen]
    if others and table is None:
        what = f"The table {chosen} was loaded; there are also {', '.join(others)}, table= chooses one."
        yield of_file("other tables", what)
