"""Caveats: doubt flags carried through every plan, and the caveats behind each flag."""
