"""The vocabulary of transformations that lenses, pipelines, notebook cells, the command line and the docs share."""
