"""The package pandera, which may be missing."""

from __future__ import annotations

from importlib import import_module
from types import ModuleType

from whence.model.errors import UserError


def pandera_package() -> ModuleType:
    """Return what pandera offers for pandas, or raise an error that says how to install it."""
    try:
        # An optional dependency, which only schemas of pandera need.
        return import_module("pandera.pandas")
    except ModuleNotFoundError:
        raise UserError(
            "Schemas of pandera need the package pandera, which is not installed.",
            "Run `pip install 'whence-data[pandera]'`.",
        ) from None
