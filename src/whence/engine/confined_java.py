"""Starts Spark's Java in a Landlock sandbox: it reaches the workspace's data and its libraries, nothing else on disk.

All that Spark runs is in the same sandbox: tasks, UDFs of cells, plans that clients of Spark Connect send.
"""

from __future__ import annotations

import json
import shlex
import sys
from pathlib import Path
from typing import Any

from pyspark.sql import SparkSession

from whence.engine.class_archive import ClassArchive
from whence.engine.confine.check import check_confinement
from whence.engine.confine.paths import DEVICES, SYSTEM, interpreter, package_root
from whence.engine.udf_python import udf_python
from whence.model.errors import UserError
from whence.store.layout import Layout
from whence.store.referenced import linked_files

_MORE_PATHS = (
    "/etc/ssl",
    "/etc/pki",
    "/etc/ca-certificates",
    "/etc/passwd",
    "/etc/group",
    "/etc/host.conf",
    "/etc/resolv.conf",
    "/etc/timezone",
    # Spark looks its Python processes up; of processes outside, the kernel shows neither memory nor environment.
    "/proc",
    "/sys/fs/cgroup",
    "/sys/kernel/mm",
    "/dev/random",
)
_ENVIRONMENT = ("PATH", "LANG", "LC_", "TZ", "JAVA_HOME", "SPARK_", "PYSPARK_", "_PYSPARK_", "PYTHON")
_CONFINED_TO = "WHENCE_CONFINED_TO"
"""Environment variable of a confined Java: the workspace that it is confined to."""
# Spark starts Java twice. The first only puts the command line of the second together, and needs no sandbox.
_SHIM = """#!/bin/sh
case " $* " in *" org.apache.spark.launcher.Main "*) exec {java} "$@" ;; esac
exec {python} -I -S -c 'import sys; sys.path[:0] = [sys.argv.pop(1)]
from whence.engine.confine.launch import main; main(*sys.argv[1:])' {root} {policy} {java} "$@"
"""


def confined_home(real: Path, scratch: Path, layout: Layout, archive: ClassArchive | None = None) -> Path:
    """Return a folder to use as JAVA_HOME. Its `java` starts the real one, confined to one workspace."""
    check_confinement()
    shim, policy = scratch / "java" / "bin" / "java", scratch / "java" / "policy.json"
    shim.parent.mkdir(parents=True, exist_ok=True)
    policy.write_text(json.dumps(_policy(real, scratch, layout, archive)), encoding="utf-8")
    parts = {"python": sys.executable, "root": package_root(), "policy": policy, "java": real / "bin" / "java"}
    shim.write_text(_SHIM.format(**{name: shlex.quote(str(part)) for name, part in parts.items()}), encoding="utf-8")
    shim.chmod(0o755)
    return shim.parent.parent


def _policy(real: Path, scratch: Path, layout: Layout, archive: ClassArchive | None) -> dict[str, object]:
    # Debian keeps the settings of a Java in /etc and links to them.
    java = [real.resolve(), (real / "bin" / "java").resolve().parent.parent, *Path("/etc").glob("java*")]
    # Rows that are read in place lie outside the workspace. Files that are loaded later are copied.
    read = [layout.datasets, layout.files, layout.lineages, *linked_files(layout), *interpreter(), *java]
    if archive is not None and archive.is_made:
        read.append(archive.path)
    write = [layout.stagings, layout.temporary, layout.shared_temporary, scratch]
    home = str(scratch)
    return {
        "read": [*SYSTEM, *_MORE_PATHS, *map(str, read)],
        "write": [*DEVICES, *map(str, write)],
        "environment": list(_ENVIRONMENT),
        "set": {
            "HOME": home,
            "TMPDIR": home,
            "PYSPARK_PYTHON": str(udf_python(scratch)),
            _CONFINED_TO: str(layout.root),
        },
    }


def check_confined_to(session: SparkSession, layout: Layout) -> None:
    """Raise an error unless the Java of a session is confined to this workspace, or to one around it.

    All workspaces of a Python process share one Java, and the first one decides how it starts.
    """
    java: Any = session._jvm
    folder = java.java.lang.System.getenv(_CONFINED_TO)
    if folder is None or not layout.root.is_relative_to(folder):
        confined = "is not confined" if folder is None else f"is confined to {folder}"
        raise UserError(
            f"Spark already runs in this process and {confined}.", "Open this workspace in a process of its own."
        )
