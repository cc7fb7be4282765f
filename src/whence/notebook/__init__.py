"""The notebook: cells that talk only through datasets."""
