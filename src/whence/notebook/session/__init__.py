"""Sessions: Python cells of one notebook in one interpreter, in any order."""
