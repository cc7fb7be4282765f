"""The name under which layers above hold a Spark DataFrame without importing Spark."""

from __future__ import annotations

import warnings
from typing import Protocol

from pyspark.sql import DataFrame, SparkSession

from whence.model.errors import BadInput

Frame = DataFrame
Session = SparkSession


class PandasOnSpark(Protocol):
    """A frame of `pyspark.pandas`, which is not imported before somebody uses it: that takes a second."""

    def to_spark(self) -> DataFrame:
        """Its rows without the index."""


def frame_of(given: Frame | PandasOnSpark) -> DataFrame:
    """The DataFrame of Spark behind either kind."""
    if isinstance(given, DataFrame):
        return given
    if type(given).__module__.startswith("pyspark.pandas.") and hasattr(given, "to_spark"):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # that the index goes is what we say ourselves
            return given.to_spark()
    raise BadInput(
        f"A dataset is made from a DataFrame of PySpark or of pandas on Spark, not from {type(given).__name__}.",
        "ws.create takes pandas frames, Arrow tables and lists of rows.",
    )
