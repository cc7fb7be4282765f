"""The front ends for Jupyter: the only part of the package that knows IPython and ipykernel."""
