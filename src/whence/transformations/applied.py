"""What a transformation makes of one table: columns, rows that stay, templates of both, guesses, what it learned."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Literal

from whence.model.caveat import Caveat
from whence.model.dataset import DatasetRecord
from whence.transformations.template import Reading, Template

Drops = Literal["condition", "missing", "repeated", "not drawn", "mostly missing"]
"""Why a row does not stay, as a kind; the words come with the values of the row."""


HELPER = "__whence_helper"


@dataclass(frozen=True)
class Output:
    """One column of the result, the SQL expression that gives it, and its type where it is known."""

    name: str
    sql: str
    type: str = ""


@dataclass(frozen=True)
class Guess:
    """Something that was assumed: on a column of the result (None: the row might not belong), where, and in words.

    `when` is a SQL condition and `message` a SQL text, evaluated where the outputs are. Without a message the guess
    only marks, and a note says why: one for the whole column, instead of one for each cell.
    """

    column: str | None
    family: str
    when: str
    message: str | None


@dataclass(frozen=True)
class Sieve:
    """Which rows stay: a SQL condition, the columns it tests and its words.

    `helper` is a window function that the condition reads under the name `helper_name`; what a name of ours holds is
    never in doubt. `doubt` is a SQL condition for the rows about which the sieve might be wrong.
    """

    keep: str
    tested: tuple[str, ...]
    drops: Drops = "condition"
    said: str = ""
    helper: str = ""
    doubt: str = ""
    helper_name: str = HELPER


@dataclass(frozen=True)
class Whole:
    """A step whose rows are not those before: its query over `{given}` and `{other0}`, kept as a dataset version.

    `{columns}` in the query stands for the outputs with what is guessed about them. `continues`: the rows that come
    from the first mention of `{given}` are the same records as before.
    """

    query: str = ""
    others: tuple[DatasetRecord, ...] = ()
    continues: bool = True
    adds: bool = False
    """The templates are of the rows it adds; the rows before it pass unchanged."""
    mentions: int = 1
    """How often `{given}` stands in the query."""
    leaves: tuple[tuple[int, ...], ...] = ()
    """The leaves of the plan that are the table before, and those of each other dataset, where a query says so."""
    functions: Mapping[str, Callable[..., object]] = field(default_factory=dict)
    types: Mapping[str, str] = field(default_factory=dict)
    drops: str = ""
    """Why a row before has no row after, in words."""

    def leaves_of(self, source: int) -> tuple[int, ...]:
        """The leaves of the plan that are one input: 0 is the table before."""
        if self.leaves:
            return self.leaves[source]
        return tuple(range(self.mentions)) if source == 0 else (self.mentions - 1 + source,)


@dataclass(frozen=True)
class Applied:
    """One transformation put on one table."""

    description: str
    """What it did and assumed, in one sentence."""
    outputs: tuple[Output, ...]
    templates: tuple[Template, ...] = ()
    guesses: tuple[Guess, ...] = ()
    learned: Mapping[str, object] = field(default_factory=dict)
    """What it found out by itself, by name."""
    notes: tuple[Caveat, ...] = ()
    """Caveats about whole columns or the whole dataset."""
    below: tuple[tuple[Output, ...], ...] = ()
    """Columns computed row by row before the outputs, in stages; outputs and guesses read them."""
    sieve: Sieve | None = None
    renamed: Mapping[str, str] = field(default_factory=dict)
    replaced: tuple[str, ...] = ()
    """Columns that went and whose names new columns have."""
    whole: Whole | None = None
    template_reading: Reading = "touched"
    """Which cells the published templates count: a repair writes only what it repairs."""
    is_repeatable: bool = True
    """Running it again gives the same; if not, what it gave is kept."""

    @property
    def written(self) -> tuple[str, ...]:
        """The columns it writes, each once."""
        return tuple(dict.fromkeys(name for template in self.templates for name in template.writes))
