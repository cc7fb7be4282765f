"""The plan of a transformation over one table: SQL for columns and rows, templates, guesses and statistics."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Literal

from whence.model.caveat import Caveat
from whence.model.dataset import DatasetRecord
from whence.transformations.template import Reading, Template

Drops = Literal["condition", "missing", "repeated", "not drawn", "mostly missing"]
"""Why a filter drops a row; `why_missing` puts it into words with the values of the row."""


HELPER = "__whence_helper"
"""The default name of the column that holds a filter's window function."""


@dataclass(frozen=True)
class Output:
    """One column of the result: its name, its SQL expression, and its type where that is known."""

    name: str
    sql: str
    type: str = ""


@dataclass(frozen=True)
class Guess:
    """An assumption about cells of a column, or about rows if `column` is None; each gets a caveat.

    `when` is a SQL condition for the rows and `message` a SQL text, both evaluated beside the outputs. A guess without
    a message only flags cells; the plan's `notes` then say why, once for the whole column. `low` and `high` are SQL for
    the least and the greatest value that such a cell can have, besides the one that is guessed; `among` is SQL for an
    array with a NULL in it if the cell may be missing.
    """

    column: str | None
    family: str
    when: str
    message: str | None
    low: str | None = None
    high: str | None = None
    among: str | None = None


@dataclass(frozen=True)
class RowFilter:
    """A SQL condition for the rows that stay, the columns it tests, and the condition in words.

    The condition reads the window function `helper` as a column called `helper_name`. The default name is internal, and
    internal columns are never in doubt. `doubt` is a SQL condition for the rows that the filter might be wrong about.
    """

    keep: str
    tested: tuple[str, ...]
    drops: Drops = "condition"
    words: str = ""
    helper: str = ""
    doubt: str = ""
    helper_name: str = HELPER


@dataclass(frozen=True)
class NewRows:
    """A query that makes other rows than its input has; its result is stored as a dataset version.

    The query reads the input as `{input}` and other datasets as `{other0}`, `{other1}`; `{columns}` in it stands for
    the outputs and their guesses. `continues`: rows from the first mention of `{input}` are the same records as before.
    """

    query: str = ""
    others: tuple[DatasetRecord, ...] = ()
    continues: bool = True
    adds: bool = False
    """Whether it only adds rows: templates then describe the new rows, and the others pass unchanged."""
    mentions: int = 1
    """How often the query mentions `{input}`."""
    leaves: tuple[tuple[int, ...], ...] = ()
    """The leaves of the Spark plan that scan the input, then those of each other dataset; empty for the usual order."""
    functions: Mapping[str, Callable[..., object]] = field(default_factory=dict)
    types: Mapping[str, str] = field(default_factory=dict)
    drops: str = ""
    """Why an input row may have no output row, in words."""

    def leaves_of(self, source: int) -> tuple[int, ...]:
        """Return the leaves of the Spark plan that scan one source; source 0 is the input."""
        if self.leaves:
            return self.leaves[source]
        return tuple(range(self.mentions)) if source == 0 else (self.mentions - 1 + source,)


@dataclass(frozen=True)
class TransformationPlan:
    """What one transformation does to one table."""

    description: str
    """What it did and assumed, in one sentence."""
    outputs: tuple[Output, ...]
    templates: tuple[Template, ...] = ()
    guesses: tuple[Guess, ...] = ()
    learned: Mapping[str, object] = field(default_factory=dict)
    """What it found out from the data, by name."""
    notes: tuple[Caveat, ...] = ()
    """Caveats about whole columns or the whole dataset."""
    below: tuple[tuple[Output, ...], ...] = ()
    """Temporary columns in stages; each stage reads the one before, outputs and guesses read all."""
    row_filter: RowFilter | None = None
    renamed: Mapping[str, str] = field(default_factory=dict)
    replaced: tuple[str, ...] = ()
    """Columns that it drops and whose names it gives to new columns."""
    new_rows: NewRows | None = None
    template_reading: Reading = "touched"
    """Which cells the published templates count as written: `replace` writes only the cells it changes."""
    is_repeatable: bool = True
    """Whether a second run gives the same; if not, the result of the first is stored."""

    @property
    def written(self) -> tuple[str, ...]:
        """The columns that it writes, each once."""
        return tuple(dict.fromkeys(name for template in self.templates for name in template.writes))
