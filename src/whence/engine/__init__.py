"""The only package that calls Spark: it holds the session, reads and writes plans, runs them, translates errors."""
