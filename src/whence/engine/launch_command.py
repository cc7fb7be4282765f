"""Writes the command that starts Spark's Java. Spark's own script starts another Java first, only to put it together.

The command is that of Spark's launcher, word for word: a test compares the two. Where anything is set that only the
launcher knows how to read, there is no command, and Spark's script starts Java as usual.
"""

from __future__ import annotations

import os
import shlex
import sys
from collections.abc import Mapping
from pathlib import Path

import pyspark
from pyspark.find_spark_home import _find_spark_home

_KNOWN_RELEASE = "4.3."
_READ_BY_LAUNCHER = (
    "HADOOP_CONF_DIR",
    "PYSPARK_GATEWAY_PORT",
    "PYSPARK_SUBMIT_ARGS",
    "SPARK_CLASSPATH",
    "SPARK_CONF_DIR",
    "SPARK_DIST_CLASSPATH",
    "SPARK_HOME",
    "SPARK_PREPEND_CLASSES",
    "SPARK_PRINT_LAUNCH_COMMAND",
    "SPARK_TESTING",
    "YARN_CONF_DIR",
)
"""Environment variables that change the command in other ways than below."""
_SETTINGS_READ_BY_LAUNCHER = (
    "spark.driver.defaultJavaOptions",
    "spark.driver.extraClassPath",
    "spark.driver.extraLibraryPath",
    "spark.submit.deployMode",
)
_OPENED = (
    *(f"java.base/java.{name}" for name in ("lang", "lang.invoke", "lang.reflect", "io", "net", "nio", "util")),
    *(f"java.base/java.{name}" for name in ("util.concurrent", "util.concurrent.atomic")),
    *(f"java.base/{name}" for name in ("jdk.internal.ref", "sun.nio.ch", "sun.nio.cs", "sun.security.action")),
    "java.base/sun.util.calendar",
    "java.security.jgss/sun.security.krb5",
)
_ALWAYS = (
    "-XX:+IgnoreUnrecognizedVMOptions",
    "--add-modules=jdk.incubator.vector",
    *(f"--add-opens={name}=ALL-UNNAMED" for name in _OPENED),
    "-Dio.netty.tryReflectionSetAccessible=true",
    "-Dio.netty.allocator.type=pooled",
    "-Dio.netty.handler.ssl.defaultEndpointVerificationAlgorithm=NONE",
    "--sun-misc-unsafe-memory-access=allow",
    "--enable-native-access=ALL-UNNAMED",
    "-Dderby.connection.requireAuthentication=false",
    "org.apache.spark.deploy.SparkSubmit",
)
_SCRIPT = """#!/bin/sh
# Starts Spark's Java as bin/spark-submit does, with the same variables.
export SPARK_HOME={home} SPARK_CONF_DIR={home}/conf SPARK_ENV_LOADED=1 SPARK_SCALA_VERSION=2.13 PYTHONHASHSEED=0
exec {command} "$@"
"""


def launch_command(java: Path, settings: Mapping[str, str]) -> list[str] | None:
    """Return the words before the arguments of `spark-submit`; None if only Spark's launcher can put them together."""
    options = settings.get("spark.driver.extraJavaOptions", ""), os.environ.get("SPARK_SUBMIT_OPTS", "")
    # The launcher has rules of its own for these, and refuses the last one.
    is_plain = not any(word in each for each in options for word in ("\\", "'", "-Xmx"))
    home = Path(_find_spark_home())
    slf4j = sorted((home / "jars").glob("slf4j-api-*.jar"))
    if (
        sys.platform == "win32"
        or not pyspark.__version__.startswith(_KNOWN_RELEASE)
        or not is_plain
        or len(slf4j) != 1
        or "spark.driver.memory" not in settings
        or any(os.environ.get(name) for name in _READ_BY_LAUNCHER)
        or any(name in settings for name in _SETTINGS_READ_BY_LAUNCHER)
        or (home / "conf").exists()
    ):
        return None
    driver, submit = map(shlex.split, options)
    classes = f"{home}/conf:{slf4j[0]}:{home}/jars/*"
    return [str(java), "-cp", classes, *submit, f"-Xmx{settings['spark.driver.memory']}", *driver, *_ALWAYS]


def write_launch_script(folder: Path, java: Path, settings: Mapping[str, str]) -> Path | None:
    """Write a script that stands in for `spark-submit`; None if only Spark's own can start Java here."""
    command = launch_command(java, settings)
    if command is None:
        return None
    script = folder / "start-java"
    home = shlex.quote(_find_spark_home())
    script.write_text(_SCRIPT.format(home=home, command=shlex.join(command)), encoding="utf-8")
    script.chmod(0o755)
    return script if os.access(script, os.X_OK) else None  # some disks hold no programs
