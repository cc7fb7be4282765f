"""The sheet engine: spreadsheet operations as data, evaluated live over a dataset and applied as a dataset."""
