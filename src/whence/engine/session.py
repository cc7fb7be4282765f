"""Makes the workspace's own Spark session, beside the caller's if there is one, for one machine or a cluster."""

from __future__ import annotations

import logging
import os
import re
import sys
import warnings
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from py4j.protocol import Py4JError
from pyspark import SparkConf, SparkContext
from pyspark.errors import PySparkRuntimeError
from pyspark.java_gateway import launch_gateway
from pyspark.sql import SparkSession

from whence.engine.class_archive import ClassArchive
from whence.engine.launch_command import write_launch_script
from whence.engine.masters import is_local
from whence.engine.profile import JAVA_OPTIONS, Connect
from whence.engine.quiet_py4j import quiet_py4j
from whence.engine.restart import forget_java, gateway, is_gone
from whence.engine.run_in_spark import AS_THEY_ARE
from whence.model.errors import BadInput

MEMORY_VARIABLE = "WHENCE_SPARK_MEMORY"

EXTRA_OPTIONS = "spark.driver.extraJavaOptions"

TIME_ZONE = "spark.sql.session.timeZone"

SETTINGS = {
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
    "spark.sql.execution.arrow.pyspark.enabled": "true",
    "spark.sql.adaptive.enabled": "true",
    TIME_ZONE: "UTC",
    # Parquet does not verify its page checksums unless told to; a flipped bit would be read as data.
    "spark.hadoop.parquet.page.verify-checksum.enabled": "true",
    "spark.sql.parquet.inferTimestampNTZ.enabled": "true",
    **AS_THEY_ARE,
    # Collecting ids hashes groups; above 128 of them Spark would sort the whole input instead.
    "spark.sql.objectHashAggregate.sortBased.fallbackThreshold": "200000",
    # Spark resolves one WITH clause of a chain in each round, and by default refuses the query after a hundred.
    "spark.sql.analyzer.maxIterations": "1000",
    # A query is some thirty compiled classes; beyond a hundred Spark forgets some and compiles them again each time.
    "spark.sql.codegen.cache.maxEntries": "1000",
}

ON_ONE_MACHINE = {
    "spark.driver.host": "127.0.0.1",
    "spark.driver.bindAddress": "127.0.0.1",
    "spark.sql.shuffle.partitions": str(max(2, os.cpu_count() or 2)),
    # Spark adds 4 MB to the size of every file by default, and so splits one of 12 MB into two thirds and one third:
    # the core with the small piece then waits for the other.
    "spark.sql.files.openCostInBytes": str(1 << 20),
    # A task that asks for more memory than there is fails, and takes nothing with it: by default Spark ends the process
    # of an executor then, which on one machine is the process of all queries.
    "spark.executor.killOnFatalError.depth": "0",
}
"""Settings for a local master only: executors elsewhere must reach the driver, and have more cores."""


COMPILE_LATE = (
    "-XX:Tier4InvocationThreshold=100000",
    "-XX:Tier4MinInvocationThreshold=12000",
    "-XX:Tier4CompileThreshold=300000",
    "-XX:Tier4BackEdgeThreshold=400000",
)
"""Java options: code must run twenty times as often as usual before Java optimises it with all its means.

By default that takes a third of the processor time up to the first result, for code that runs a few thousand times.
Loops over rows pass these numbers within a moment.
"""

OWN = "whence.session"
"""The setting that marks sessions that whence has made."""

SCRATCH = "spark.whence.scratch"
"""The setting that tells in which folder a Spark that whence has started keeps its files."""

LOG = "spark.log"
"""The file in that folder to which Java appends its messages."""


@dataclass(frozen=True)
class JavaStart:
    """How to start Java for Spark: its home, the archive of its classes, and whether a sandbox confines it."""

    home: Path
    archive: ClassArchive | None = None
    is_confined: bool = False


def make_session(
    master: str, scratch: Path, asked: Mapping[str, str], java: JavaStart, connect: Connect | None = None
) -> SparkSession:
    """Return a new session for this workspace: it shares the Java process's Spark, with its own names and settings."""
    scratch.mkdir(parents=True, exist_ok=True)
    os.environ["JAVA_HOME"] = str(java.home)
    os.environ.setdefault("PYSPARK_DRIVER_PYTHON", sys.executable)
    # The Java process that only puts Spark's command line together lives for a moment: it need not optimise code.
    os.environ.setdefault("SPARK_LAUNCHER_OPTS", "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC")
    builder = SparkSession.builder.master(master).appName("whence")
    settings = SETTINGS
    if is_local(master):
        os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
        settings = {**SETTINGS, **ON_ONE_MACHINE, "spark.local.dir": str(scratch), SCRATCH: str(scratch)}
    settings = {**settings, "spark.driver.memory": _driver_memory(), **asked}
    if connect is not None:
        # After `asked`, so that no setting of a caller lifts the restrictions of a server.
        settings |= connect.settings
    if java.is_confined:
        # Its default is the working directory, which a confined Java may not write.
        settings["spark.sql.warehouse.dir"] = str(scratch / "warehouse")
    for name, value in settings.items():
        builder = builder.config(name, value)
    options = [f"-Djava.io.tmpdir={scratch}", *COMPILE_LATE, *(JAVA_OPTIONS if connect is not None else ())]
    running = SparkSession._instantiatedSession
    is_users = False
    # A context that was stopped has no `_jsc`. Its session cannot be used any more.
    if running is None or running.sparkContext._jsc is None:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            start = partial(_get_session, builder, scratch, java.home)
            running = _start_with_archive(start, java.archive, options, asked.get(EXTRA_OPTIONS, ""))
    else:
        is_users = running.conf.get(OWN, None) is None
    # Users see Spark's errors as sentences of ours; PySpark would print each of them with its Java stack first.
    logging.getLogger("SQLQueryContextLogger").setLevel(logging.CRITICAL)
    running.sparkContext.setLogLevel("ERROR")
    session = _new_session(running, settings)
    if not is_local(master) and "spark.sql.shuffle.partitions" not in asked:
        # Spark's own 200 is for terabytes; adaptive execution joins what is small, but each task costs all the same.
        session.conf.set("spark.sql.shuffle.partitions", str(max(2, 2 * session.sparkContext.defaultParallelism)))
    session.conf.set(OWN, "true")
    if connect is None and not is_users:  # a session that the user has made stays what the user's code finds
        _make_default(session)
    return session


def find_scratch() -> Path | None:
    """Return the folder in which the running Spark keeps its files; None if whence did not start it, or elsewhere.

    Workspaces of one Python process share Spark, and its folder is in the workspace that started it. When somebody
    removes that workspace, Spark fails at every query from then on.
    """
    context = SparkContext._active_spark_context
    if context is None or context._jsc is None:
        return None
    folder = context.getConf().get(SCRATCH, None)
    return None if folder is None else Path(folder)


def _start_with_archive(
    start: Callable[[str], SparkSession], archive: ClassArchive | None, options: Iterable[str], asked: str
) -> SparkSession:
    """Start Java with the archive of its classes. If that fails, remove the archive and start without it."""
    plain = f"{java_words(options)} {asked}".rstrip()
    if archive is None or not archive.is_made or gateway() is not None:
        return start(plain)
    if not archive.is_whole:
        archive.discard()
        return start(plain)
    archive.touch()
    try:
        return start(f"{java_words(archive.options_to_use)} {plain}")
    except (PySparkRuntimeError, Py4JError, OSError):
        if gateway() is not None and not is_gone(gateway()):
            raise  # Java runs, so the archive is not what is wrong
        forget_java()
        archive.discard()
        return start(plain)


def java_words(options: Iterable[str]) -> str:
    """Return options as Spark parses them: separated by spaces, in quotes where a path contains spaces."""
    return " ".join(f'"{each}"' if re.search(r"\s", each) else each for each in options)


def _new_session(running: SparkSession, settings: Mapping[str, str]) -> SparkSession:
    """Return a new session beside a running one, which may be the user's and keeps its own settings."""
    session = running.newSession()
    for name, value in settings.items():
        if session.conf.isModifiable(name):
            session.conf.set(name, value)
    return session


def _make_default(session: SparkSession) -> None:
    """Make `SparkSession.builder.getOrCreate()` in a user's program return this session, which holds its views."""
    SparkSession._instantiatedSession = session
    java = session._jvm.org.apache.spark.sql.classic.SparkSession  # type: ignore[union-attr]
    java.setDefaultSession(session._jsparkSession)
    java.setActiveSession(session._jsparkSession)


def own_session(caller: SparkSession) -> SparkSession:
    """Return a session beside the caller's with the same settings. The caller's own session stays unchanged."""
    session = caller.newSession()
    for name, value in caller.conf.getAll.items():
        if caller.conf.isModifiable(name):
            session.conf.set(name, value)
    for name, value in AS_THEY_ARE.items():
        session.conf.set(name, value)
    return session


def _driver_memory() -> str:
    """Return the heap size of Spark's Java process: `WHENCE_SPARK_MEMORY` if set, else a third of the machine.

    The third is limited to between one and eight gigabytes: Python and the page cache need the rest.
    """
    if chosen := os.environ.get(MEMORY_VARIABLE):
        if not re.fullmatch(r"[1-9]\d*[mgMG]", chosen):
            raise BadInput(f"{MEMORY_VARIABLE} is {chosen!r}, which is no amount of memory.", "Write 2g or 1500m.")
        return chosen
    total = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") if hasattr(os, "sysconf") else 4 << 30
    return f"{min(8, max(1, (total >> 30) // 3))}g"


def _get_session(builder: SparkSession.Builder, scratch: Path, java: Path, options: str) -> SparkSession:
    """Start Java, if it does not run, and Spark in it. Java's messages go into a log file, not on the terminal."""
    quiet_py4j()
    builder = builder.config(EXTRA_OPTIONS, options)
    # `getOrCreate` would launch a gateway with the terminal as its stderr, unless there is one already.
    with SparkContext._lock:
        if SparkContext._gateway is None:
            with (scratch / LOG).open("ab") as file:
                settings = SparkConf().setAll(list(builder._options.items()))
                script = write_launch_script(scratch, java / "bin" / "java", builder._options)
                started_as = {"stderr": file} if script is None else {"stderr": file, "executable": script}
                SparkContext._gateway = launch_gateway(settings, started_as)  # type: ignore[no-untyped-call]
            SparkContext._jvm = SparkContext._gateway.jvm
    return builder.getOrCreate()
