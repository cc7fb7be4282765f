"""Scales, one file each: the function from values to places and back. A new scale also needs a line in the registry."""
