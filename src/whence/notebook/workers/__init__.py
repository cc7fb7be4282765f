"""Processes for Python cells: confined, warm, used once."""
