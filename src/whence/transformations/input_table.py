"""The table a transformation reads, and all that the transformation may ask about it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from whence.engine.expression import Reads
from whence.model.dataset import DatasetRecord, Doubt
from whence.model.errors import UserError
from whence.model.parameter import find_column
from whence.model.schema import Field, Schema
from whence.plan.sql_text import quoted
from whence.transformations.declared_ranges import DeclaredRange
from whence.transformations.plan import NewRows, Output
from whence.transformations.template import Read, Template

RID = "__whence_rid"
"""The column that holds the id of each row in the last stored version."""

Row = dict[str, object]

WHOLE_NUMBERS = ("tinyint", "smallint", "int", "bigint")
NUMBERS = (*WHOLE_NUMBERS, "float", "double")


@dataclass(frozen=True)
class InputTable:
    """The input of one transformation: its columns, its rows through queries, and its doubts."""

    label: str
    schema: Schema
    name_view: Callable[[], str]
    """Register the table under a name in SQL and return the name."""
    ask: Callable[[str], list[Row]]
    """Run a query over all rows and return its result."""
    read_expressions: Callable[[Sequence[str]], list[Reads]]
    check_expression: Callable[[str], str]
    """Refuse SQL that a server must not run; `read_expressions` does so, too."""
    find_dataset: Callable[[object], DatasetRecord]
    count_rows: Callable[[], int]
    rid_at: Callable[[int], int]
    """Return the RID of the row at a position from 0; they differ where earlier steps dropped rows."""
    doubt: Doubt
    earlier: Callable[[str], Mapping[str, object] | None]
    """Return what the transformation of this name learned in the latest version of the dataset it makes."""
    declared: Callable[[], Mapping[str, DeclaredRange]]
    """Return what the checks of the rows allow, by the name of the column in small letters."""

    @property
    def view(self) -> str:
        """The table's name in SQL, registered on first use; each row also has the column RID."""
        return self.name_view()

    @property
    def rows(self) -> int:
        """The number of rows."""
        return self.count_rows()

    def head(self, count: int) -> list[Row]:
        """Return the first rows."""
        names = ", ".join(map(quoted, self.schema.names))
        return self.ask(f"select {names} from {self.view} order by {RID} limit {count}")

    def analyse(self, expressions: Sequence[str]) -> list[Reads]:
        """Return which columns of the table each expression reads."""
        found = self.read_expressions(expressions) if expressions else []
        names = set(self.schema.names)
        return [replace(each, columns=tuple(name for name in each.columns if name in names)) for each in found]

    def learn(self, *expressions: str, where: str = "true") -> list[object]:
        """Return the value of each aggregate over the rows that meet a condition."""
        if not expressions:
            return []
        named = ", ".join(f"{each} as v{number}" for number, each in enumerate(expressions))
        (row,) = self.ask(f"select {named} from {self.view} where {where}")
        return list(row.values())

    def column(self, name: object) -> Field:
        """Return the column of this name; refuse one that the table does not have."""
        return find_column(self.label, self.schema, name)

    def numbers(self, columns: Sequence[Field]) -> list[Field]:
        """Return these columns, or all columns of numbers if there are none; refuse those that hold something else."""
        for column in columns:
            if not is_number(column):
                raise UserError(f"{column.name} holds {column.type}, not numbers.")
        return list(columns) or [column for column in self.schema if is_number(column)]

    def text_columns(self, columns: tuple[Field, ...]) -> tuple[Field, ...]:
        """Return these columns, or all columns of text if there are none; refuse those that hold something else."""
        for column in columns:
            if column.type != "string":
                raise UserError(f"{column.name} holds {column.type}, not text.")
        return columns or tuple(column for column in self.schema if column.type == "string")

    def new_name(self, name: str, taken: Collection[str] = ()) -> str:
        """Return the name of a new column; refuse one that another column has, ignoring case as Spark does."""
        if not name.strip():
            raise UserError("A column needs a name.")
        if name.lower() in {each.lower() for each in (*self.schema.names, *taken)}:
            raise UserError(f"{self.label} already has a column {name}.", "Rename or drop it, or give another name.")
        return name

    def helper(self, name: str) -> str:
        """Return a name for a temporary column that no other column has."""
        taken = {each.lower() for each in self.schema.names}
        while name in taken:
            name += "_"
        return name

    def outputs(
        self,
        changed: Mapping[str, str] | None = None,
        drop: Collection[str] = (),
        added: Mapping[str, str] | None = None,
        types: Mapping[str, str] | None = None,
    ) -> tuple[Output, ...]:
        """Return all columns, some with another expression and some dropped, and then the new columns."""
        changed, types = changed or {}, types or {}
        kept = [
            Output(field.name, changed[field.name], types.get(field.name, ""))
            if field.name in changed
            else Output(field.name, quoted(field.name), field.type)
            for field in self.schema
            if field.name not in set(drop)
        ]
        if not kept and not added:
            raise UserError(f"{self.label} would have no column left.")
        return (*kept, *(Output(name, sql, types.get(name, "")) for name, sql in (added or {}).items()))

    def expressions(self, written: Mapping[str, str], *, may_look_around: bool = False) -> dict[str, Reads]:
        """Return what the expression of each column reads; refuse one that reads other rows than its own.

        With `may_look_around` an expression may hold a window function.
        """
        found = dict(zip(written, self.analyse(list(written.values())), strict=True))
        for what, reads in found.items():
            if reads.is_row_wise or (may_look_around and reads.looks is not None):
                continue
            hint = "Use group_by, generate or join, or make it with ws.sql and start the pipeline there."
            if may_look_around:
                hint = f"An expression may hold one window function, without FILTER. {hint}"
            raise UserError(f"The expression of {what} looks at more than its own row: {written[what]}.", hint)
        return found

    def expression(self, sql: str, what: str) -> Reads:
        """Return what one expression reads of its row."""
        return self.expressions({what: sql})[what]

    def template(self, reads: Reads, *writes: str) -> Template:
        """Return the template of an expression that writes these columns."""
        if reads.is_row_wise or reads.looks is None:
            return Template(tuple(Read(name) for name in reads.columns), writes)
        (name,) = writes
        return Template(
            tuple(
                Read(each.column, each.role, around=name if each.is_around else "")
                for each in reads.looks.columns
                if self.schema.position(each.column) is not None
            ),
            writes,
        )

    def around(self, outputs: Sequence[Output], reads: Iterable[Reads]) -> NewRows | None:
        """Return the query that stores the rows if an expression holds a window function; None if none does.

        Only the run of a window function knows which rows it reads, so its result is a version of its own.
        """
        if all(each.is_row_wise for each in reads):
            return None
        columns = ", ".join(f"{each.sql} as {quoted(each.name)}" for each in outputs)
        return NewRows(f"select {columns} from {{input}} order by {RID}")

    def learned_in_doubt(self, *columns: Field) -> str:
        """Return a sentence if these columns, from which something was learned, are in doubt."""
        is_doubtful = self.doubt.rows or self.doubt.row_set or any(each.name in self.doubt.columns for each in columns)
        return f" Some of what this was learned from in {self.label} is in doubt." if is_doubtful else ""


def is_number(column: Field) -> bool:
    """Whether a column holds numbers."""
    return column.type in NUMBERS or column.type.startswith("decimal")


def is_whole(column: Field) -> bool:
    """Whether a column holds whole numbers."""
    return column.type in WHOLE_NUMBERS


def join_names(names: Iterable[str], most: int = 6) -> str:
    """Join names for a sentence.

    >>> join_names(["a", "b"]), join_names("abcdefgh")
    ('a, b', 'a, b, c, d, e, f and 2 more')
    """
    every = list(names)
    rest = f" and {len(every) - most} more" if len(every) > most else ""
    return ", ".join(every[:most]) + rest
