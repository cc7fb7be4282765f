"""The name under which layers above hold a Spark DataFrame without importing Spark."""

from __future__ import annotations

from pyspark.sql import DataFrame, SparkSession

Frame = DataFrame
Session = SparkSession

__all__ = ["Frame", "Session"]
