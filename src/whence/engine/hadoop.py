"""Files that only Hadoop's file systems can reach (s3a, hdfs, abfss, ...), brought here one by one."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from py4j.protocol import Py4JError
from pyspark.sql import SparkSession

from whence.model.errors import BadInput


def fetch_files(session: SparkSession, address: str, folder: Path) -> list[Path]:
    """Copy the file, the files of the folder, or those a pattern stands for; their names keep their order."""
    jvm, jsc = session._jvm, session._jsc
    assert jvm is not None
    try:
        place = jvm.org.apache.hadoop.fs.Path(address)
        system = place.getFileSystem(jsc.hadoopConfiguration())
        found = system.globStatus(place)
        leaves = [leaf for status in found or () for leaf in _leaves(system, status)]
        folder.mkdir(parents=True, exist_ok=True)
        made = []
        for number, leaf in enumerate(leaves):
            target = folder / f"{number:05d}-{leaf.getName()}"
            system.copyToLocalFile(False, leaf, jvm.org.apache.hadoop.fs.Path(target.as_uri()), True)
            made.append(target)
    except Py4JError as error:
        reason = str(getattr(error, "java_exception", error)).splitlines()[0]
        raise BadInput(f"{address} cannot be read: {reason}.", "Check the address and Spark's settings.") from error
    if not made:
        raise BadInput(f"There is no file {address}.", "Check the address.")
    return made


def _leaves(system: Any, status: Any) -> list[Any]:  # noqa: ANN401 - JVM objects
    """The files under a place, by name; hidden ones and those of Spark's own keeping are no data."""
    if status.isFile():
        return [status.getPath()]
    inner = sorted(system.listStatus(status.getPath()), key=lambda each: each.getPath().getName())
    visible = [each for each in inner if not each.getPath().getName().startswith(("_", "."))]
    return [leaf for each in visible for leaf in _leaves(system, each)]
