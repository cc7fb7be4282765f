"""Make new columns from others of the row."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from whence.model.errors import UserError
from whence.pipeline.applied import Applied
from whence.pipeline.given import Given, listed
from whence.pipeline.operator import Operator


class Derive(Operator):
    """Each new column is what its expression gives for the row; the columns in `drop` go in the same step."""

    name = "derive"
    title = "Derive columns"
    core = "vertical augmentation"
    provenance = (
        "a new cell comes from the cells of its row that the expression reads, and through a window function from "
        "those of the rows it reads"
    )

    def apply(self, given: Given, columns: Mapping[str, str], drop: str | Sequence[str] = ()) -> Applied:
        if not columns:
            raise UserError("derive needs a new column.", 'For example: derive({"total": "price * n"}).')
        gone = [column.name for column in given.columns(drop)] if drop else []
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
