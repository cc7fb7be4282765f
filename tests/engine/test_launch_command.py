"""The command that starts Spark's Java is the one that Spark's own launcher puts together."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from pyspark.find_spark_home import _find_spark_home

from whence.engine.java import java_home
from whence.engine.launch_command import launch_command, write_launch_script

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="Windows starts Java by Spark's script")

SETTINGS = {
    "spark.driver.memory": "1500m",
    "spark.driver.extraJavaOptions": '-Djava.io.tmpdir=/tmp "-Dname=two words" -Xlog:disable',
    "spark.master": "local[2]",
}


@pytest.fixture(autouse=True)
def plain_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("SPARK_HOME", raising=False)
    monkeypatch.setenv("SPARK_SUBMIT_OPTS", "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC")


@pytest.mark.spark
def test_the_command_is_that_of_sparks_launcher() -> None:
    home, java = _find_spark_home(), java_home() / "bin" / "java"
    given = [word for name, value in SETTINGS.items() for word in ("--conf", f"{name}={value}")] + ["pyspark-shell"]
    main = ["org.apache.spark.launcher.Main", "org.apache.spark.deploy.SparkSubmit"]
    environment = {**os.environ, "SPARK_HOME": home, "SPARK_SCALA_VERSION": "2.13", "JAVA_HOME": str(java_home())}
    told = subprocess.run(
        [java, "-cp", f"{home}/jars/*", *main, *given], env=environment, capture_output=True, check=True
    ).stdout
    theirs = told.decode().removeprefix("\0\n").rstrip("\0").split("\0")  # a first word would begin with a newline
    ours = launch_command(java, SETTINGS)
    assert ours is not None
    assert theirs[: len(ours)] == ours
    assert sorted(theirs[len(ours) :]) == sorted(given)  # the launcher sorts the settings in its own way


@pytest.mark.parametrize("variable", ["SPARK_HOME", "SPARK_CONF_DIR", "PYSPARK_SUBMIT_ARGS", "SPARK_DIST_CLASSPATH"])
def test_what_only_the_launcher_reads_is_left_to_it(variable: str, monkeypatch: pytest.MonkeyPatch) -> None:
    java = Path("/java/bin/java")
    assert launch_command(java, SETTINGS) is not None
    monkeypatch.setenv(variable, _find_spark_home() if variable == "SPARK_HOME" else "given")
    assert launch_command(java, SETTINGS) is None


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("spark.driver.extraClassPath", "/more.jar"),
        ("spark.driver.defaultJavaOptions", "-Dx=1"),
        ("spark.driver.extraJavaOptions", "-Xmx2g"),
        ("spark.driver.extraJavaOptions", r"-Dpath=a\ b"),
    ],
)
def test_settings_with_rules_of_their_own_are_left_to_the_launcher(name: str, value: str) -> None:
    assert launch_command(Path("/java/bin/java"), {**SETTINGS, name: value}) is None


def test_the_script_hands_every_word_on(tmp_path: Path) -> None:
    java = tmp_path / "it's java"
    java.write_text('#!/bin/sh\nprintf "%s\\n" "$PYTHONHASHSEED" "$SPARK_HOME" "$@"\n')
    java.chmod(0o755)
    script = write_launch_script(tmp_path, java, SETTINGS)
    assert script is not None
    given = ["--conf", "spark.app.name=a  b $HOME 'c'", "pyspark-shell"]
    heard = subprocess.run(["spark-submit", *given], executable=script, capture_output=True, text=True, check=True)
    command = launch_command(java, SETTINGS)
    assert command is not None
    assert heard.stdout.splitlines() == ["0", _find_spark_home(), *command[1:], *given]
