"""The package that knows the log of Delta tables, which may be missing."""

from __future__ import annotations

from importlib import import_module
from types import ModuleType

from whence.model.errors import UserError


def delta_package() -> ModuleType:
    """Return the package, or raise an error that says how to install it."""
    try:
        # An optional dependency, which only Delta tables need.
        return import_module("deltalake")
    except ModuleNotFoundError:
        raise UserError(
            "Delta tables are read and written by deltalake, which is not installed.",
            "Run `pip install 'whence-data[delta]'`.",
        ) from None
