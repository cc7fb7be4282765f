"""Code that runs inside Spark's tasks."""
