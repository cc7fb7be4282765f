"""The schema of a dataset: names of columns with Spark's type names, and the names of whence's internal columns."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

INTERNAL_PREFIX = "__whence_"
"""The prefix of internal columns, which are stored beside the user's columns and never shown."""

LINE_COLUMN = INTERNAL_PREFIX + "line"
OFFSET_COLUMN = INTERNAL_PREFIX + "offset"
ROW_FLAG_COLUMN = INTERNAL_PREFIX + "mark_row"
TABLE_ROW_COLUMN = INTERNAL_PREFIX + "table_row"
"""The number by which a table outside whence knows a row, whatever file it is in."""
ID_PREFIX = INTERNAL_PREFIX + "id_"


def flag_column(position: int) -> str:
    """Return the name of the stored column with the doubt flags of the user column at this position."""
    return f"{INTERNAL_PREFIX}mark_{position}"


def range_columns(position: int) -> tuple[str, str, str]:
    """Return the names of the stored columns with the range of a user column: low end, high end, may be NULL."""
    return (
        f"{INTERNAL_PREFIX}low_{position}",
        f"{INTERNAL_PREFIX}high_{position}",
        f"{INTERNAL_PREFIX}null_{position}",
    )


def id_column(source: int) -> str:
    """Return the name of the stored column with the source row of each row, used where lineage is stored inline."""
    return f"{ID_PREFIX}{source}"


def field_name(name: str) -> str:
    """Return the name of a field inside a Spark type, in backquotes if it is not an identifier.

    >>> field_name("a"), field_name("a b")
    ('a', '`a b`')
    """
    return name if name.isidentifier() else "`" + name.replace("`", "``") + "`"


@dataclass(frozen=True)
class Field:
    """One column: its name and its type as Spark writes it (`bigint`, `decimal(10,2)`)."""

    name: str
    type: str


@dataclass(frozen=True)
class Schema:
    """The columns of a dataset, in order."""

    fields: tuple[Field, ...]

    @property
    def names(self) -> tuple[str, ...]:
        """The column names, in order."""
        return tuple(field.name for field in self.fields)

    def position(self, name: str) -> int | None:
        """Return the position of a column, or None if there is no column of that name."""
        return next((i for i, field in enumerate(self.fields) if field.name == name), None)

    def __iter__(self) -> Iterator[Field]:
        return iter(self.fields)

    def __len__(self) -> int:
        return len(self.fields)


def unique_names(names: list[str]) -> list[str]:
    """Make names usable as columns: blanks get `column_N`, repeats (ignoring case) a number.

    >>> unique_names(["a", "A", "", " b "])
    ['a', 'A_2', 'column_3', 'b']
    """
    # Spark compares column names without regard to case.
    taken: set[str] = set()
    unique = []
    for position, original in enumerate(names, start=1):
        base = original.strip() or f"column_{position}"
        candidate, number = base, 1
        while candidate.lower() in taken:
            number += 1
            candidate = f"{base}_{number}"
        taken.add(candidate.lower())
        unique.append(candidate)
    return unique
