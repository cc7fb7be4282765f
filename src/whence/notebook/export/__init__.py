"""Datasets as files for other programs; no Spark needed."""
