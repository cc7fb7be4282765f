"""Geometric objects, one file each: which drawing stands for a mark, and a line in the registry."""
