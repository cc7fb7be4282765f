"""Exports datasets to files for other programs, without Spark."""
