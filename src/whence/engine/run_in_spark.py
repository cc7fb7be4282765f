"""Runs a plan with Spark's own Parquet writer: rows never pass through Python, and ids are columns of the part files.

Passing rows through Python costs more than most queries with many rows. Lineage reads the ids from the part files
when a question comes: to take them out would be to write everything twice.
"""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial
from pathlib import Path

from py4j.protocol import Py4JError
from pyspark.errors import PySparkException
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.types import StructType

from whence.engine.load_in_tasks import InTasks
from whence.engine.masters import is_local, local_address, master_of
from whence.engine.outcome import Outcome
from whence.engine.worker.adopt_file import AdoptedFile, adopt_file
from whence.engine.worker.write_parts import OutputLayout
from whence.model.errors import UserError
from whence.store.parts import ROW_GROUP

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
    "mapreduce.fileoutputcommitter.marksuccessfuljobs": "false",
}

_COMMIT = "mapreduce.fileoutputcommitter.algorithm.version"
_COMMIT_HERE = {_COMMIT: "2"}
"""Tasks put their files into place themselves: what a failed run leaves in staging is thrown away with it."""
_COMMIT_ELSEWHERE = {_COMMIT: "1"}
"""The driver puts files into place once all tasks are done. An executor that lost touch with the driver could still
put a second file into the place of one that the driver has hashed."""

_MOST_READ_HERE = 64 << 20
"""Up to so many bytes of files that executors elsewhere wrote, this process reads them for their hashes itself."""

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
    folder, session = staging / "written", frame.sparkSession
    named = frame if frame.columns == layout.written_names else frame.toDF(*layout.written_names)
    with _room_for(folder, session):
        named.write.options(**_options(session)).parquet(local_address(folder))
    # Row ids count through the parts in this order, which is that of the query's partitions.
    adopted = _adopt_files(session, sorted(folder.glob("part-*.parquet"), key=_place), layout)
    flagged = {position for each in adopted for position in each.flagged_columns}
    return Outcome.of(tuple(each.part for each in adopted), layout, flagged, beside=layout.inline_sources or ())


def _options(session: SparkSession) -> dict[str, str]:
    return _OPTIONS | (_COMMIT_HERE if is_local(master_of(session)) else _COMMIT_ELSEWHERE)


def _adopt_files(session: SparkSession, files: Sequence[Path], layout: OutputLayout) -> list[AdoptedFile]:
    """Take the files over as parts: in this process, or in tasks if executors elsewhere have written much."""
    adopt = partial(adopt_file, layout=layout)
    if not is_local(master_of(session)) and sum(file.stat().st_size for file in files) > _MOST_READ_HERE:
        return InTasks(session)(adopt, files)
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        return list(pool.map(adopt, files))


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
