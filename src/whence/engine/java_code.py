"""Loads whence's own Java code into the Java process: from the user's cache folder, or compiled by Spark's Janino.

To compile the first text of a Java process takes about a second of processor time, as Janino itself must be loaded.
Whoever has to compile a text keeps its classes for the next start.
"""

from __future__ import annotations

import hashlib
import os
import tempfile
import zipfile
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from py4j.protocol import Py4JError
from pyspark.find_spark_home import _find_spark_home
from pyspark.sql import SparkSession

from whence.engine.class_archive import VARIABLE, jar_states
from whence.engine.java import cache_folder

MOST_FILES = 64
"""How many files to keep: one for each text, build of Java and state of the jars. Each takes a few kilobytes."""

_ENDING = ".classes"


def load_java_class(session: SparkSession, name: str, source: str) -> Any:  # noqa: ANN401 - a JVM object
    """Return the Java class `whence.NAME`, which this text defines."""
    java: Any = session._jvm
    file = _file_of(java, source)
    kept = {} if file is None else _read(file)
    if kept:
        with suppress(Py4JError):  # it is of no use then, and is written anew
            return _loader_of(java, kept).loadClass(f"whence.{name}")
    compiler = _compile(java, source)
    if file is not None:
        with suppress(OSError):  # the folder may be read-only, or the disk full
            _write(file, {str(each): bytes(code) for each, code in compiler.getBytecodes().items()})
    return compiler.getClassLoader().loadClass(f"whence.{name}")


def _compile(java: Any, source: str) -> Any:  # noqa: ANN401 - JVM objects
    compiler = java.org.codehaus.janino.SimpleCompiler()
    compiler.cook(source)
    return compiler


def _file_of(java: Any, source: str) -> Path | None:  # noqa: ANN401 - a JVM object
    """Return where the classes of a text are kept; None if they may not be, or there is no cache folder."""
    if os.environ.get(VARIABLE) == "off":
        return None
    try:
        runtime = str(java.java.lang.System.getProperty("java.vm.version"))
        parts = [source, runtime, *jar_states(Path(_find_spark_home(), "jars"))]
        key = hashlib.sha256("\n".join(parts).encode()).hexdigest()[:16]
        return cache_folder() / "java" / f"{key}{_ENDING}"
    except (OSError, RuntimeError):  # no jars, no home folder
        return None


def _loader_of(java: Any, classes: Mapping[str, bytes]) -> Any:  # noqa: ANN401 - a JVM object
    given = java.java.util.HashMap()
    for name, code in classes.items():
        given.put(name, code)
    parent = java.java.lang.Thread.currentThread().getContextClassLoader()
    return java.org.codehaus.commons.compiler.util.reflect.ByteArrayClassLoader(given, parent)


def _read(file: Path) -> dict[str, bytes]:
    """Return the classes in a file by name; none if it is missing, or a checksum in it is wrong."""
    try:
        with zipfile.ZipFile(file) as kept:
            return {name: kept.read(name) for name in kept.namelist()}
    except (OSError, zipfile.BadZipFile, ValueError, NotImplementedError, EOFError):
        return {}


def _write(file: Path, classes: Mapping[str, bytes]) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    handle, draft = tempfile.mkstemp(dir=file.parent)
    try:
        with os.fdopen(handle, "wb") as opened, zipfile.ZipFile(opened, "w") as kept:
            for name, code in classes.items():
                kept.writestr(name, code)
        os.replace(draft, file)  # in one step, so that another process sees no file or a whole one
    except BaseException:
        Path(draft).unlink(missing_ok=True)
        raise
    _remove_surplus(file.parent)


def _remove_surplus(folder: Path) -> None:
    """Remove all files but the newest ones."""
    found = sorted(folder.glob(f"*{_ENDING}"), key=lambda path: path.stat().st_mtime, reverse=True)
    for path in found[MOST_FILES:]:
        path.unlink(missing_ok=True)
