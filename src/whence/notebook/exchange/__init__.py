"""Notebooks in other forms: text for git, Jupyter's, a plain PySpark script."""
