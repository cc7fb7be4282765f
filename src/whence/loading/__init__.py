"""Files in, datasets out: nothing is dropped, and what does not fit is written down. No Spark in here."""

from whence.loading.load import load_csv
from whence.loading.problems import Problem
from whence.loading.read import Loaded, read_csv
from whence.loading.report import LoadReport, load_report

__all__ = ["LoadReport", "Loaded", "Problem", "load_csv", "load_report", "read_csv"]
