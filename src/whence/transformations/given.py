"""The table a transformation is put on, and all that the transformation may ask about it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from whence.engine.expression import Reads
from whence.model.dataset import DatasetRecord, Doubt
from whence.model.errors import UserError
from whence.model.parameter import find_column
from whence.model.schema import Field, Schema
from whence.plan.sql_text import quoted
from whence.transformations.applied import Output, Whole
from whence.transformations.template import Read, Template

RID = "__whence_rid"
"""The column in which a transformation sees which row of the last stored version a row is."""

Row = dict[str, object]

WHOLE_NUMBERS = ("tinyint", "smallint", "int", "bigint")
NUMBERS = (*WHOLE_NUMBERS, "float", "double")


@dataclass(frozen=True)
class Given:
    """A table in the making."""

    label: str
    schema: Schema
    name_view: Callable[[], str]
    """Give the table a name in SQL."""
    ask: Callable[[str], list[Row]]
    """Run a query to learn something; all rows take part."""
    read_expressions: Callable[[Sequence[str]], list[Reads]]
    check_expression: Callable[[str], str]
    """Refuse SQL of a user that a server must not run; `read_expressions` does so, too."""
    find_dataset: Callable[[object], DatasetRecord]
    count_rows: Callable[[], int]
    rid_at: Callable[[int], int]
    """The RID of the row at a place, from 0; earlier steps may have dropped rows before it."""
    doubt: Doubt
    earlier: Callable[[str], Mapping[str, object] | None]
    """What the transformation of this name learned when the dataset to be made was last made."""

    @property
    def view(self) -> str:
        """The table's name in SQL, where each row also has RID; it gets one when it is first asked for."""
        return self.name_view()

    @property
    def rows(self) -> int:
        """How many rows there are."""
        return self.count_rows()

    def head(self, count: int) -> list[Row]:
        """The first rows."""
        names = ", ".join(map(quoted, self.schema.names))
        return self.ask(f"select {names} from {self.view} order by {RID} limit {count}")

    def analyse(self, expressions: Sequence[str]) -> list[Reads]:
        """What expressions read."""
        found = self.read_expressions(expressions) if expressions else []
        names = set(self.schema.names)
        return [replace(each, columns=tuple(name for name in each.columns if name in names)) for each in found]

    def learn(self, *expressions: str, where: str = "true") -> list[object]:
        """One value for each aggregate over all rows."""
        if not expressions:
            return []
        named = ", ".join(f"{each} as v{number}" for number, each in enumerate(expressions))
        (row,) = self.ask(f"select {named} from {self.view} where {where}")
        return list(row.values())

    def column(self, name: object) -> Field:
        """The column of this name."""
        return find_column(self.label, self.schema, name)

    def numbers(self, columns: Sequence[Field]) -> list[Field]:
        """These columns, which must hold numbers; all that do, if none is named."""
        for column in columns:
            if not is_number(column):
                raise UserError(f"{column.name} holds {column.type}, not numbers.")
        return list(columns) or [column for column in self.schema if is_number(column)]

    def text_columns(self, columns: tuple[Field, ...]) -> tuple[Field, ...]:
        """These columns, which must hold text; all that do, if none is named."""
        for column in columns:
            if column.type != "string":
                raise UserError(f"{column.name} holds {column.type}, not text.")
        return columns or tuple(column for column in self.schema if column.type == "string")

    def new_name(self, name: str, taken: Collection[str] = ()) -> str:
        """The name of a new column; one that is taken, ignoring case as Spark does, is refused."""
        if not name.strip():
            raise UserError("A column needs a name.")
        if name.lower() in {each.lower() for each in (*self.schema.names, *taken)}:
            raise UserError(f"{self.label} already has a column {name}.", "Rename or drop it, or give another name.")
        return name

    def helper(self, name: str) -> str:
        """A name for a column that is needed on the way and that no column has."""
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
        """Every column as it is but for those computed another way or dropped, and then the new ones."""
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
        """What the expression for each column reads of its row; one that looks at other rows is refused.

        With `may_look_around` it may hold a window function.
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
        """What one expression reads of its row."""
        return self.expressions({what: sql})[what]

    def template(self, reads: Reads, *writes: str) -> Template:
        """A template for an expression."""
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

    def around(self, outputs: Sequence[Output], reads: Iterable[Reads]) -> Whole | None:
        """How a step is kept whose expressions hold window functions: as a version, for only its run knows the rows
        they read."""
        if all(each.is_row_wise for each in reads):
            return None
        columns = ", ".join(f"{each.sql} as {quoted(each.name)}" for each in outputs)
        return Whole(f"select {columns} from {{given}} order by {RID}")

    def learned_in_doubt(self, *columns: Field) -> str:
        """A sentence if what was learned from these columns was learned from data in doubt."""
        is_doubtful = self.doubt.rows or self.doubt.row_set or any(each.name in self.doubt.columns for each in columns)
        return f" Some of what this was learned from in {self.label} is in doubt." if is_doubtful else ""


def is_number(column: Field) -> bool:
    """Whether a column holds numbers."""
    return column.type in NUMBERS or column.type.startswith("decimal")


def is_whole(column: Field) -> bool:
    """Whether a column holds whole numbers."""
    return column.type in WHOLE_NUMBERS


def listed(names: Iterable[str], most: int = 6) -> str:
    """Names in a sentence.

    >>> listed(["a", "b"]), listed("abcdefgh")
    ('a, b', 'a, b, c, d, e, f and 2 more')
    """
    every = list(names)
    rest = f" and {len(every) - most} more" if len(every) > most else ""
    return ", ".join(every[:most]) + rest
