"""The cell kinds, one file each. `registry.py` lists them."""
