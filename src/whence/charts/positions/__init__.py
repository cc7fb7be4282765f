"""Positions, one file each: where marks go so that they do not hide each other. Each has a line in the registry."""
