"""Positions, one file each: where marks go so that they do not hide each other, and a line in the registry."""
