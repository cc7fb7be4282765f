"""Cleaning that says what it assumed: lenses."""
