"""The operations of a sheet, one file for each. `registry.py` lists them."""
