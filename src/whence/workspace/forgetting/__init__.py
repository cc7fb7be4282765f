"""Forgetting rows: what it reaches, how versions are made again without them, and what is left."""
