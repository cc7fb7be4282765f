"""Makes the Python that Spark starts for functions of cells: each of its processes has a sandbox of its own."""

from __future__ import annotations

import json
import shlex
import sys
from dataclasses import asdict
from pathlib import Path

from whence.engine.confine.confine import Limits, memory_for_cells
from whence.engine.confine.paths import DEVICES, SYSTEM, import_path, interpreter, package_root

_SHIM = """#!/bin/sh
exec {python} -I -S -c 'import sys; sys.path[:0] = [sys.argv[1]]
from whence.engine.confine.start_udf_daemon import main; main(*sys.argv[1:])' {root} {policy} "$@"
"""


def udf_python(scratch: Path) -> Path:
    """Write a program that takes the place of Python for Spark, and return its path.

    Spark Connect starts Python by the variable PYSPARK_PYTHON of the Java process. whence's own functions take the
    Python of this process, as they read and write the workspace.
    """
    shim, policy, folder = scratch / "python" / "python", scratch / "python" / "policy.json", scratch / "udf"
    for each in (shim.parent, folder):
        each.mkdir(parents=True, exist_ok=True)
    policy.write_text(json.dumps(_policy(folder)), encoding="utf-8")
    parts = {"python": sys.executable, "root": package_root(), "policy": policy}
    shim.write_text(_SHIM.format(**{name: shlex.quote(str(part)) for name, part in parts.items()}), encoding="utf-8")
    shim.chmod(0o755)
    return shim


def _policy(folder: Path) -> dict[str, object]:
    return {
        "path": import_path(),
        "read": [*SYSTEM, *map(str, interpreter())],
        "write": list(DEVICES),
        "folder": str(folder),
        "limits": asdict(Limits(memory_for_cells())),
    }
