"""The registry of functions that compute all their arguments first."""

from __future__ import annotations

from whence.notebook.sheet.formula.dates import DATE_FUNCTIONS
from whence.notebook.sheet.formula.functions import BASIC_FUNCTIONS, SheetFunction

FUNCTIONS: dict[str, SheetFunction] = BASIC_FUNCTIONS | DATE_FUNCTIONS
"""All functions of single values, except those of `branches.py`, which do not compute all their arguments."""
