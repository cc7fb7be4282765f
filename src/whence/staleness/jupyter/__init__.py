"""The integration with Jupyter: the only part of the package that imports IPython and ipykernel."""
