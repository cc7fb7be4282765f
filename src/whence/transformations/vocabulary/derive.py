"""Make new columns from others of the row."""

from __future__ import annotations

from whence.model.parameter import Parameter
from whence.transformations.applied import Applied
from whence.transformations.chosen import Chosen
from whence.transformations.given import Given, listed
from whence.transformations.transformation import Transformation


class Derive(Transformation):
    """Each new column is what its expression gives for the row; the columns in `drop` go in the same step."""

    name = "derive"
    title = "Derive columns"
    group = "Query"
    core = "vertical augmentation"
    provenance = (
        "a new cell comes from the cells of its row that the expression reads, and through a window function from "
        "those of the rows it reads"
    )
    parameters = (
        Parameter("columns", "mapping", "new columns, each with SQL over the row", is_required=True),
        Parameter("drop", "columns", "columns to drop in the same step"),
    )
    example = {"columns": {"total": "price * n"}}

    def apply(self, given: Given, chosen: Chosen) -> Applied:
        columns, gone = chosen.expressions("columns"), chosen.names("drop")
        for name in columns:
            if name not in gone:
                given.new_name(name)
        reads = given.expressions(columns, may_look_around=True)
        groups: dict[tuple[str, ...], list[str]] = {}
        for name, each in reads.items():
            groups.setdefault(each.columns if each.is_row_wise else (name, "around"), []).append(name)
        templates = [given.template(reads[names[0]], *names) for names in groups.values()]
        also = f", dropped {listed(gone)}" if gone else ""
        made = {name: f"({sql})" for name, sql in columns.items()}
        outputs = given.outputs(drop=gone, added=made, types={name: each.type for name, each in reads.items()})
        return Applied(
            f"Derived {'; '.join(f'{name} = {sql}' for name, sql in columns.items())}{also}.",
            outputs,
            tuple(templates),
            whole=given.around(outputs, reads.values()),
            replaced=tuple(name for name in columns if name in gone),
            is_repeatable=all(each.is_repeatable for each in reads.values()),
        )
