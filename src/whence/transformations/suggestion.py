"""Suggestions of transformations, and what a transformation sees of a dataset when asked for one; no Spark needed."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from whence.model.schema import Field, Schema
from whence.store.profile import Profile

_MOST = 3 / 4
"""The share of texts that must match a pattern to count as most."""


@dataclass(frozen=True)
class Suggestion:
    """A transformation that would help, its arguments, and the reason in one sentence."""

    lens: str
    why: str
    parameters: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True)
class TableLook:
    """The columns of a dataset and its first rows."""

    schema: Schema
    rows: Sequence[tuple[object, ...]]


@dataclass(frozen=True)
class ColumnLook:
    """One column: its profile over all rows, and the texts in its first rows."""

    column: Field
    profile: Profile
    texts: Sequence[str]

    def mostly(self, form: re.Pattern[str]) -> bool:
        """Whether most texts match a pattern."""
        return bool(self.texts) and sum(bool(form.fullmatch(each)) for each in self.texts) >= _MOST * len(self.texts)

    @cached_property
    def writing(self) -> str:
        """What most texts hold: dates, numbers, amounts, or words; empty without texts."""
        if not self.texts:
            return ""
        if self.mostly(_DATE):
            return "dates"
        if self.mostly(_NUMBER):
            # A leading zero makes it a code.
            return "words" if any(re.match(r"\s*0\d", each) for each in self.texts) else "numbers"
        return "amounts" if self.mostly(_AMOUNT) else "words"


_AMOUNT = re.compile(r"\s*\(?[-+]?\s*([^\w\s.,()+-]|[A-Za-z]{3}\s)?\s*[-+]?\d[\d.,' ]*\s*[^\d\s()]{0,12}\)?\s*")
_NUMBER = re.compile(r"\s*[-+]?(\d+\.?\d*|\.\d+)\s*")
_DATE = re.compile(
    r"\s*(\d{1,4}[-/. ]\d{1,2}[-/. ]\d{1,4}|\d{1,2}[- .]*[A-Za-z]{3,9}[- .,]*\d{2,4}"
    r"|[A-Za-z]{3,9}[- .]*\d{1,2},?[- ]+\d{2,4})\s*"
)
