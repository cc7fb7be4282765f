"""Make a column a key: one row for each of its values."""

from __future__ import annotations

from whence.model.parameter import Parameter
from whence.transformations.applied import Applied, Whole
from whence.transformations.chosen import Chosen
from whence.transformations.duplicates import ORDER_AS_FOUND, grouped_outputs
from whence.transformations.given import RID, Given
from whence.transformations.sql import quoted
from whence.transformations.template import Read, Template
from whence.transformations.transformation import Transformation


class RepairKey(Transformation):
    """Of the rows that share a key one is kept; rows without a key are all kept, because nothing says they are one."""

    name = "repair_key"
    title = "Keep one row for each key"
    group = "Clean"
    core = "aggregation"
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

    def apply(self, given: Given, chosen: Chosen) -> Applied:
        keys, choose = chosen.columns("column"), chosen.text("choose")
        order = chosen.column("order") if chosen.has("order") else None
        shown, guesses = grouped_outputs(given, keys, choose, order)
        names = [quoted(key.name) for key in keys]
        lacks_key = " or ".join(f"{name} is null" for name in names)
        shared, rows = _repeated(given, names)
        by = "" if order is None else f" by {order.name}"
        kept = "the most frequent value of each column" if choose == "most frequent" else f"the {choose} row{by}"
        templates = [Template((Read(key.name, "grouped"),), (key.name,)) for key in keys]
        others = [field.name for field in given.schema if field not in keys]
        templates += [Template((Read(name, "aggregated"),), (name,)) for name in others]
        groups = f"group by {', '.join(names)}, if({lacks_key}, {RID}, null) {ORDER_AS_FOUND}"
        return Applied(
            f"{', '.join(key.name for key in keys)} is a key now: of {rows} rows that shared {shared} keys, {kept} was "
            f"kept.{given.learned_in_doubt(*keys)}",
            shown,
            tuple(templates),
            guesses,
            {"repeated keys": shared, "their rows": rows},
            whole=Whole(f"select {{columns}} from {{given}} {groups}", continues=False, drops="it shared its key"),
        )


def _repeated(given: Given, names: list[str]) -> tuple[object, object]:
    has_key = " and ".join(f"{name} is not null" for name in names)
    repeated = f"select count(*) as n from {given.view} where {has_key} group by {', '.join(names)} having count(*) > 1"
    (row,) = given.ask(f"select count(*) as shared, coalesce(sum(n), 0) as repeats from ({repeated})")
    return row["shared"], row["repeats"]
