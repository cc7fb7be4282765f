"""Tells which files a program's write adds: those of its folder, or of the folder of its table, by size and time."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from urllib.parse import unquote

from py4j.protocol import Py4JError
from pyspark.errors import PySparkException

from whence.engine.foreign_leaf import fingerprint_of
from whence.engine.frame_actions import FrameAction


def files_at(action: FrameAction) -> frozenset[str]:
    """Return the prints of the files that are now where an action writes; none if that is not on this machine."""
    folder = _folder(action)
    if folder is None:
        return frozenset()
    try:
        files = [each for each in folder.rglob("*") if each.is_file() and not each.name.startswith(("_", "."))]
    except OSError:  # whence may not read it, or another program is changing it
        return frozenset()
    return prints_of(files)


def prints_of(files: Iterable[Path]) -> frozenset[str]:
    """Return a hash of each file's path, size and time."""
    return frozenset(fingerprint_of((each,)) for each in files)


def _folder(action: FrameAction) -> Path | None:
    if action.path is not None:
        return _local(action.path)
    return None if action.table is None else _folder_of_table(action)


def _folder_of_table(action: FrameAction) -> Path | None:
    """Return where a table of Spark's own catalog keeps its files."""
    state = action.frame.sparkSession._jsparkSession.sessionState()
    try:
        name = state.sqlParser().parseTableIdentifier(action.table)
        return _local(str(state.catalog().getTableMetadata(name).location()))
    except (Py4JError, PySparkException):  # not there yet, without files, or of another catalog
        return None


def _local(address: str) -> Path | None:
    if "://" in address and not address.startswith("file://"):
        return None
    if not address.startswith("file:"):
        return Path(address)
    return Path(unquote("/" + address.removeprefix("file:").lstrip("/")))
