"""Connects an isolated Python cell to Spark; runs inside the cell's process."""

from __future__ import annotations

import os
import sys

import pyspark.sql.connect.dataframe
import pyspark.sql.connect.functions
import pyspark.sql.connect.session  # noqa: F401 - warm before a cell needs it
from pyspark.sql import SparkSession


def connect_session(address: str, token: str) -> SparkSession:
    """Return a session over Spark Connect."""
    os.environ["SPARK_CONNECT_AUTHENTICATE_TOKEN"] = token
    os.environ["PYSPARK_PYTHON"] = sys.executable
    return SparkSession.builder.remote(address).getOrCreate()
