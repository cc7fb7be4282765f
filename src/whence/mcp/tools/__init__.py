"""The tools that agents call: one file for each question."""
