"""Names for Spark's DataFrame and session, so that the layers above need not import Spark."""

from __future__ import annotations

import re
import warnings
from typing import Any, Protocol, TypeGuard

from pyspark.core.rdd import RDD
from pyspark.sql import DataFrame, SparkSession

from whence.model.errors import BadInput

Frame = DataFrame
Session = SparkSession
_OF_A_PROGRAM = {
    "ParallelCollectionRDD", "EmptyRDD", "PythonRDD", "PairwiseRDD", "MapPartitionsRDD", "ShuffledRDD", "UnionRDD",
    "CoalescedRDD", "CartesianRDD", "ZippedPartitionsRDD2", "PartitionwiseSampledRDD",
}  # fmt: skip
"""RDDs that hold rows that the program has in Python, or are made from others."""


class PandasOnSpark(Protocol):
    """A frame of `pyspark.pandas`. We do not import that package ourselves, as it takes a second."""

    def to_spark(self) -> DataFrame:
        """Return the rows without the index."""


def is_rdd(value: object) -> TypeGuard[RDD[Any]]:
    """Return whether a value is an RDD."""
    return isinstance(value, RDD)


def holds_rows_of_others(rdd: RDD[Any]) -> bool:
    """Return whether some rows of an RDD may come from files or frames, and not from the program itself."""
    described = (rdd.toDebugString() or b"").decode()
    return not set(re.findall(r"(\w+)\[\d+\] at ", described)) <= _OF_A_PROGRAM


def is_frame(value: object) -> TypeGuard[DataFrame]:
    """Return whether a value is a frame of PySpark."""
    return isinstance(value, DataFrame)


def frame_of(given: Frame | PandasOnSpark) -> DataFrame:
    """Return the Spark DataFrame behind a frame of PySpark or of pandas on Spark."""
    if isinstance(given, DataFrame):
        return given
    if type(given).__module__.startswith("pyspark.pandas.") and hasattr(given, "to_spark"):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # about the index, which is dropped on purpose
            return given.to_spark()
    raise BadInput(
        f"A dataset is made from a DataFrame of PySpark or of pandas on Spark, not from {type(given).__name__}.",
        "ws.create takes pandas frames, Arrow tables and lists of rows.",
    )
