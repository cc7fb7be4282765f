"""Caveats: marks carried through every plan, and the doubts behind each mark."""
