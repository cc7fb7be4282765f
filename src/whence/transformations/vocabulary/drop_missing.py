"""Drop rows in which something is missing."""

from __future__ import annotations

from whence.model.parameter import Parameter
from whence.plan.sql_text import quoted
from whence.transformations.arguments import Arguments
from whence.transformations.input_table import InputTable, join_names
from whence.transformations.plan import RowFilter, TransformationPlan
from whence.transformations.transformation import Transformation


class DropMissing(Transformation):
    """Drop the rows in which a value of any column named is missing, or with `how="all"` of each. NaN is a value."""

    name = "drop_missing"
    title = "Drop rows with missing values"
    group = "Query"
    pattern = "selection"
    provenance = "the cells of the rows are deleted"
    parameters = (
        Parameter("columns", "columns", "the columns that must not be missing; all if left open"),
        Parameter("how", "choice", "whether any or all of them are missing", "any", choices=("any", "all")),
    )
    example = {"columns": ["age"]}

    def plan(self, table: InputTable, arguments: Arguments) -> TransformationPlan:
        how, names = arguments.text("how"), arguments.names("columns")
        tested = names or list(table.schema.names)
        word = " and " if how == "any" else " or "
        keep = word.join(f"{quoted(name)} is not null" for name in tested)
        where = join_names(names) or "any column"
        description = f"Dropped rows with {'a' if how == 'any' else 'every'} value of {where} missing."
        return TransformationPlan(
            description, table.outputs(), row_filter=RowFilter(f"({keep})", tuple(tested), "missing")
        )
