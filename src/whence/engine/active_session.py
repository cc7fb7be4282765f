"""Finds the Spark session of the program that runs, as a program does that has no variable for it."""

from __future__ import annotations

from pyspark.sql import SparkSession


def find_or_start_session() -> SparkSession:
    """Return the session that is active, else the one that `SparkSession.builder` gives."""
    return SparkSession.getActiveSession() or SparkSession.builder.getOrCreate()
