from __future__ import annotations

import json
from datetime import UTC, date, datetime, time, timedelta
from decimal import Decimal

import pyarrow as pa
import pytest

from whence.server.values import column_to_json, table_to_rows

CASES = [
    (pa.int64(), [0, -5, 2**53 - 1, 2**53, -(2**63), None], [0, -5, 2**53 - 1, str(2**53), str(-(2**63)), None]),
    (
        pa.float64(),
        [0.1, -0.0, 1e300, float("nan"), float("inf"), float("-inf"), None],
        [0.1, "-0.0", 1e300, "NaN", "Infinity", "-Infinity", None],
    ),
    (pa.float32(), [0.1, 16777216.0, float("nan"), None], [0.1, 16777216.0, "NaN", None]),
    (pa.bool_(), [True, False, None], [True, False, None]),
    (pa.string(), ["", "null", "\x00\u202e", "<b>", None], ["", "null", "\x00\u202e", "<b>", None]),
    (pa.binary(), [b"", b"\x00\xff", None], ["", "00ff", None]),
    (
        pa.decimal128(38, 10),
        [Decimal("0E-10"), Decimal("12345678901234567890.0000000001"), None],
        ["0.0000000000", "12345678901234567890.0000000001", None],
    ),
    (pa.date32(), [date(1, 1, 1), date(2024, 2, 29), None], ["0001-01-01", "2024-02-29", None]),
    (pa.time64("us"), [time(23, 59, 59, 1), None], ["23:59:59.000001", None]),
    (pa.timestamp("us"), [datetime(2024, 2, 29, 1, 2, 3, 4), None], ["2024-02-29 01:02:03.000004", None]),
    (pa.timestamp("us", "UTC"), [datetime(2024, 2, 29, tzinfo=UTC), None], ["2024-02-29 00:00:00+00:00", None]),
    (
        pa.duration("us"),
        [timedelta(days=1, seconds=2), -timedelta(seconds=1), None],
        ["1 days 00:00:02", "-0 days 00:00:01", None],
    ),
    (pa.list_(pa.int64()), [[1, None, 2**60], [], None], [[1, None, str(2**60)], [], None]),
    (
        pa.struct([("a", pa.binary()), ("b", pa.float64())]),
        [{"a": b"\x01", "b": float("nan")}, None],
        [{"a": "01", "b": "NaN"}, None],
    ),
    (pa.map_(pa.string(), pa.date32()), [[("k", date(2024, 1, 1))], None], [[["k", "2024-01-01"]], None]),
    (pa.null(), [None, None], [None, None]),
]


@pytest.mark.parametrize(("kind", "stored", "sent"), CASES, ids=[str(case[0]) for case in CASES])
def test_a_value_reaches_the_page_without_loss(kind: pa.DataType, stored: list[object], sent: list[object]) -> None:
    column = pa.chunked_array([pa.array(stored, kind)])
    assert json.loads(json.dumps(column_to_json(column), allow_nan=False)) == sent


def test_a_table_without_columns_still_has_its_rows() -> None:
    assert table_to_rows(pa.table({"a": [1, 2]}).select([])) == [[], []]
