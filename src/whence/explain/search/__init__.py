"""Searches for predicates of great influence; they need NumPy alone."""
