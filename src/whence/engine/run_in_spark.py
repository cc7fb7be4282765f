"""Runs a plan with Spark's own Parquet writer: rows never pass through Python, and ids are columns of the part files.

Passing rows through Python costs more than most queries with many rows. Lineage reads the ids from the part files
when a question comes: to take them out would be to write everything twice.
"""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import pyarrow.parquet as pq
from py4j.protocol import Py4JError
from pyspark.errors import PySparkException
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.types import StructType

from whence.engine.outcome import Outcome
from whence.engine.worker.write_parts import OutputLayout
from whence.model.errors import UserError
from whence.store.parts import ROW_GROUP, PartFile, adopt_part

AS_THEY_ARE = {
    "spark.sql.parquet.outputTimestampType": "TIMESTAMP_MICROS",
    "spark.sql.parquet.datetimeRebaseModeInWrite": "CORRECTED",
}
"""Session settings under which Spark writes dates and times unchanged, in the form that our readers expect."""

_OPTIONS = {
    "compression": "zstd",
    "parquet.compression.codec.zstd.level": "1",  # as in the files that we write ourselves
    # Steps between numbers instead of numbers: ids of rows in order take next to no room. No dictionaries: for
    # row groups as small as a page needs them, building one costs more than all else, and zstd does as well.
    "parquet.writer.version": "v2",
    "parquet.enable.dictionary": "false",
    "parquet.block.row.count.limit": str(ROW_GROUP),
    "parquet.size.statistics.enabled": "false",  # nobody reads them, and they are counted value by value
    # What a failed run leaves in staging is thrown away with it, so tasks may put their files into place themselves.
    "mapreduce.fileoutputcommitter.algorithm.version": "2",
    "mapreduce.fileoutputcommitter.marksuccessfuljobs": "false",
}

_PLAIN = frozenset(
    ("boolean", "tinyint", "smallint", "int", "bigint", "float", "double", "string", "binary", "timestamp_ntz")
)
_OF_TIME = frozenset(("date", "timestamp"))
_IDS = frozenset(("int", "bigint"))


def can_run_in_spark(frame: DataFrame, layout: OutputLayout) -> bool:
    """Return whether Spark's writer stores these columns exactly as ours does, and all carried values are plain ids."""
    if layout.has_ghosts or layout.inline_sources is None or _collide(layout.names):
        return False
    types = _types(frame.schema)
    split = len(layout.stored_names)
    if not all(each in _PLAIN or each in _OF_TIME or each.startswith("decimal(") for each in types[:split]):
        return False
    if not _IDS.issuperset(types[split:]):
        return False
    return _OF_TIME.isdisjoint(types) or _writes_times(frame.sparkSession)


def run_in_spark(frame: DataFrame, layout: OutputLayout, staging: Path) -> Outcome:
    """Evaluate the frame once and let Spark write the part files. `layout` describes its columns."""
    folder = staging / "written"
    named = frame if frame.columns == layout.written_names else frame.toDF(*layout.written_names)
    with _room_for(folder, frame.sparkSession):
        named.write.options(**_OPTIONS).parquet(str(folder))
    # Row ids count through the parts in this order, which is that of the query's partitions.
    files = sorted(folder.glob("part-*.parquet"), key=_place)
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        parts = tuple(pool.map(_adopt_file, files))
    flagged = {position for file in files for position in _flagged_columns(file, layout)}
    return Outcome.of(parts, layout, flagged, beside=layout.inline_sources or ())


@contextmanager
def _room_for(folder: Path, session: SparkSession) -> Iterator[None]:
    """Translate Spark's error for a full disk into the message that our own writer gives."""
    try:
        yield
    except (PySparkException, Py4JError) as error:
        reason = os.strerror(errno.ENOSPC)
        if reason not in str(error):
            raise
        # Hadoop leaves a file that could not be written open, and its blocks taken, until Java cleans up.
        session._jvm.System.gc()  # type: ignore[union-attr]
        raise UserError(f"{folder} cannot be written: {reason}.", "Free some space and try again.") from error


def _collide(names: tuple[str, ...]) -> bool:
    """Return whether there are no names, or two that differ only in case. Spark's writer refuses those.

    The store refuses them, too, with a better message.
    """
    return not names or len({name.lower() for name in names}) < len(names)


def _types(schema: StructType) -> list[str]:
    return [field.dataType.simpleString() for field in schema.fields]


def _writes_times(session: SparkSession) -> bool:
    return all(session.conf.get(name) == value for name, value in AS_THEY_ARE.items())


def _place(file: Path) -> tuple[int, str]:
    """Return the sort key of a part file, which Spark names by partition: `part-00012-...-c000.zstd.parquet`."""
    return int(file.name.split("-")[1]), file.name


def _adopt_file(file: Path) -> PartFile:
    return adopt_part(file, pq.read_metadata(file).num_rows)


def _flagged_columns(file: Path, layout: OutputLayout) -> Iterator[int]:
    """Yield the flag columns in which a flag is set, as the statistics in the Parquet footer tell."""
    groups = pq.read_metadata(file)
    for position in range(len(layout.names), len(layout.stored_names)):
        if any(_has_flag(groups.row_group(number).column(position)) for number in range(groups.num_row_groups)):
            yield position


def _has_flag(column: pq.ColumnChunkMetaData) -> bool:
    # The maximum of booleans is True if one is. A chunk without statistics counts as flagged.
    known = column.statistics
    return bool(column.num_values if known is None else known.has_min_max and known.max)
