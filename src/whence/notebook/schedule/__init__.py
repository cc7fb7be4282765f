"""Which cell must run, which need not, and running them. Only `runner.py` knows Spark."""
