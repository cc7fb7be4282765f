"""Sessions: the Python cells of a notebook share one interpreter and run in any order."""
