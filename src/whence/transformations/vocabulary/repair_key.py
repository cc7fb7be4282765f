"""Make a column a key: one row for each of its values."""

from __future__ import annotations

from whence.model.parameter import Parameter
from whence.transformations.arguments import Arguments
from whence.transformations.duplicates import ORDER_AS_FOUND, grouped_outputs
from whence.transformations.input_table import RID, InputTable
from whence.transformations.plan import NewRows, TransformationPlan
from whence.transformations.sql import quoted
from whence.transformations.template import Read, Template
from whence.transformations.transformation import Transformation


class RepairKey(Transformation):
    """Keep one row for each key; keep all rows without a key, because nothing says that they are one."""

    name = "repair_key"
    title = "Keep one row for each key"
    group = "Clean"
    pattern = "aggregation"
    provenance = "a cell comes from the cells of all rows with the same key"
    guesses = "each cell in which the rows of a key differ; the caveat lists the alternatives"
    parameters = (
        Parameter("column", "columns", "the column, or columns, that should be a key", is_required=True),
        Parameter(
            "choose", "choice", "which row is kept, or for each column which value", "first",
            choices=("first", "last", "most frequent"),
        ),
        Parameter("order", "column", "the column by which a row is first or last, instead of its position"),
    )  # fmt: skip
    example = {"column": "id", "choose": "last", "order": "changed"}

    def plan(self, table: InputTable, arguments: Arguments) -> TransformationPlan:
        keys, choose = arguments.columns("column"), arguments.text("choose")
        order = arguments.column("order") if arguments.has("order") else None
        shown, guesses = grouped_outputs(table, keys, choose, order)
        names = [quoted(key.name) for key in keys]
        lacks_key = " or ".join(f"{name} is null" for name in names)
        shared, rows = _repeated(table, names)
        by = "" if order is None else f" by {order.name}"
        kept = "the most frequent value of each column" if choose == "most frequent" else f"the {choose} row{by}"
        templates = [Template((Read(key.name, "grouped"),), (key.name,)) for key in keys]
        others = [field.name for field in table.schema if field not in keys]
        templates += [Template((Read(name, "aggregated"),), (name,)) for name in others]
        # A row without a key is a group of its own, by its row id.
        groups = f"group by {', '.join(names)}, if({lacks_key}, {RID}, null) {ORDER_AS_FOUND}"
        return TransformationPlan(
            f"{', '.join(key.name for key in keys)} is a key now: of {rows} rows that shared {shared} keys, {kept} was "
            f"kept.{table.learned_in_doubt(*keys)}",
            shown,
            tuple(templates),
            guesses,
            {"repeated keys": shared, "their rows": rows},
            new_rows=NewRows(f"select {{columns}} from {{input}} {groups}", continues=False, drops="it shared its key"),
        )


def _repeated(table: InputTable, names: list[str]) -> tuple[object, object]:
    has_key = " and ".join(f"{name} is not null" for name in names)
    repeated = f"select count(*) as n from {table.view} where {has_key} group by {', '.join(names)} having count(*) > 1"
    (row,) = table.ask(f"select count(*) as shared, coalesce(sum(n), 0) as repeats from ({repeated})")
    return row["shared"], row["repeats"]
