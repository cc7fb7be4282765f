"""Rows of Delta and Iceberg tables in an order that does not depend on their files, and a query with every type."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pyarrow as pa

Row = dict[str, Any]

EVERY_TYPE = """
select id n, cast(id as decimal(20, 2)) d, timestamp'2024-01-01 00:00:00' t,
       timestamp_ntz'1900-01-01 00:00:00' z,
       if(id = 1, null, 'ö' || id) s, array(id) l, map('k', id) m, named_struct('a', id) r, date'2024-01-01' y,
       double('NaN') x, cast('ab' as binary) b, id > 1 yes
from range(4)
"""
"""Four rows with a column of every type that both formats hold."""


def in_order(rows: Sequence[Row]) -> list[Row]:
    return sorted(({name: row[name] for name in sorted(row)} for row in rows), key=repr)


def by_number(table: pa.Table) -> list[Row]:
    return sorted(table.to_pylist(), key=lambda row: row["n"])
