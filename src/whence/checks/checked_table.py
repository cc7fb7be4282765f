"""The dataset that checks look at, and all that a check may ask about it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import pyarrow as pa

from whence.derive.request import DeriveContext
from whence.engine.expression import Reads
from whence.lineage.block import Ids
from whence.lineage.codes import compact, encode
from whence.model.dataset import DatasetRecord
from whence.model.errors import UserError
from whence.model.parameter import find_column
from whence.model.schema import Field
from whence.plan.expr import QUESTIONS
from whence.plan.sql_tokens import TOKEN

_NESTED = ("array", "map", "struct", "variant")


@dataclass(frozen=True)
class CheckedTable:
    """One dataset version with the services that read it, and the way to find other datasets by name."""

    record: DatasetRecord
    context: DeriveContext
    find_dataset: Callable[[object], DatasetRecord]

    def column(self, name: str) -> Field:
        """Return the column of this name; refuse one that the dataset does not have."""
        return find_column(self.record.label, self.record.schema, name)

    def columns(self, names: Sequence[str]) -> list[str]:
        """Return these columns as the dataset spells them; refuse values that cannot be compared as a whole."""
        fields = [self.column(name) for name in names]
        for field in fields:
            if field.type.startswith(_NESTED):
                raise UserError(f"{field.name} holds {field.type}, whose values this check cannot compare.")
        return [field.name for field in fields]

    def read(self, names: Sequence[str]) -> pa.Table:
        """Return all rows of these columns."""
        return self.context.store.read(self.record, 0, self.record.rows, list(names))

    def groups(self, names: Sequence[str]) -> Ids:
        """Return a number for each row, which rows with equal values in these columns share; NULL equals NULL."""
        return group_numbers(self.read(names))

    def condition(self, sql: str) -> Reads:
        """Return what a condition reads; refuse one that is not about its own row, or not the same in every run."""
        engine = self.context.engine
        if any((token["word"] or "").lower() in QUESTIONS for token in TOKEN.finditer(sql)):
            raise UserError(f"A check cannot ask for doubts: {sql}.", "Ask in a query.")
        # The line break ends a remark at the end of the condition.
        (reads,) = engine.reads(lambda: engine.frame(self.record), [f"{sql}\n"], self.record.schema)
        if reads.type != "boolean":
            raise UserError(f"{sql} is {reads.type}, not a condition.", "For example: amount > 0.")
        if not reads.is_row_wise:
            raise UserError(f"The condition {sql} looks at more than its own row.", "Check the result of a query.")
        if not reads.is_repeatable:
            raise UserError(f"The condition {sql} may give another answer in every run.", "Use fixed values.")
        return reads


def group_numbers(table: pa.Table) -> Ids:
    """Return a number for each row, which equal rows share. NULL equals NULL, NaN equals NaN and -0.0 equals 0.0."""
    first, *rest = (encode(column) for column in table.columns)
    numbers = first.numbers
    for codes in rest:
        # Compact after every column: the product of all counts may not fit 64 bits.
        numbers = compact(numbers * max(codes.count, 1) + codes.numbers)[1]
    return numbers
