"""Searches for predicates with a great influence. They need nothing but NumPy."""
