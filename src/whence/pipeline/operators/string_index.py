"""Number the values of text columns."""

from __future__ import annotations

from collections.abc import Sequence

from whence.model.errors import UserError
from whence.pipeline.applied import Applied
from whence.pipeline.given import Given, listed
from whence.pipeline.operator import Operator
from whence.pipeline.template import Read, Statistic, Template
from whence.plan.sql_text import quoted, text

_MOST = 10_000


class StringIndex(Operator):
    """A new column `column_index` numbers the values from 0: the most frequent first, of equally frequent ones the
    smaller text. A missing value has no number. The column goes, unless `keep=True`."""

    name = "string_index"
    title = "Index strings"
    core = "vertical augmentation"
    provenance = "a new cell comes from the cell that was numbered and from the order, which comes from the column"

    def apply(self, given: Given, columns: str | Sequence[str], keep: bool = False) -> Applied:
        chosen = [column.name for column in given.columns(columns)]
        added: dict[str, str] = {}
        templates = []
        for name in chosen:
            value = f"cast({quoted(name)} as string)"
            rows = given.ask(
                f"select {value} as v, count(*) as n from {given.view} where {quoted(name)} is not null "
                f"group by 1 order by 2 desc, 1 limit {_MOST + 1}"
            )
            if len(rows) > _MOST:
                raise UserError(f"{name} has more than {_MOST:,} values to number.")
            order = [str(row["v"]) for row in rows]
            pairs = ", ".join(f"{text(each)}, {number}" for number, each in enumerate(order))
            new = given.new_name(f"{name}_index", added)
            added[new] = f"try_element_at(map({pairs}), {value})" if order else "cast(null as int)"
            learned = Statistic(f"order of the values of {name}", (name,), order, given=(name,))
            templates.append(Template((Read(name),), (new,), (learned,)))
        return Applied(
            f"Numbered the values of {listed(chosen)}.",
            given.outputs(drop=() if keep else chosen, added=added),
            tuple(templates),
        )
