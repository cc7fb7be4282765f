"""Make one column of several that say the same thing."""

from __future__ import annotations

from whence.model.errors import UserError
from whence.model.parameter import Parameter
from whence.transformations.arguments import Arguments
from whence.transformations.duplicates import is_ordered
from whence.transformations.input_table import InputTable
from whence.transformations.plan import Guess, Output, TransformationPlan
from whence.transformations.sql import concat_text, quoted, text
from whence.transformations.template import Read, Template
from whence.transformations.transformation import Transformation


class MergeColumns(Transformation):
    """Make one column of several: the first value that is not missing, in their order, or all values as one text."""

    name = "merge_columns"
    title = "Merge columns"
    group = "Clean"
    pattern = "vertical augmentation"
    provenance = "a merged cell comes from the cells of its row that were merged"
    guesses = "with method first: each cell for which the columns hold different values; the caveat lists them"
    parameters = (
        Parameter("columns", "columns", "the columns to merge, the most trusted first", is_required=True),
        Parameter("into", "text", "the name of the merged column; that of the first if left open"),
        Parameter("method", "choice", "the first value, or all joined as one text", "first", choices=("first", "join")),
        Parameter("separator", "text", "what stands between joined values", " "),
    )
    example = {"columns": ["phone", "mobile"], "into": "contact"}

    def plan(self, table: InputTable, arguments: Arguments) -> TransformationPlan:
        columns = arguments.columns("columns")
        if len(set(columns)) < 2:
            raise UserError("merge_columns needs two or more columns.")
        into = arguments.maybe("into") or columns[0].name
        if into not in [column.name for column in columns]:
            table.new_name(into)
        is_join = arguments.text("method") == "join"
        is_text = is_join or len({column.type for column in columns}) > 1
        values = [f"cast({quoted(c.name)} as string)" if is_text else quoted(c.name) for c in columns]
        # concat_ws gives an empty text, not NULL, where all values are missing.
        joined = f"nullif(concat_ws({text(arguments.text('separator'))}, {', '.join(values)}), '')"
        merged = joined if is_join else f"coalesce({', '.join(values)})"
        texts = ", ".join(f"cast({value} as string)" for value in values)
        has_order = is_text or is_ordered(columns[0])
        distinct = f"array_distinct(array_compact(array({texts})))"
        names = ", ".join(column.name for column in columns)
        parts = (
            text(f"{names} hold different values: "),
            f"array_join({distinct}, ', ')",
            "'; '",
            merged,
            "' was taken.'",
        )
        each_value = ", ".join(values)
        conflict = Guess(
            into,
            "chosen",
            f"size({distinct}) > 1",
            concat_text(*parts),
            low=f"least({each_value})" if has_order else None,
            high=f"greatest({each_value})" if has_order else None,
        )
        how = "joined as one text" if is_join else "the first value that is not missing"
        return TransformationPlan(
            f"{names} are merged into {into}: {how}.",
            tuple(_outputs(table, [column.name for column in columns], Output(into, merged))),
            (Template(tuple(Read(column.name) for column in columns), (into,)),),
            () if is_join else (conflict,),
        )


def _outputs(table: InputTable, merged: list[str], into: Output) -> list[Output]:
    """Return the outputs, with the merged column in the place of the first that was merged."""
    first = next(name for name in table.schema.names if name in merged)
    kept = [output for output in table.outputs() if output.name not in merged or output.name == first]
    return [into if output.name == first else output for output in kept]
