"""The aggregates that explanations can recompute, one file each."""
