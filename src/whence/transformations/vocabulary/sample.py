"""Keep some rows, drawn at random."""

from __future__ import annotations

from collections.abc import Mapping

from whence.model.errors import UserError
from whence.model.parameter import Parameter
from whence.plan.sql_text import quoted
from whence.transformations.arguments import Arguments
from whence.transformations.input_table import RID, InputTable
from whence.transformations.plan import HELPER, RowFilter, TransformationPlan
from whence.transformations.transformation import Transformation


class Sample(Transformation):
    """Keep a share or a number of rows, of all rows or of each value of a column; the same seed draws the same
    rows."""

    name = "sample"
    title = "Sample rows"
    group = "Query"
    pattern = "selection"
    provenance = "the cells of rows not drawn are deleted"
    parameters = (
        Parameter("fraction", "number", "the share of rows to keep, between 0 and 1"),
        Parameter("rows", "whole", "instead, how many rows", least=0),
        Parameter("by", "column", "a column; so many rows are drawn of each of its values"),
        Parameter("seed", "whole", "the same number draws the same rows", 0),
    )
    example = {"fraction": 0.1, "seed": 1}

    def check(self, asker: str, values: Mapping[str, object]) -> dict[str, object]:
        parsed = super().check(asker, values)
        fraction, rows = parsed["fraction"], parsed["rows"]
        if (fraction is None) == (rows is None):
            raise UserError(f"{asker} needs a fraction or a number of rows.")
        if isinstance(fraction, int | float) and not 0 <= fraction <= 1:
            raise UserError(f"A fraction lies between 0 and 1; {fraction} does not.")
        return parsed

    def plan(self, table: InputTable, arguments: Arguments) -> TransformationPlan:
        seed, by = arguments.integer("seed"), arguments.column("by").name if arguments.has("by") else None
        group = "" if by is None else f"partition by {quoted(by)} "
        # A hash of the row id is the draw: rand(seed) would depend on how Spark partitions the rows.
        place = f"row_number() over ({group}order by xxhash64({RID}, {seed}), {RID})"
        words = "" if by is None else f" of each {by}"
        tested = () if by is None else (by,)
        if by is not None and not arguments.has("rows"):
            # Every value of the column keeps a row, however rare it is.
            share = arguments.number("fraction")
            helper = f"{place} <= ceil({share}D * count(*) over ({group.strip()}))"
            row_filter = RowFilter(HELPER, tested, "not drawn", helper=helper)
            return TransformationPlan(
                f"Drew {share:.0%} of the rows{words} (seed {seed}).", table.outputs(), row_filter=row_filter
            )
        rows = arguments.integer("rows") if arguments.has("rows") else round(table.rows * arguments.number("fraction"))
        row_filter = RowFilter(f"{HELPER} <= {rows}", tested, "not drawn", helper=place)
        return TransformationPlan(f"Drew {rows} rows{words} (seed {seed}).", table.outputs(), row_filter=row_filter)
