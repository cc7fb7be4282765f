"""Bring numbers to a common scale."""

from __future__ import annotations

from collections.abc import Sequence

from whence.model.errors import UserError
from whence.pipeline.applied import Applied
from whence.pipeline.given import Given, listed
from whence.pipeline.operator import Operator
from whence.pipeline.template import Read, Statistic, Template
from whence.plan.sql_text import quoted

_LEARNED = {
    "min-max": ("min({0})", "max({0})"),
    "z": ("avg({0})", "stddev_pop({0})"),
    "robust": ("percentile({0}, 0.5)", "percentile({0}, 0.75) - percentile({0}, 0.25)"),
    "decimal": ("0D", "max(abs({0}))"),
}
_NAMES = {"minmax": "min-max", "zscore": "z", "standard": "z"}


class Normalize(Operator):
    """Numbers are put into 0 to 1 (min-max), to mean 0 and deviation 1 (z), to median 0 and quartile distance 1
    (robust), or below 1 by a power of ten (decimal). A column that holds one value alone becomes 0."""

    name = "normalize"
    title = "Normalise"
    core = "transformation"
    provenance = "a cell comes from itself and from the column's statistics, which come from the column"

    def apply(self, given: Given, columns: str | Sequence[str] | None = None, method: str = "min-max") -> Applied:
        method = _NAMES.get(method, method)
        if method not in _LEARNED:
            raise UserError(f"normalize does not know the method {method}.", f"Use {', '.join(_LEARNED)}.")
        chosen = given.numbers(columns)
        asked = [
            f"cast({each.format(f'cast({quoted(column.name)} as double)')} as double)"
            for column in chosen
            for each in _LEARNED[method]
        ]
        found = given.learn(*asked)
        changed, templates = {}, []
        for number, column in enumerate(chosen):
            shift, scale = (float(str(value or 0)) for value in found[2 * number : 2 * number + 2])
            learned = {"shift": shift, "scale": scale}
            if method == "min-max":
                scale -= shift
            if method == "decimal":
                scale = 10.0 ** len(str(int(scale))) if scale >= 1 else 1.0
            value = f"cast({quoted(column.name)} as double)"
            sql = f"({value} - {shift!r}D) / {scale!r}D" if scale else f"{value} - {value}"
            changed[column.name] = sql
            statistic = Statistic(f"{method} scale of {column.name}", (column.name,), learned, given=(column.name,))
            templates.append(Template((Read(column.name),), (column.name,), (statistic,)))
        names = listed(column.name for column in chosen)
        return Applied(f"Normalised {names} ({method}).", given.outputs(changed), tuple(templates))
