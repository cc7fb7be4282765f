"""The `split` cell kind: divides the rows of a dataset among several datasets by conditions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import cast

from whence.model.errors import UserError
from whence.model.parameter import Parameter
from whence.notebook.cell import CellContext, CellKind, CellResult, Values, names_in
from whence.notebook.cells.query import SOURCE, arguments_of, looks_at_marks, quoted, run_query
from whence.notebook.footprint import Footprint


class Split(CellKind):
    """Put every row into the first part whose condition holds, or into the rest if none holds."""

    name = "split"
    title = "Split rows"
    group = "Query"
    parameters = (
        SOURCE,
        Parameter(
            "parts",
            "entries",
            "parts in order, each with a name and a condition in SQL",
            is_required=True,
            fields=(
                Parameter("name", "text", "the name of the part"),
                Parameter("condition", "condition", "which rows it takes, in SQL"),
            ),
        ),
        Parameter("otherwise", "text", "what to call the rows that are left; they are dropped if left open"),
    )

    def check(self, values: Values) -> None:
        super().check(values)
        if any(not each.get("name") or not each.get("condition") for each in _parts(values)):
            raise UserError("Each part of a split needs a name and a condition.")

    def footprint(self, values: Values) -> Footprint:
        names = {str(each.get("name")) for each in _parts(values)} | names_in(values, "otherwise")
        reads = names_in(values, "source") | arguments_of(values)
        return Footprint(reads, frozenset(names), is_exact=True, reads_marks=looks_at_marks(values))

    def run(self, context: CellContext, values: Values) -> CellResult:
        context.dataset(values["source"])
        made, before = {}, list[str]()
        for part in _parts(values):
            made[str(part["name"])] = [*before, f"({part['condition']})"]
            # A condition that is NULL does not hold: its row goes on to the next part.
            before.append(f"not coalesce(({part['condition']}), false)")
        if values.get("otherwise"):
            made[str(values["otherwise"])] = before
        source = quoted(values["source"])
        return CellResult(
            {
                name: run_query(context, f"select * from {source} where {' and '.join(conditions)}", name)
                for name, conditions in made.items()
            }
        )


def _parts(values: Values) -> Sequence[Mapping[str, object]]:
    return cast("Sequence[Mapping[str, object]]", values.get("parts") or ())
