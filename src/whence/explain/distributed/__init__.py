"""Questions about more rows than fit memory: what is read of them is read in Spark's tasks."""
