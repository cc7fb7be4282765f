"""The lenses, one file each."""
