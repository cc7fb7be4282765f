"""The cell kinds, one file each."""
