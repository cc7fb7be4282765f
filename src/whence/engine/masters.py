"""Support for masters whose executors run elsewhere: sends them whence's code, and checks that they see the storage."""

from __future__ import annotations

import re
import socket
import uuid
import zipfile
from pathlib import Path
from typing import NamedTuple

from pyspark.sql import SparkSession

from whence.model.errors import UserError

_CONNECT_SECONDS = 5.0


class StorageAttempt(NamedTuple):
    """What kept one task from writing a file to the storage; empty where nothing did."""

    missing_library: str = ""
    file_error: str = ""


def is_local(master: str) -> bool:
    """Return whether the executors of a master are threads of the one Java process on this machine.

    >>> is_local("local[*]"), is_local("local-cluster[2,1,1024]"), is_local("spark://host:7077")
    (True, False, False)
    """
    return re.fullmatch(r"local(\[.*\])?", master) is not None


def check_master(master: str) -> None:
    """Raise an error if a standalone cluster does not answer. Spark itself would try for a minute.

    >>> check_master("local[*]")
    """
    if not master.startswith("spark://"):
        return
    addresses = [each.rpartition(":") for each in master.removeprefix("spark://").split(",")]
    if not any(_answers(host.strip("[]"), port) for host, _, port in addresses):
        raise UserError(f"The master {master} does not answer.", "Check the address, and that it runs.")


def _answers(host: str, port: str) -> bool:
    try:
        with socket.create_connection((host, int(port)), timeout=_CONNECT_SECONDS):
            return True
    except (OSError, ValueError):
        return False


def master_of(session: SparkSession) -> str:
    """Return the master of a session, such as `local[*]` or `spark://host:7077`."""
    return str(session.sparkContext.master)


def local_address(path: Path) -> str:
    """Return the address of a file or folder for Spark, whose default file system may be another (HDFS on YARN)."""
    return f"file://{path.absolute()}"


def send_code(session: SparkSession, scratch: Path) -> None:
    """Send whence's own code to the executors. The libraries that it needs must be installed there."""
    package = Path(__file__).parents[1]
    archive = scratch / "whence.zip"
    if archive.name in (session.sparkContext._python_includes or ()):
        return  # another workspace of this process has sent it to the same Spark
    scratch.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as file:
        for source in sorted(package.rglob("*.py")):
            file.write(source, Path(package.name, source.relative_to(package)))
    session.sparkContext.addPyFile(str(archive))


def check_storage(session: SparkSession, folder: Path) -> None:
    """Raise an error unless executors can write files to the storage that this process then finds there."""
    probe = folder / f"probe-{uuid.uuid4().hex}"
    probe.mkdir(parents=True)
    tasks = max(2, session.sparkContext.defaultParallelism)
    written = session.sparkContext.parallelize(range(tasks), tasks).map(lambda task: _try(str(probe), task)).collect()
    found = sorted(path.name for path in probe.iterdir())
    for path in probe.iterdir():
        path.unlink()
    probe.rmdir()
    if libraries := sorted({attempt.missing_library for attempt in written if attempt.missing_library}):
        raise UserError(
            f"Python on the executors of {master_of(session)} has no {libraries[0]}.",
            "Set the environment variable PYSPARK_PYTHON to a Python there that has it, before Spark starts.",
        )
    wrong = next((attempt.file_error for attempt in written if attempt.file_error), None)
    if wrong is None and found != sorted(map(str, range(tasks))):
        wrong = "what they write there is not found here"
    if wrong is not None:
        raise UserError(
            f"The executors of {master_of(session)} cannot use the storage {folder}: {wrong}.",
            "Give a folder that this machine and all of them see under one path.",
        )


def _try(probe: str, task: int) -> StorageAttempt:
    """Write one file from inside a task."""
    try:
        import pyarrow  # noqa: F401 - asks whether it is there

        Path(probe, str(task)).write_text("here", encoding="ascii")
    except ImportError as error:
        return StorageAttempt(missing_library=str(error.name))
    except OSError as error:
        return StorageAttempt(file_error=f"{error.strerror}")
    return StorageAttempt()
