"""What Spark or this process writes is what tasks write through Python: the same values, types, ids and marks met."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from pyspark.errors import PySparkException
from pyspark.sql import DataFrame

import whence
from whence.engine.outcome import Outcome
from whence.engine.run import run
from whence.engine.run_here import MOST_ROWS, can_run_here, run_here
from whence.engine.run_in_spark import AS_THEY_ARE, can_run_in_spark, run_in_spark
from whence.engine.run_in_tasks import run_in_tasks
from whence.engine.worker.write_parts import OutputLayout
from whence.lineage.inline_ids import read_inline_row_ids
from whence.model.errors import DamagedFile
from whence.store.durable import hash_file
from whence.store.parts import ROW_GROUP

_EVERY_TYPE = """
select id % 3 = 0 as flag, cast(id % 100 as tinyint) as tiny, cast(id % 30000 as smallint) as small,
  cast(id as int) as whole,
  id * 1000000007 as big, cast(id as float) / 3 as single,
  case id when 1 then double('NaN') when 2 then double('-0.0') when 3 then double('Infinity') else id / 7 end as `a.b`,
  concat('värde ', id, ' 漢') as `a text, (odd)`, cast(concat('b', id) as binary) as bytes,
  date'0001-01-01' + cast(id % 900 * 900 as int) as day,
  timestamp'1500-03-01 00:00:00.123456' + make_dt_interval(cast(id % 900 * 999 as int)) as moment,
  timestamp_ntz'1582-10-10 00:00:00.000001' + make_dt_interval(cast(id % 900 as int)) as clock,
  cast(id as decimal(9, 2)) as coin, cast(id * 1.5 as decimal(38, 10)) as much,
  if(id % 2 = 0, null, id) as gaps, cast(null as int) as nothing,
  id % 1000 = 999 as m0, false as m1, cast(null as boolean) as row_mark,
  id as one, cast(if(id % 5 = 0, null, id) as int) as two
from range(0, {rows}, 1, {partitions})
"""


def any_size(_: int) -> None:
    """Let a result be of any size."""


def _make_frame(ws: whence.Workspace, rows: int, partitions: int) -> tuple[DataFrame, OutputLayout]:
    frame = ws.spark.sql(_EVERY_TYPE.format(rows=rows, partitions=partitions))
    layout = OutputLayout(
        tuple(frame.columns[:16]), (0, 3), has_row_flags=True, has_ghosts=False, id_columns=2, sources=(0, 4)
    )
    return frame, layout


def _stored(outcome: Outcome, layout: OutputLayout) -> pa.Table:
    return pa.concat_tables(pq.read_table(part.path, columns=layout.stored_names) for part in outcome.parts)


@pytest.mark.parametrize(("rows", "partitions"), [(0, 2), (5, 3), (3_000, 2), (ROW_GROUP + 10, 1)])
@pytest.mark.parametrize("way", [run_in_spark, run_here])
def test_all_ways_store_the_same(
    ws: whence.Workspace, tmp_path: Path, rows: int, partitions: int, way: Callable[..., Outcome]
) -> None:
    frame, layout = _make_frame(ws, rows, partitions)
    assert can_run_in_spark(frame, layout)
    ours, theirs = tmp_path / "tasks", tmp_path / "other"
    ours.mkdir()
    by_tasks, by_other = run_in_tasks(frame, layout, ours), way(frame, layout, theirs)
    one, other = _stored(by_tasks, layout), _stored(by_other, layout)
    assert other.schema.types == one.schema.types
    for name in set(layout.stored_names) - {"a.b"}:
        assert other[name].equals(one[name]), name
    assert repr(other["a.b"].to_pylist()) == repr(one["a.b"].to_pylist())  # NaN and -0.0 as they are
    ids = pa.concat_tables(
        pq.read_table(part.path, columns=["__whence_id_0", "__whence_id_4"]) for part in by_other.parts
    )
    assert by_other.inline_sources == (0, 4)
    assert [column.to_pylist() for column in ids.columns] == [column.to_pylist() for column in by_tasks.ids.columns]
    assert ids.schema.types == by_tasks.ids.schema.types
    assert by_other.rows == by_tasks.rows == rows
    assert by_other.flagged_columns == by_tasks.flagged_columns == ({0} if rows >= 1000 else set())
    assert by_other.has_row_flags == by_tasks.has_row_flags is False
    for part in by_other.parts:
        path = Path(part.path)
        assert (part.size, part.sha256) == (path.stat().st_size, hash_file(path))
        known = pq.read_metadata(path)
        assert all(known.row_group(number).num_rows <= ROW_GROUP for number in range(known.num_row_groups))


def test_few_rows_that_might_be_are_counted_here_too(ws: whence.Workspace, tmp_path: Path) -> None:
    frame = ws.spark.sql("select id as a, id = 7 as m, id <> 3 as present, array(id, 1L) as i from range(0, 10, 1, 4)")
    layout = OutputLayout(("a",), (0,), has_row_flags=False, has_ghosts=True, id_columns=1)
    for folder in ("tasks", "here"):
        (tmp_path / folder).mkdir()
    by_tasks, here = run_in_tasks(frame, layout, tmp_path / "tasks"), run_here(frame, layout, tmp_path / "here")
    assert here is not None
    assert here.ghosts == by_tasks.ghosts == 1
    assert here.ids.to_pydict() == by_tasks.ids.to_pydict()
    assert here.flagged_columns == by_tasks.flagged_columns == {0}
    assert _stored(here, layout).equals(_stored(by_tasks, layout))


def test_few_rows_are_collected_unless_their_cells_are_huge(ws: whence.Workspace, tmp_path: Path) -> None:
    frame = ws.spark.sql("select id as a, id as i from range(0, 10, 1, 2)")
    layout = OutputLayout(("a",), (), has_row_flags=False, has_ghosts=False, id_columns=1, sources=(0,))
    assert [can_run_here(frame, layout, most) for most in (10, MOST_ROWS, MOST_ROWS + 1)] == [True, True, False]
    assert not can_run_here(ws.spark.sql("select named_struct('a', 1) as s, 2 as i"), layout, 1)

    def too_much(_: DataFrame) -> list[pa.RecordBatch]:
        raise PySparkException("Total size of results is bigger than spark.driver.maxResultSize")

    assert run(frame, layout, tmp_path / "made", any_size, most_rows=10, collect=too_much).rows == 10


def test_ids_that_are_structs_are_collected_as_tasks_write_them(ws: whence.Workspace, tmp_path: Path) -> None:
    span = "if(id % 3 = 0, null, named_struct('partition', id, 'first', array(named_struct('p', id))))"
    frame = ws.spark.sql(f"select id as a, {span} as i from range(0, 10, 1, 4)")
    layout = OutputLayout(("a",), (), has_row_flags=False, has_ghosts=False, id_columns=1)
    assert can_run_here(frame, layout, 10)
    for folder in ("tasks", "here"):
        (tmp_path / folder).mkdir()
    by_tasks, here = run_in_tasks(frame, layout, tmp_path / "tasks"), run_here(frame, layout, tmp_path / "here")
    assert here is not None
    assert here.ids.to_pydict() == by_tasks.ids.to_pydict()
    assert _stored(here, layout).equals(_stored(by_tasks, layout))


def test_marks_of_rows_are_met(ws: whence.Workspace, tmp_path: Path) -> None:
    frame = ws.spark.sql("select id as a, id = 7 as m, id as b from range(0, 10, 1, 4)")
    layout = OutputLayout(("a",), (), has_row_flags=True, has_ghosts=False, id_columns=1, sources=(0,))
    assert run(frame, layout, tmp_path / "some", any_size).has_row_flags
    assert not run(frame.where("a <> 7"), layout, tmp_path / "none", any_size).has_row_flags


def test_what_spark_would_store_otherwise_goes_through_tasks(ws: whence.Workspace) -> None:
    plain = OutputLayout(("a",), (), has_row_flags=False, has_ghosts=False, id_columns=1, sources=(0,))
    sql = ws.spark.sql
    assert can_run_in_spark(sql("select 1 as a, 2 as i"), plain)
    for query in ("select array(1) as a, 2 as i", "select null as a, 2 as i", "select 1 as a, array(2) as i"):
        assert not can_run_in_spark(sql(query), plain)
    assert not can_run_in_spark(sql("select 1 as a, 2 as i"), replace(plain, sources=None))
    ghosts = OutputLayout(("a",), (), has_row_flags=False, has_ghosts=True, id_columns=0)
    assert not can_run_in_spark(sql("select 1 as a, true as present"), ghosts)
    twice = OutputLayout(("a", "A"), (), has_row_flags=False, has_ghosts=False, id_columns=0)
    assert not can_run_in_spark(sql("select 1 as a, 2 as b"), twice)
    session = ws.spark.newSession()
    session.conf.set(next(iter(AS_THEY_ARE)), "INT96")
    assert not can_run_in_spark(session.sql("select now() as a, 2 as i"), plain)
    assert can_run_in_spark(session.sql("select 1 as a, 2 as i"), plain)


def test_ids_beside_rows_are_the_block_and_not_seen(ws: whence.Workspace) -> None:
    ws.create("t", pa.table({"a": [3, 1, 2]}))
    ws.create("s", pa.table({"b": [2, 3]}))
    found = ws.sql("select a, b from t left join s on a = b order by a", name="found")
    assert _id_columns(ws, "found") == ["__whence_id_0", "__whence_id_1"]
    assert found.columns == found.to_arrow().column_names == ["a", "b"]
    assert [found.lineage.backward([row], to="t").ids.tolist() for row in range(3)] == [[1], [2], [0]]
    assert [found.lineage.backward([row], to="s").ids.tolist() for row in range(3)] == [[], [0], [1]]
    assert not (ws.path / "lineage" / found.record.id).exists()
    ws.sql("select a from t where a > 99", name="nobody")
    assert _id_columns(ws, "nobody") == ["__whence_id_0"]
    assert ws["t"].lineage.forward([0, 1], to="nobody").count == 0


def test_ids_that_a_part_does_not_hold_are_an_error(ws: whence.Workspace) -> None:
    made = ws.create("t", pa.table({"a": [3, 1, 2]}))
    with pytest.raises(DamagedFile, match="does not hold the column __whence_id_0"):
        read_inline_row_ids(ws._context.store, made.record, (0,))


def test_what_is_to_go_when_something_is_forgotten_is_not_beside_rows(ws: whence.Workspace) -> None:
    ws.create("t", pa.table({"a": [3, 1, 3], "b": [1, 2, 3]}))
    ws.sql("select count(*) as n from t group by a", name="counted")  # keyed by a column that nobody sees
    assert _id_columns(ws, "counted") == []
    ws.capture.limit(bytes=1)
    ws.sql("select a from t", name="limited")
    ws.capture.limit()
    assert _id_columns(ws, "limited") == []


def _id_columns(ws: whence.Workspace, name: str) -> list[str]:
    (file,) = (ws.path / "datasets" / ws[name].record.id).rglob("*.parquet")
    return [column for column in pq.read_schema(file).names if column.startswith("__whence_id")]
