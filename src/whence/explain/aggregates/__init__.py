"""The aggregates that explanations understand, one file each."""
