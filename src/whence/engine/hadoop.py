"""Lists and fetches files that only Hadoop's file systems can reach (s3a, hdfs, abfss, ...)."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from py4j.protocol import Py4JError
from pyspark.sql import DataFrame, SparkSession

from whence.engine.errors import translate_errors
from whence.model.errors import BadInput

FOR_A_TASK = 512 << 20
"""The largest file that a task fetches, as it holds it in memory. The driver streams larger ones."""

_PATTERN = re.compile(r"[*?\[\]{}\\,]")
"""Characters that Spark takes for a pattern or a list, even if they are part of a file's name."""

_PACKAGES = {
    "s3a": "hadoop-aws",
    "abfs": "hadoop-azure",
    "abfss": "hadoop-azure",
    "wasb": "hadoop-azure",
    "wasbs": "hadoop-azure",
}
"""The Maven package of each file system that does not come with PySpark."""


@dataclass(frozen=True)
class RemoteFile:
    """A file with its address, name and size in bytes."""

    address: str
    name: str
    size: int


def list_files(session: SparkSession, address: str) -> list[RemoteFile]:
    """Return the files at an address: one file, all files under a folder, or those that match a pattern."""
    jvm, jsc = session._jvm, session._jsc
    assert jvm is not None
    with _in_words(address):
        place = jvm.org.apache.hadoop.fs.Path(address)
        _check_scheme(session, place.toUri().getScheme(), address)
        system = place.getFileSystem(jsc.hadoopConfiguration())
        leaves = [leaf for status in system.globStatus(place) or () for leaf in _leaves(system, status)]
        found = [RemoteFile(leaf.getPath().toString(), leaf.getPath().getName(), leaf.getLen()) for leaf in leaves]
    if not found:
        raise BadInput(f"There is no file {address}.", "Check the address.")
    return found


def has_files(session: SparkSession, pattern: str) -> bool:
    """Whether a file matches a pattern."""
    jvm, jsc = session._jvm, session._jsc
    assert jvm is not None
    with _in_words(pattern):
        place = jvm.org.apache.hadoop.fs.Path(pattern)
        return bool(place.getFileSystem(jsc.hadoopConfiguration()).globStatus(place))


def fetch_files(
    session: SparkSession,
    files: Sequence[RemoteFile],
    folder: Path,
    *,
    in_tasks: bool,
    step: Callable[[int, int, str], object] = lambda *_: None,
) -> list[Path]:
    """Copy files into a local folder, under names that keep their order, and return the paths.

    If `in_tasks`, Spark's tasks copy the files of up to `FOR_A_TASK` bytes, in parallel.
    """
    folder.mkdir(parents=True, exist_ok=True)
    targets = {file: folder / f"{number:05d}-{file.name}" for number, file in enumerate(files)}
    spread = [file for file in files if in_tasks and file.size <= FOR_A_TASK and not _PATTERN.search(file.address)]
    if spread:
        _fetch_in_tasks(session, {file.address: str(targets[file]) for file in spread})
    rest = [file for file in files if file not in set(spread)]
    total, done = sum(file.size for file in rest), 0
    for file in rest:
        _copy(session, file, targets[file])
        done += file.size
        step(done, total, "fetching")
    for file, target in targets.items():
        if not target.exists() or target.stat().st_size != file.size:
            raise BadInput(f"The file {file.address} changed while it was read.", "Load it again.")
    return list(targets.values())


def parquet_frame(session: SparkSession, address: str, files: Sequence[RemoteFile]) -> DataFrame:
    """Return Parquet files as a frame. Subfolders such as `year=2024` become columns."""
    with translate_errors():
        single = len(files) == 1
        reader = session.read if single or _PATTERN.search(address) else session.read.option("basePath", address)
        return reader.parquet(*(file.address for file in files))


def _fetch_in_tasks(session: SparkSession, targets: dict[str, str]) -> None:
    def write(found: tuple[str, bytes]) -> int:
        address, data = found
        return Path(targets[address]).write_bytes(data)

    with translate_errors():
        context = session.sparkContext
        context.binaryFiles(",".join(targets), minPartitions=len(targets)).map(write).count()


def _copy(session: SparkSession, file: RemoteFile, target: Path) -> None:
    jvm: Any = session._jvm
    with _in_words(file.address):
        place = jvm.org.apache.hadoop.fs.Path(file.address)
        system = place.getFileSystem(session._jsc.hadoopConfiguration())
        # False keeps the source; True writes to the plain local file system, without .crc files beside the copy.
        system.copyToLocalFile(False, place, jvm.org.apache.hadoop.fs.Path(f"file://{target}"), True)


def _check_scheme(session: SparkSession, scheme: str, address: str) -> None:
    """Raise an error if no class for the scheme is installed: Hadoop names one for s3a, but PySpark lacks it."""
    jvm: Any = session._jvm
    try:
        jvm.org.apache.hadoop.fs.FileSystem.getFileSystemClass(scheme, session._jsc.hadoopConfiguration())
    except Py4JError as error:
        what = f"Spark has no file system for {scheme}://, so {address} cannot be read."
        version = jvm.org.apache.hadoop.util.VersionInfo.getVersion()
        raise BadInput(what, _describe_package(scheme, version)) from error


def _describe_package(scheme: str, version: str) -> str:
    package = _PACKAGES.get(scheme)
    if package is None:
        return 'Check the address; a file system of your own is given by settings={"spark.jars": ...} of whence.open.'
    return (
        f'Open the workspace with settings={{"spark.jars.packages": "org.apache.hadoop:{package}:{version}"}}, '
        "before Spark runs in this process; the page on loading says more."
    )


@contextmanager
def _in_words(address: str) -> Iterator[None]:
    try:
        yield
    except Py4JError as error:
        reason = str(getattr(error, "java_exception", error)).splitlines()[0]
        raise BadInput(f"{address} cannot be read: {reason}.", "Check the address and Spark's settings.") from error


def _leaves(system: Any, status: Any) -> list[Any]:  # noqa: ANN401 - JVM objects
    """Return the files under a path, sorted by name. Names that begin with `_` or `.` are not data."""
    if status.isFile():
        return [status]
    inner = sorted(system.listStatus(status.getPath()), key=lambda each: each.getPath().getName())
    visible = [each for each in inner if not each.getPath().getName().startswith(("_", "."))]
    return [leaf for each in visible for leaf in _leaves(system, each)]
