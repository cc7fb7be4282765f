"""Arrow, ORC and Parquet files: every value is kept, or a sentence says what became of it."""

from __future__ import annotations

import random
import uuid
from collections.abc import Callable
from datetime import UTC, date, datetime, time
from decimal import Decimal
from pathlib import Path

import duckdb
import numpy as np
import pyarrow as pa
import pyarrow.feather as feather
import pyarrow.orc as orc
import pyarrow.parquet as pq
import pytest

import whence
from tests.loading.reading import notes_of
from whence.loading import load_path, load_report
from whence.loading.load import LoadRequest
from whence.loading.options import Options
from whence.loading.read_typed import read_typed
from whence.loading.typed_formats import open_typed
from whence.model.errors import BadInput, WhenceError
from whence.store.doctor import doctor
from whence.store.store import Store

BERLIN = "Europe/Berlin"


def write_arrow(table: pa.Table, path: Path) -> None:
    with pa.OSFile(str(path), "wb") as sink, pa.ipc.new_file(sink, table.schema) as writer:
        writer.write_table(table, max_chunksize=2)


def write_stream(table: pa.Table, path: Path) -> None:
    with pa.OSFile(str(path), "wb") as sink, pa.ipc.new_stream(sink, table.schema) as writer:
        writer.write_table(table, max_chunksize=2)


WRITERS: dict[str, Callable[[pa.Table, Path], None]] = {
    "t.arrow": write_arrow,
    "t.arrows": write_stream,
    "t.feather": lambda table, path: feather.write_feather(table, str(path), compression="zstd"),
    "t.orc": lambda table, path: orc.write_table(table, str(path)),
    "t.parquet": lambda table, path: pq.write_table(table, path),
}


@pytest.mark.parametrize("name", WRITERS)
def test_every_format_gives_the_values_that_its_own_reader_gives(store: Store, tmp_path: Path, name: str) -> None:
    table = pa.table(
        {
            "größe": pa.array([1, None, -(2**31)], pa.int32()),
            "x": pa.array([float("nan"), None, -0.0]),
            "s": ["", None, "naïve 🦆"],
            "b": pa.array([b"\x00\xff", None, b""], pa.binary()),
            "d": pa.array([date(1, 1, 1), None, date(9999, 12, 31)]),
            "t": pa.array([datetime(2024, 3, 31, 1, 30), None, datetime(1900, 1, 1)], pa.timestamp("us")),
            "dec": pa.array([Decimal("0.10"), None, Decimal("-9" * 1 + "9" * 35 + ".99")], pa.decimal128(38, 2)),
            "list": pa.array([[1, None], None, []], pa.list_(pa.int64())),
            "rec": pa.array([{"a": 1, "b": "x"}, {"a": None, "b": None}, {"a": 3, "b": ""}]),
            "yes": [True, None, False],
        }
    )
    WRITERS[name](table, tmp_path / name)
    record = load_path(store, tmp_path / name, "t")
    read = store.read(record, 0, 9)
    assert repr(read.to_pydict()) == repr(table.to_pydict())  # repr: NaN and -0.0 are told apart from others
    assert [field.type for field in record.schema] == [
        "int", "double", "string", "binary", "date", "timestamp_ntz", "decimal(38,2)", "array<bigint>",
        "struct<a:bigint,b:string>", "boolean",
    ]  # fmt: skip
    assert (notes_of(store, record), doctor(store)) == ([], [])


def test_types_that_have_no_place_are_told(store: Store, tmp_path: Path) -> None:
    union = pa.UnionArray.from_sparse(pa.array([0, 1], pa.int8()), [pa.array([1, 2]), pa.array(["a", "b"])])
    table = pa.table(
        {
            "u64": pa.array([2**64 - 1, None], pa.uint64()),
            "u32": pa.array([2**32 - 1, None], pa.uint32()),
            "half": pa.array(np.array([1.5, np.nan], np.float16)),
            "long": pa.array([Decimal("1" * 50), None], pa.decimal256(60, 2)),
            "round": pa.array([Decimal("1200"), None], pa.decimal128(5, -2)),
            "span": pa.array([1_500, None], pa.duration("ms")),
            "month": pa.array([pa.MonthDayNano([1, 2, 3]), None]),
            "clock": pa.array([time(1, 2, 3), None]),
            "either": union,
            "kind": pa.DictionaryArray.from_arrays(pa.array([1, None], pa.int8()), ["low", "high"], ordered=True),
            "id": pa.array([uuid.UUID(int=1).bytes, None], pa.uuid()),
            "fixed": pa.array([b"ab", None], pa.binary(2)),
            "here": pa.array([datetime(2024, 7, 1, tzinfo=UTC), None], pa.timestamp("us", BERLIN)),
            "none": pa.nulls(2),
            "view": pa.array(["v", None], pa.string_view()),
            "lists": pa.array([[1], None], pa.list_view(pa.int64())),
            "inner": pa.array([{"at": time(1)}, None], pa.struct([("at", pa.time64("us"))])),
            "empty": pa.array([{}, None], pa.struct([])),
            "runs": pa.RunEndEncodedArray.from_arrays([2], ["r"]),
        }
    )
    write_arrow(table, tmp_path / "t.arrow")
    record = load_path(store, tmp_path / "t.arrow", "t")
    assert store.read(record, 0, 9).to_pylist()[0] == {
        "u64": Decimal(2**64 - 1), "u32": 2**32 - 1, "half": 1.5, "long": "1" * 50 + ".00", "round": Decimal(1200),
        "span": 1500, "month": "[1, 2, 3]", "clock": "01:02:03.000000", "either": "1", "kind": "high",
        "id": str(uuid.UUID(int=1)), "fixed": b"ab", "here": datetime(2024, 7, 1, tzinfo=UTC), "none": None,
        "view": "v", "lists": [1], "inner": '{"at": "01:00:00"}', "empty": "{}", "runs": "r",
    }  # fmt: skip
    second = store.read(record, 1, 2).to_pylist()[0]
    assert {name for name, value in second.items() if value is not None} == {"half", "either", "runs"}
    assert (second["either"], second["runs"]) == ('"b"', "r")
    assert notes_of(store, record) == [
        "Column long: its numbers have up to 60 digits and are text.",
        "Column span: its durations are whole numbers of milliseconds.",
        "Column month: its values of type month_day_nano_interval are JSON text.",
        "Column clock: its times of day are text.",
        f"Column either: its values of type {union.type} are JSON text.",
        "Column kind has categories in an order; the order is not kept.",
        "Column here: its times are the same instants; that they were shown in the zone Europe/Berlin is not kept.",
        "Column inner: its values of type struct<at: time64[us]> are JSON text.",
        "Column empty: its values of type struct<> are JSON text.",
    ]


@pytest.mark.parametrize("name", ["t.arrow", "t.orc", "t.parquet"])
def test_times_finer_than_a_microsecond_are_problems(store: Store, tmp_path: Path, name: str) -> None:
    WRITERS[name](pa.table({"t": pa.array([1_000, 1_001, None], pa.timestamp("ns"))}), tmp_path / name)
    record = load_path(store, tmp_path / name, "t")
    assert store.flags(record)["t"].to_pylist() == [False, True, False]
    assert [caveat.text for caveat in store.caveats(record)] == ["1970-01-01 00:00:00.000001001"]


def test_bytes_that_are_not_utf8_are_kept_with_their_cell(store: Store, tmp_path: Path) -> None:
    bad = pa.array([b"good", b"a\xffb", None, b"\xf0\x9f"], pa.binary()).cast(pa.string(), safe=False)
    write_arrow(pa.table({"n": [1, 2, 3, 4], "s": bad, "z": bad}), tmp_path / "t.arrow")
    record = load_path(store, tmp_path / "t.arrow", "t", LoadRequest(key="s"))
    assert store.read(record, 0, 9)["s"].to_pylist() == ["good", "a�b", None, "�"]
    assert store.flags(record)["z"].to_pylist() == [False, True, False, True]
    kept = [(caveat.row, caveat.column, caveat.text) for caveat in store.caveats(record)]
    assert kept == [
        (1, "s", r"a\xffb"),
        (3, "s", r"\xf0\x9f"),
        (1, "z", r"a\xffb"),
        (3, "z", r"\xf0\x9f"),
        (2, "s", None),
    ]
    assert doctor(store) == []


@pytest.mark.parametrize("name", ["t.arrow", "t.orc", "t.parquet"])
def test_repeated_and_odd_names_and_no_rows(store: Store, tmp_path: Path, name: str) -> None:
    columns = [pa.array([], pa.int64()), pa.array([], pa.string()), pa.array([], pa.float64())]
    WRITERS[name](pa.table(columns, names=["a", "a", " ä "]), tmp_path / name)
    record = load_path(store, tmp_path / name, "t")
    assert [(field.name, field.type) for field in record.schema] == [
        ("a", "bigint"),
        ("a_2", "string"),
        ("ä", "double"),
    ]
    assert record.rows == 0
    assert notes_of(store, record) == [
        "The name 'a' cannot be used; the column is a_2.",
        "The name ' ä ' cannot be used; the column is ä.",
    ]


@pytest.mark.parametrize("name", ["t.arrow", "t.arrows", "t.orc", "t.parquet"])
def test_files_without_columns_cut_files_and_empty_files_are_refused(store: Store, tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    WRITERS[name](pa.table({}), path)
    with pytest.raises(BadInput, match="has no columns"):
        load_path(store, path, "t")
    WRITERS[name](pa.table({"a": list(range(1000))}), path)
    data = path.read_bytes()
    path.write_bytes(data[: len(data) // 2])
    with pytest.raises(BadInput, match=r"cannot be read|not text"):
        load_path(store, path, "t")
    path.write_bytes(b"")
    with pytest.raises(BadInput, match="is empty"):
        load_path(store, path, "t")


def test_feather_of_version_1_and_orc_times_beyond_2262_are_refused_with_a_way_out(
    store: Store, tmp_path: Path
) -> None:
    (tmp_path / "t.feather").write_bytes(b"FEA1 and more")
    with pytest.raises(BadInput, match="Feather file of version 1"):
        load_path(store, tmp_path / "t.feather", "t")
    late = pa.array([datetime(9999, 12, 31)], pa.timestamp("us"))
    orc.write_table(pa.table({"t": late}), str(tmp_path / "t.orc"))
    with pytest.raises(BadInput, match=r"out of range for nanosecond.*ws\.spark\.read\.orc"):
        load_path(store, tmp_path / "t.orc", "t")


def test_text_that_begins_like_an_orc_file_is_text(store: Store, tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("ORC,n\nMordor,1\n")
    record = load_path(store, tmp_path / "t.csv", "t")
    assert store.read(record, 0, 9).to_pydict() == {"ORC": ["Mordor"], "n": [1]}


def test_types_and_keys_are_for_every_format(store: Store, tmp_path: Path) -> None:
    orc.write_table(pa.table({"id": [1, 1], "n": ["7", "x"]}), str(tmp_path / "t.orc"))
    wish = LoadRequest(key="id", options=Options(types={"n": "int"}))
    record = load_path(store, tmp_path / "t.orc", "t", wish)
    assert store.read(record, 0, 9).to_pydict() == {"id": [1, 1], "n": [7, None]}
    assert store.flags(record).to_pydict() == {"id": [False, True], "n": [False, True], "_row": [False, False]}
    with pytest.raises(BadInput, match="delimiter= is for delimited text"):
        load_path(store, tmp_path / "t.orc", "t", LoadRequest(options=Options(delimiter=";")))


def test_a_folder_of_typed_files_is_one_dataset_whatever_their_formats(store: Store, tmp_path: Path) -> None:
    folder = tmp_path / "mixed"
    folder.mkdir()
    write_arrow(pa.table({"k": ["a", "b"], "n": [1, 2]}).slice(0, 2), folder / "1.arrow")
    kinds = pa.array(["c"]).dictionary_encode()
    feather.write_feather(pa.table({"n": [3], "k": kinds}), str(folder / "2.feather"))
    orc.write_table(pa.table({"n": [4]}), str(folder / "3.orc"))
    pq.write_table(pa.table({"k": ["e"], "n": [5]}), folder / "4.parquet")
    record = load_path(store, folder, "mixed")
    assert store.read(record, 0, 9).to_pydict() == {"k": ["a", "b", "c", None, "e"], "n": [1, 2, 3, 4, 5]}
    report = load_report(store, record)
    assert report is not None
    assert [(Path(file.path).name, file.first_row, file.rows) for file in report.files] == [
        ("1.arrow", 0, 2),
        ("2.feather", 2, 1),
        ("3.orc", 3, 1),
        ("4.parquet", 4, 1),
    ]
    assert notes_of(store, record) == ["3.orc has no column k, so its rows are empty there."]
    write_arrow(pa.table([pa.array([1]), pa.array([2])], names=["n", "n"]), folder / "5.arrow")
    with pytest.raises(BadInput, match=r"5\.arrow has two columns n"):
        load_path(store, folder, "mixed")
    (folder / "5.arrow").write_text("n\n1\n")
    with pytest.raises(BadInput, match="not of the format that its name says"):
        load_path(store, folder, "mixed")
    assert doctor(store) == []


def test_orc_of_spark_and_feather_agree_with_spark_and_duckdb(ws: whence.Workspace, tmp_path: Path) -> None:
    query = """
        select id, timestamp'2024-03-31 01:30:00' + make_interval(0, 0, 0, id) t, timestamp_ntz'1900-01-01 00:00:00' n,
               cast(id as decimal(38, 18)) d, named_struct('a', array(id, null)) s, map('k', id) m,
               array(timestamp_ntz'2024-01-01 00:00:00') many, case when id = 1 then double('NaN') end x
        from range(3)
    """
    made = ws.spark.sql(query)
    made.coalesce(1).write.orc(str(tmp_path / "made"))
    loaded = ws.load(tmp_path / "made", name="made")
    assert repr(sorted(loaded.df.collect())) == repr(sorted(made.collect()))
    assert [field.type for field in loaded.schema][1:3] == ["timestamp_ntz", "timestamp_ntz"]
    instants = "holds times without a zone. Spark wrote them as instants, in a zone that the file does not name."
    assert notes_of(ws._context.store, loaded.record) == [f"Column t {instants}"]
    # A dataset of ORC is a dataset: its rows have lineage.
    out = ws.sql("select id + 1 j from made where id = 2", name="out")
    assert out.lineage.backward([0], to="made").ids.tolist() == [2]
    query = "select range n, 'v' || range s, timestamptz '2024-01-01 12:00:00+02' moment from range(5)"
    database = duckdb.connect()
    made_here = database.sql(query)
    assert made_here is not None
    expected = made_here.to_arrow_table()
    feather.write_feather(expected, str(tmp_path / "t.feather"))
    kept = ws.load(tmp_path / "t.feather").to_arrow()
    database.register("kept", kept)
    database.register("expected", expected)
    assert database.execute("select * from kept except select * from expected").fetchall() == []
    assert kept.num_rows == 5


@pytest.mark.parametrize("name", ["t.arrow", "t.arrows", "t.orc"])
def test_a_file_with_other_bytes_is_read_or_refused_and_never_more(tmp_path: Path, name: str) -> None:
    table = pa.table({"n": list(range(50)), "s": [f"v{n}" for n in range(50)], "l": [[n, n] for n in range(50)]})
    kinds = pa.array([f"k{n % 3}" for n in range(50)])
    table = table.append_column("d", kinds if name == "t.orc" else kinds.dictionary_encode())
    WRITERS[name](table, tmp_path / name)
    data, chance = (tmp_path / name).read_bytes(), random.Random(34)
    outcomes = set()
    for number in range(60):
        damaged = bytearray(data)
        for _ in range(3):
            damaged[chance.randrange(8, len(data) - 8)] = chance.choice((0, 127, 128, 255))
        (tmp_path / name).write_bytes(damaged)
        try:
            file = open_typed(tmp_path / name)
            assert file is not None
            read_typed(file, tmp_path / str(number))
            outcomes.add("read")
        except WhenceError:
            outcomes.add("refused")
    assert outcomes == {"read", "refused"}


def test_a_value_that_is_not_in_its_dictionary_and_a_name_that_is_not_utf8_are_refused(
    store: Store, tmp_path: Path
) -> None:
    wild = pa.DictionaryArray.from_arrays(pa.array([99], pa.int8()), ["a"], safe=False)
    write_stream(pa.table({"d": wild}), tmp_path / "t.arrows")
    with pytest.raises(BadInput, match="a value is not in its dictionary"):
        load_path(store, tmp_path / "t.arrows", "t")
    for name in ("t.arrow", "t.orc"):
        WRITERS[name](pa.table({"qqqq": [1]}), tmp_path / name)
        data = (tmp_path / name).read_bytes()
        (tmp_path / name).write_bytes(data.replace(b"qqqq", b"\xff\xfe\xfdq"))
        with pytest.raises(BadInput, match=r"has a column whose name is not UTF-8"):
            load_path(store, tmp_path / name, "t")
