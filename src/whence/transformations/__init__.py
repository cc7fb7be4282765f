"""One vocabulary of transformations: what lenses, pipelines, cells, the command line and the docs are views of."""
