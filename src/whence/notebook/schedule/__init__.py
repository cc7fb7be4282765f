"""The scheduler of a notebook: `survey.py` decides without Spark which cells must run, `runner.py` runs them."""
