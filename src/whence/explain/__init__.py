"""Explanations: predicates over input rows whose removal brings an odd aggregate back (after Scorpion)."""
