"""Scales, one file each: the two-way function between values and what is seen, and a line in the registry."""
