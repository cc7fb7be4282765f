"""Worker processes for Python cells: confined, started ahead of time, and used for one run or one session."""
