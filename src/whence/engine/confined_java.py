"""Starts Spark's Java in a Landlock sandbox: it reaches the workspace's data and its libraries, nothing else on disk.

All that Spark runs is in the same sandbox: tasks, UDFs of cells, plans that clients of Spark Connect send.
"""

from __future__ import annotations

import json
import shlex
import sys
from pathlib import Path

from whence.engine.class_archive import ClassArchive
from whence.engine.confine.landlock import landlock_abi
from whence.engine.confine.paths import DEVICES, SYSTEM, interpreter, package_root
from whence.model.errors import NotSupported
from whence.store.layout import Layout

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
_SHIM = """#!/bin/sh
exec {python} -I -S -c 'import sys; sys.path[:0] = [sys.argv.pop(1)]
from whence.engine.confine.launch import main; main(*sys.argv[1:])' {root} {policy} {java} "$@"
"""


def confined_home(real: Path, scratch: Path, layout: Layout, archive: ClassArchive | None = None) -> Path:
    """Return a folder to use as JAVA_HOME. Its `java` starts the real one, confined to one workspace."""
    if not landlock_abi():
        raise NotSupported("This system has no Landlock, so Spark cannot be confined.", "Serve without it.")
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
    read = [layout.datasets, layout.files, layout.lineages, *interpreter(), *java]
    if archive is not None and archive.is_made:
        read.append(archive.path)
    write = [layout.stagings, layout.temporary, layout.shared_temporary, scratch]
    home = str(scratch)
    return {
        "read": [*SYSTEM, *_MORE_PATHS, *map(str, read)],
        "write": [*DEVICES, *map(str, write)],
        "environment": list(_ENVIRONMENT),
        "set": {"HOME": home, "TMPDIR": home},
    }
