"""Bring numbers to a common scale."""

from __future__ import annotations

from whence.model.parameter import Parameter
from whence.plan.sql_text import quoted
from whence.transformations.applied import Applied
from whence.transformations.chosen import Chosen
from whence.transformations.given import Given, listed
from whence.transformations.template import Read, Statistic, Template
from whence.transformations.transformation import Transformation

_LEARNED = {
    "min-max": ("min({0})", "max({0})"),
    "z": ("avg({0})", "stddev_pop({0})"),
    "robust": ("percentile({0}, 0.5)", "percentile({0}, 0.75) - percentile({0}, 0.25)"),
    "decimal": ("0D", "max(abs({0}))"),
}
_NAMES = {"minmax": "min-max", "zscore": "z", "standard": "z"}


class Normalize(Transformation):
    """Numbers are put into 0 to 1 (min-max), to mean 0 and deviation 1 (z), to median 0 and quartile distance 1
    (robust), or below 1 by a power of ten (decimal). A column that holds one value alone becomes 0."""

    name = "normalize"
    title = "Normalise"
    group = "Prepare"
    core = "transformation"
    provenance = "a cell comes from itself and from the column's statistics, which come from the column"
    parameters = (
        Parameter("columns", "columns", "the columns; all numbers if left open"),
        Parameter("method", "choice", "onto which scale", "min-max", choices=(*_LEARNED, *_NAMES)),
    )
    example = {"columns": ["age"], "method": "z"}

    def apply(self, given: Given, chosen: Chosen) -> Applied:
        method = _NAMES.get(chosen.text("method"), chosen.text("method"))
        columns = given.numbers(chosen.columns("columns"))
        asked = [
            f"cast({each.format(f'cast({quoted(column.name)} as double)')} as double)"
            for column in columns
            for each in _LEARNED[method]
        ]
        found = given.learn(*asked)
        changed, templates = {}, []
        for number, column in enumerate(columns):
            shift, scale = (float(str(value or 0)) for value in found[2 * number : 2 * number + 2])
            scale = _divisor(method, shift, scale)
            value = f"cast({quoted(column.name)} as double)"
            sql = f"({value} - {shift!r}D) / {scale!r}D" if scale else f"{value} - {value}"
            changed[column.name] = sql
            statistic = Statistic(
                f"{method} scale of {column.name}",
                (column.name,),
                {"shift": shift, "scale": scale},
                given=(column.name,),
            )
            templates.append(Template((Read(column.name),), (column.name,), (statistic,)))
        names = listed(column.name for column in columns)
        return Applied(f"Normalised {names} ({method}).", given.outputs(changed), tuple(templates))


def _divisor(method: str, shift: float, learned: float) -> float:
    """What values are divided by after the shift: of min-max the range, of decimal the power of ten above all."""
    if method == "min-max":
        return learned - shift
    if method == "decimal":
        return 10.0 ** len(str(int(learned))) if learned >= 1 else 1.0
    return learned
