"""Files in, datasets out: nothing is dropped, and what does not fit is written down.

Only `anywhere` and `from_tables` ask Spark for anything; every other module works without it. The names below load when
they are first used: whoever makes a dataset from rows in memory reads no files.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from whence.loading.load import load_csv, load_path
    from whence.loading.problems import Problem
    from whence.loading.read import Loaded, read_csv
    from whence.loading.report import LoadReport, load_report

__all__ = ["LoadReport", "Loaded", "Problem", "load_csv", "load_path", "load_report", "read_csv"]

_HOMES = {
    "LoadReport": "whence.loading.report",
    "Loaded": "whence.loading.read",
    "Problem": "whence.loading.problems",
    "load_csv": "whence.loading.load",
    "load_path": "whence.loading.load",
    "load_report": "whence.loading.report",
    "read_csv": "whence.loading.read",
}


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module 'whence.loading' has no attribute {name!r}")
    return getattr(import_module(_HOMES[name]), name)
