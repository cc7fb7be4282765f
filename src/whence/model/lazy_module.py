"""`LazyModule`: delays the import of a slow module until one of its names is first used."""

from __future__ import annotations

from importlib import import_module
from types import ModuleType
from typing import Any


class LazyModule(ModuleType):
    """A stand-in for a module that imports it when one of its names is first read.

    A type checker sees the real module:

        if TYPE_CHECKING:
            import pandas as pd
        else:
            pd = LazyModule("pandas")

    >>> LazyModule("fractions").Fraction(1, 2)
    Fraction(1, 2)
    """

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401
        # Names are read anew each time: tests replace them, and Python's own lock makes loading safe for threads.
        return getattr(import_module(self.__name__), name)
