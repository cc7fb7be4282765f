"""The questions that a pipeline's trail answers, one file each."""
