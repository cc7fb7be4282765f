"""Geoms, one file each: the drawing that stands for a mark. A new geom also needs a line in the registry."""
