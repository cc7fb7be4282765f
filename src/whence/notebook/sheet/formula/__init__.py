"""Spreadsheet formulas: read from text, kept as trees that outlive moves and renames, evaluated one by one or whole."""
