"""The notebook: cells that exchange datasets, parameters and functions, and nothing else."""
