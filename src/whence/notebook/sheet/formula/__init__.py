"""Spreadsheet formulas: parsed into trees that stay valid when columns move, and evaluated for one cell or for many."""
