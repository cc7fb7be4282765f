"""The package that knows the metadata of Iceberg tables and their catalogs, which may be missing."""

from __future__ import annotations

from importlib import import_module
from types import ModuleType

from whence.model.errors import UserError


def iceberg_package(module: str) -> ModuleType:
    """Return a module of the package, or raise an error that says how to install it."""
    try:
        # An optional dependency, which only Iceberg tables need.
        return import_module(f"pyiceberg.{module}")
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] != "pyiceberg":
            raise
        raise UserError(
            "Iceberg tables are read and written by pyiceberg, which is not installed.",
            "Run `pip install 'whence-data[iceberg]'`.",
        ) from None
