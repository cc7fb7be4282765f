"""The archive of Java's classes: what it is kept under, who may make it, and that a start never depends on it."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from pyspark.errors import PySparkRuntimeError

from whence.engine import class_archive, session
from whence.engine.class_archive import MOST_ARCHIVES, VARIABLE, ClassArchive, find_class_archive
from whence.engine.java import java_home
from whence.workspace.record_later import record_after_exit


@pytest.fixture
def java(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A Java and jars that can be changed, and a cache of our own."""
    home, jars = tmp_path / "java", tmp_path / "spark" / "jars"
    for folder in (home / "lib", jars):
        folder.mkdir(parents=True)
    (home / "release").write_text('IMPLEMENTOR="Debian"\nJAVA_VERSION="17.0.15"\n')
    (home / "lib" / "modules").write_text("classes")
    (jars / "spark.jar").write_text("spark")
    monkeypatch.setenv("SPARK_HOME", str(tmp_path / "spark"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.delenv(VARIABLE, raising=False)
    return home


def class_archive_of(java: Path) -> ClassArchive:
    archive = find_class_archive(java)
    assert archive is not None
    return archive


CHANGES: dict[str, Callable[[Path], object]] = {
    "another build of Java": lambda root: (root / "java/release").write_text('JAVA_VERSION="17.0.16"\n'),
    "another library of Java": lambda root: (root / "java/lib/modules").write_text("other classes"),
    "a newer jar": lambda root: (root / "spark/jars/spark.jar").write_text("newer spark"),
    "a jar written again": lambda root: os.utime(root / "spark/jars/spark.jar", (1, 1)),
    "one more jar": lambda root: (root / "spark/jars/more.jar").write_text("more"),
    "one jar less": lambda root: (root / "spark/jars/spark.jar").unlink(),
}


def test_an_archive_is_for_one_build_of_java_and_one_state_of_the_jars(java: Path, tmp_path: Path) -> None:
    first = class_archive_of(java)
    assert class_archive_of(java) == first
    assert (first.release, first.path.parent) == (17, tmp_path / "cache" / "whence" / "classes")
    places = {first.path}
    for change in CHANGES.values():
        change(tmp_path)
        places.add(class_archive_of(java).path)
    assert len(places) == 1 + len(CHANGES)


def test_there_is_none_for_a_java_that_does_not_say_its_version_or_where_it_is_switched_off(
    java: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(VARIABLE, "off")
    assert find_class_archive(java) is None
    monkeypatch.delenv(VARIABLE)
    (java / "release").write_text("nothing of use")
    assert find_class_archive(java) is None
    shutil.rmtree(java / "lib")
    assert find_class_archive(java) is None


@pytest.mark.parametrize(("release", "use", "record"), [(17, "SharedArchiveFile", "ArchiveClassesAtExit"),
                                                        (25, "AOTCache", "AOTCacheOutput")])  # fmt: skip
def test_each_java_is_told_in_its_own_words(release: int, use: str, record: str) -> None:
    archive = ClassArchive(Path("/c/a.jsa"), release)
    assert archive.options_to_use[0] == f"-XX:{use}=/c/a.jsa"
    assert archive.options_to_record(Path("/c/d"))[0] == f"-XX:{record}=/c/d"


def test_a_recorded_draft_becomes_the_archive_and_the_least_used_ones_go(java: Path) -> None:
    archive = class_archive_of(java)
    archive.path.parent.mkdir(parents=True)
    others = [archive.path.with_name(f"other{number}.jsa") for number in range(MOST_ARCHIVES)]
    for age, other in enumerate(others):
        other.write_text("classes")
        os.utime(other, (1000 - age, 1000 - age))
    assert archive.can_be_recorded
    with archive.draft() as draft:
        assert draft is not None
        draft.write_text("classes")
        assert not archive.is_made
    assert archive.is_made
    assert archive.is_whole
    left = [archive.path, archive.path.with_suffix(".sum"), *others[:-1]]
    assert sorted(archive.path.parent.iterdir()) == sorted(left)
    assert not archive.can_be_recorded


def test_two_processes_do_not_record_at_once_and_a_dead_one_does_not_stop_the_next(java: Path) -> None:
    archive = class_archive_of(java)
    with archive.draft() as first, archive.draft() as second:
        assert (first is None, second is None) == (False, True)
        assert first is not None
        first.write_text("classes")
    archive.discard()
    claim = archive.path.with_suffix(".claim")
    claim.touch()
    os.utime(claim, (1, 1))
    with archive.draft() as third:
        assert third is not None


def test_what_was_tried_in_vain_is_not_tried_after_every_stop(java: Path) -> None:
    archive = class_archive_of(java)
    with archive.draft():
        pass
    assert not archive.is_made
    assert not archive.can_be_recorded


def test_a_folder_that_cannot_be_made_leaves_spark_without_an_archive(java: Path, tmp_path: Path) -> None:
    (tmp_path / "cache").write_text("a file where the folder should be")
    archive = class_archive_of(java)
    assert not archive.is_made
    archive.touch()
    archive.discard()


class JavaStarts:
    """Stands in for the start of Java, which ends at once where it is given an archive."""

    def __init__(self) -> None:
        self.tries: list[str] = []

    def __call__(self, options: str) -> str:
        self.tries.append(options)
        if "SharedArchiveFile" in options:
            raise PySparkRuntimeError(errorClass="JAVA_GATEWAY_EXITED", messageParameters={})
        return "started"


def start(starts: JavaStarts, archive: ClassArchive, options: list[str], more: str) -> object:
    return session._start_with_archive(starts, archive, options, more)  # type: ignore[arg-type]


def test_java_that_does_not_start_with_the_archive_starts_without(java: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    archive = class_archive_of(java)
    with archive.draft() as draft:
        assert draft is not None
        draft.write_text("damaged")
    starts = JavaStarts()
    monkeypatch.setattr(session, "gateway", lambda: None)
    monkeypatch.setattr(session, "forget_java", lambda: None)
    assert start(starts, archive, ["-Dplace=/a b"], "-Dasked=1") == "started"
    assert len(starts.tries) == 2
    assert starts.tries[0].endswith(starts.tries[1])
    assert starts.tries[1] == '"-Dplace=/a b" -Dasked=1'
    assert not archive.is_made


@pytest.mark.parametrize("damaged", [b"clas", b"clbsses", b"classes and more", b""])
def test_a_damaged_archive_is_removed_before_java_sees_it(
    java: Path, monkeypatch: pytest.MonkeyPatch, damaged: bytes
) -> None:
    archive = class_archive_of(java)
    with archive.draft() as draft:
        assert draft is not None
        draft.write_text("classes")
    archive.path.write_bytes(damaged)
    starts = JavaStarts()
    monkeypatch.setattr(session, "gateway", lambda: None)
    assert start(starts, archive, ["-Dx=1"], "") == "started"
    assert starts.tries == ["-Dx=1"]
    assert list(archive.path.parent.iterdir()) == []
    assert archive.can_be_recorded


def test_only_a_process_that_lacked_the_archive_leaves_a_recorder(monkeypatch: pytest.MonkeyPatch) -> None:
    class Process:
        lacks_archive = False

    registered: list[object] = []

    def unregister(each: object) -> None:
        if each in registered:
            registered.remove(each)

    monkeypatch.setattr("atexit.unregister", unregister)
    monkeypatch.setattr("atexit.register", registered.append)
    process = Process()
    record_after_exit(process)  # type: ignore[arg-type]
    assert registered == []
    process.lacks_archive = True
    for _ in range(3):
        record_after_exit(process)  # type: ignore[arg-type]
    assert len(registered) == 1


STARTED = """
import sys, whence
with whence.open(sys.argv[1]) as ws:
    ws.create("t", [(1,), (2,)], schema="x int")
    print(ws.sql("select sum(x) as s from t", name="u").to_arrow().to_pylist())
"""


@pytest.mark.long
@pytest.mark.spark
def test_a_second_start_maps_the_archive_and_a_damaged_one_is_no_reason_to_fail(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.delenv(VARIABLE)
    subprocess.run([sys.executable, "-m", "whence.workspace.record_archive"], check=True)
    (archive,) = (tmp_path / "cache/whence/classes").glob("*.jsa")
    loaded = tmp_path / "loaded.txt"
    monkeypatch.setenv("SPARK_SUBMIT_OPTS", f"-Xlog:class+load:file={loaded}")
    monkeypatch.setenv(VARIABLE, "use")

    def shared() -> float:
        """Start Spark, see that it answers, and tell which share of its classes came from an archive."""
        done = subprocess.run(
            [sys.executable, "-c", STARTED, str(tmp_path / "w.whence")], capture_output=True, text=True, check=True
        )
        assert (done.stdout, done.stderr) == ("[{'s': 3}]\n", "")
        lines = loaded.read_text().splitlines()
        return sum("shared objects file" in line for line in lines) / len(lines)

    assert shared() > 0.5
    whole = archive.read_bytes()
    for damaged in (whole[: len(whole) // 2], b"no archive", whole[:5000] + bytes(5000) + whole[10_000:]):
        archive.unlink(missing_ok=True)
        archive.write_bytes(damaged)
        assert shared() < 0.5


def test_the_real_java_and_the_real_jars_have_a_place_for_an_archive() -> None:
    archive = class_archive.find_class_archive(java_home())
    assert archive is not None
    assert archive.release >= 17
