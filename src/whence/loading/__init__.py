"""Files in, datasets out: nothing is dropped, and what does not fit is written down.

Only `anywhere` and `from_tables` ask Spark for anything; every other module works without it.
"""

from whence.loading.load import load_csv, load_path
from whence.loading.problems import Problem
from whence.loading.read import Loaded, read_csv
from whence.loading.report import LoadReport, load_report

__all__ = ["LoadReport", "Loaded", "Problem", "load_csv", "load_path", "load_report", "read_csv"]
