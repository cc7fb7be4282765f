"""Explanations: which rows, told by a predicate over their attributes, make an aggregate look odd."""
