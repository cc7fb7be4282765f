"""Explanations over more rows than fit into memory: Spark tasks read the rows and return sums."""
