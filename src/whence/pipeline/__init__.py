"""Pipelines: data preparation in steps that can tell what each did to every row and value."""
