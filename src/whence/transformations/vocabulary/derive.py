"""Make new columns from others of the row."""

from __future__ import annotations

from whence.model.parameter import Parameter
from whence.transformations.arguments import Arguments
from whence.transformations.input_table import InputTable, join_names
from whence.transformations.plan import TransformationPlan
from whence.transformations.transformation import Transformation


class Derive(Transformation):
    """Add columns, each computed by an expression over the row; drop the columns in `drop` in the same step."""

    name = "derive"
    title = "Derive columns"
    group = "Query"
    pattern = "vertical augmentation"
    provenance = (
        "a new cell comes from the cells of its row that the expression reads, and through a window function from "
        "those of the rows it reads"
    )
    parameters = (
        Parameter("columns", "mapping", "new columns, each with SQL over the row", is_required=True),
        Parameter("drop", "columns", "columns to drop in the same step"),
    )
    example = {"columns": {"total": "price * n"}}

    def plan(self, table: InputTable, arguments: Arguments) -> TransformationPlan:
        columns, gone = arguments.expressions("columns"), arguments.names("drop")
        for name in columns:
            if name not in gone:
                table.new_name(name)
        reads = table.expressions(columns, may_look_around=True)
        groups: dict[tuple[str, ...], list[str]] = {}
        for name, each in reads.items():
            groups.setdefault(each.columns if each.is_row_wise else (name, "around"), []).append(name)
        templates = [table.template(reads[names[0]], *names) for names in groups.values()]
        also = f", dropped {join_names(gone)}" if gone else ""
        made = {name: f"({sql})" for name, sql in columns.items()}
        outputs = table.outputs(drop=gone, added=made, types={name: each.type for name, each in reads.items()})
        return TransformationPlan(
            f"Derived {'; '.join(f'{name} = {sql}' for name, sql in columns.items())}{also}.",
            outputs,
            tuple(templates),
            new_rows=table.around(outputs, reads.values()),
            replaced=tuple(name for name in columns if name in gone),
            is_repeatable=all(each.is_repeatable for each in reads.values()),
        )
