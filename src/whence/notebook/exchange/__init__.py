"""Converts notebooks to and from other forms: text for git, Jupyter files, and plain PySpark scripts."""
