"""Avro files: every value is kept, or a sentence says what became of it. fastavro itself is the other reader."""

from __future__ import annotations

import sys
import uuid
from datetime import UTC, date, datetime, time
from decimal import Decimal
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests.loading.reading import notes_of
from whence.loading import load_path
from whence.loading.load import LoadRequest
from whence.loading.options import Options
from whence.model.errors import BadInput, UserError
from whence.store.doctor import doctor
from whence.store.store import Store

if TYPE_CHECKING:
    import fastavro
else:
    fastavro = pytest.importorskip("fastavro")


Schema = dict[str, Any] | list[Any]


def schema_of(**fields: object) -> dict[str, Any]:
    named = [{"name": name, "type": kind} for name, kind in fields.items()]
    return {"type": "record", "name": "r", "namespace": "n.s", "fields": named}


def logical(kind: str, meaning: str, **more: object) -> dict[str, Any]:
    return {"type": kind, "logicalType": meaning, **more}


def fixed(size: int, name: str, logical_type: str) -> dict[str, Any]:
    return logical("fixed", logical_type, size=size, name=name)


def write(path: Path, schema: Schema, rows: list[Any], codec: str = "deflate", interval: int = 16_000) -> None:
    with path.open("wb") as file:
        fastavro.writer(file, fastavro.parse_schema(schema), rows, codec=codec, sync_interval=interval)


def test_values_are_those_that_fastavro_reads(store: Store, tmp_path: Path) -> None:
    cents = logical("bytes", "decimal", precision=4, scale=1)
    schema = schema_of(
        n=["null", "int"], big="long", x=["double", "null"], f="float", yes="boolean", s=["null", "string"],
        raw="bytes",
        kind={"type": "enum", "name": "kind", "symbols": ["low", "high"]},
        again=["null", "n.s.kind"],
        day=logical("int", "date"), at=logical("long", "timestamp-micros"), ms=logical("long", "timestamp-millis"),
        here=logical("long", "local-timestamp-micros"),
        price=logical("bytes", "decimal", precision=10, scale=2),
        many={"type": "array", "items": ["null", "long"]},
        rec={"type": "record", "name": "inner", "fields": [{"name": "cents", "type": cents}]},
    )  # fmt: skip
    first = {
        "n": None, "big": -(2**63), "x": float("nan"), "f": 0.5, "yes": True, "s": "naïve 🦆", "raw": b"\x00\xff",
        "kind": "high", "again": "low", "day": date(1, 1, 1), "at": datetime(2024, 7, 1, 12, tzinfo=UTC),
        "ms": datetime(1969, 12, 31, 23, 59, 59, 999000, tzinfo=UTC), "here": datetime(2024, 3, 31, 2, 30),
        "price": Decimal("-0.05"), "many": [1, None], "rec": {"cents": Decimal("-12.5")},
    }  # fmt: skip
    second = {**first, "n": 7, "x": None, "s": "", "again": None, "many": [], "day": date(9999, 12, 31)}
    write(tmp_path / "t.avro", schema, [first, second] * 3, interval=10)
    record = load_path(store, tmp_path / "t.avro", "t")
    with (tmp_path / "t.avro").open("rb") as file:
        expected = list(fastavro.reader(file))
    read = store.read(record, 0, 9).to_pylist()
    for row in (*read, *expected):
        row["x"] = repr(row["x"])  # NaN equals nothing, not even itself
    assert read == expected
    assert [field.type for field in record.schema] == [
        "int", "bigint", "double", "float", "boolean", "string", "binary", "string", "string", "date", "timestamp",
        "timestamp", "timestamp_ntz", "decimal(10,2)", "array<bigint>", "struct<cents:decimal(4,1)>",
    ]  # fmt: skip
    assert (notes_of(store, record), doctor(store)) == ([], [])


def test_types_that_have_no_place_are_told(store: Store, tmp_path: Path) -> None:
    tree: dict[str, Any] = {"type": "record", "name": "tree", "fields": [{"name": "left", "type": ["null", "tree"]}]}
    schema = schema_of(
        either=["null", "int", "string"], wide=["int", "long"], real=["float", "double"],
        deep={"type": "array", "items": ["int", "string"]},
        clock=logical("int", "time-millis"), long=logical("bytes", "decimal", precision=60, scale=2),
        longer=logical("bytes", "decimal", precision=90, scale=1), id=logical("string", "uuid"),
        binary_id=fixed(16, "i", "uuid"), span=fixed(12, "p", "duration"),
        four={"type": "fixed", "name": "q", "size": 4},
        tree=tree, none="null", odd=logical("int", "of-another-program"), map={"type": "map", "values": "long"},
        empty={"type": "record", "name": "e", "fields": []},
    )  # fmt: skip
    row = {
        "either": "1", "wide": 2**40, "real": 0.1, "deep": [1, "1"], "clock": time(1, 2, 3), "long": Decimal("1" * 55),
        "longer": Decimal("1" * 80), "id": uuid.UUID(int=1), "binary_id": uuid.UUID(int=2).bytes,
        "span": (1).to_bytes(4, "little") + (2).to_bytes(4, "little") + (3).to_bytes(4, "little"), "four": b"abcd",
        "tree": {"left": {"left": None}}, "none": None, "odd": 5, "map": {"k": 1}, "empty": {},
    }  # fmt: skip
    write(tmp_path / "t.avro", schema, [row, {**row, "either": 1}])
    record = load_path(store, tmp_path / "t.avro", "t")
    assert store.read(record, 0, 1).to_pylist() == [
        {
            "either": '"1"', "wide": 2**40, "real": 0.1, "deep": ["1", '"1"'], "clock": "01:02:03.000",
            "long": "1" * 55 + ".00", "longer": "1" * 80 + ".0", "id": str(uuid.UUID(int=1)),
            "binary_id": str(uuid.UUID(int=2)), "span": "[1, 2, 3000000]", "four": b"abcd",
            "tree": {"left": '{"left": null}'}, "none": None, "odd": 5, "map": [("k", 1)], "empty": "{}",
        }
    ]  # fmt: skip
    assert store.read(record, 1, 2)["either"].to_pylist() == ["1"]
    several = "holds values of several types; they are JSON text, as the file has them."
    assert notes_of(store, record) == [
        f"Column either {several}",
        f"Column deep {several}",
        "Column clock: its times of day are text.",
        "Column long: its numbers have up to 60 digits and are text.",
        "Column longer holds numbers of more than 76 digits; they are text.",
        "Column span: its values of type month_day_nano_interval are JSON text.",
        "Column tree holds records of their own type; they are JSON text, as the file has them.",
        "Column empty: its values of type struct<> are JSON text.",
    ]


def test_times_beyond_the_years_of_python_and_finer_than_microseconds(store: Store, tmp_path: Path) -> None:
    plain = schema_of(t="long", n="long")
    write(tmp_path / "t.avro", plain, [{"t": 2**60, "n": 1_001}, {"t": 0, "n": 1_000}], codec="null")
    # The same numbers, called times: fastavro writes no time that Python does not have.
    data = (tmp_path / "t.avro").read_bytes()
    times = schema_of(t=logical("long", "timestamp-micros"), n=logical("long", "timestamp-nanos"))
    write(tmp_path / "u.avro", times, [], codec="null")
    sync = data[-16:]
    head = (tmp_path / "u.avro").read_bytes()
    body = data[data.index(sync) + 16 :] if data.count(sync) > 1 else b""
    (tmp_path / "u.avro").write_bytes(head[:-16] + sync + body)
    record = load_path(store, tmp_path / "u.avro", "t")
    assert store.read(record, 0, 9)["t"].cast("int64").to_pylist() == [2**60, 0]
    assert store.flags(record)["n"].to_pylist() == [True, False]


def test_bytes_that_are_not_utf8_are_kept_with_their_cell(store: Store, tmp_path: Path) -> None:
    write(tmp_path / "t.avro", schema_of(s="string", n="long"), [{"s": "qqqq", "n": 1}], codec="null")
    data = (tmp_path / "t.avro").read_bytes()
    (tmp_path / "t.avro").write_bytes(data.replace(b"qqqq", b"a\xffbc"))
    record = load_path(store, tmp_path / "t.avro", "t")
    assert store.read(record, 0, 9)["s"].to_pylist() == ["a�bc"]
    assert [(caveat.row, caveat.column, caveat.text) for caveat in store.caveats(record)] == [(0, "s", r"a\xffbc")]
    write(tmp_path / "u.avro", schema_of(s={"type": "array", "items": "string"}), [{"s": ["qqqq"]}], codec="null")
    data = (tmp_path / "u.avro").read_bytes()
    (tmp_path / "u.avro").write_bytes(data.replace(b"qqqq", b"a\xffbc"))
    with pytest.raises(BadInput, match="Column s holds text that is not UTF-8 inside a nested value"):
        load_path(store, tmp_path / "u.avro", "t")


def test_files_without_rows_without_columns_and_of_plain_values(store: Store, tmp_path: Path) -> None:
    write(tmp_path / "t.avro", schema_of(a="long"), [])
    record = load_path(store, tmp_path / "t.avro", "t")
    assert (record.rows, [field.type for field in record.schema]) == (0, ["bigint"])
    write(tmp_path / "t.avro", ["null", "long"], [1, None])
    assert store.read(load_path(store, tmp_path / "t.avro", "t"), 0, 9).to_pydict() == {"value": [1, None]}
    write(tmp_path / "t.avro", schema_of(), [{}])
    with pytest.raises(BadInput, match="has no columns"):
        load_path(store, tmp_path / "t.avro", "t")


def test_a_damaged_file_is_refused(store: Store, tmp_path: Path) -> None:
    write(tmp_path / "t.avro", schema_of(a="string"), [{"a": str(n)} for n in range(1000)])
    data = (tmp_path / "t.avro").read_bytes()
    for damaged in (data[:-40], data[:20], data[:200] + b"\xff" * 60 + data[260:], data[:-16] + b"\0" * 16):
        (tmp_path / "t.avro").write_bytes(damaged)
        with pytest.raises(BadInput, match=r"The Avro file .*t\.avro cannot be read"):
            load_path(store, tmp_path / "t.avro", "t")


def test_folders_types_and_keys_work_as_for_other_formats(store: Store, tmp_path: Path) -> None:
    folder = tmp_path / "months"
    folder.mkdir()
    write(folder / "1.avro", schema_of(id="long", n="string"), [{"id": 1, "n": "7"}, {"id": 1, "n": "x"}])
    write(folder / "2.avro", schema_of(id="long"), [{"id": 2}])
    record = load_path(store, folder, "t", LoadRequest(key="id", options=Options(types={"n": "int"})))
    assert store.read(record, 0, 9).to_pydict() == {"id": [1, 1, 2], "n": [7, None, None]}
    assert store.flags(record)["n"].to_pylist() == [False, True, False]
    assert notes_of(store, record)[0] == "2.avro has no column n, so its rows are empty there."


def test_without_the_package_one_sentence_says_what_to_install(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tmp_path / "t.avro", schema_of(a="long"), [])
    monkeypatch.setitem(sys.modules, "fastavro", None)
    with pytest.raises(UserError, match=r"fastavro, which is not installed.*pip install 'whence-data\[avro\]'"):
        load_path(store, tmp_path / "t.avro", "t")


def test_snappy_is_how_most_programs_pack(store: Store, tmp_path: Path) -> None:
    pytest.importorskip("cramjam")
    write(tmp_path / "t.avro", schema_of(a="long"), [{"a": n} for n in range(5000)], codec="snappy")
    record = load_path(store, tmp_path / "t.avro", "t")
    assert store.read(record, 0, 5000)["a"].to_pylist() == list(range(5000))
