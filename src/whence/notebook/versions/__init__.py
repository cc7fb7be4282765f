"""Versions of a notebook: edits, the history they make, and the comparison of two versions. It needs no Spark."""
