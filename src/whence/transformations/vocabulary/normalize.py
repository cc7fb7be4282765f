"""Bring numbers to a common scale."""

from __future__ import annotations

import math
from collections.abc import Mapping

from whence.model.parameter import Parameter
from whence.plan.sql_text import quoted, typed
from whence.transformations.arguments import Arguments
from whence.transformations.input_table import InputTable, join_names
from whence.transformations.plan import TransformationPlan
from whence.transformations.template import Read, Statistic, Template
from whence.transformations.transformation import Transformation

_LEARNED = {
    "min-max": ("min({0})", "max({0})"),
    "z": ("avg({0})", "stddev_pop({0})"),
    "robust": ("percentile({0}, 0.5)", "percentile({0}, 0.75) - percentile({0}, 0.25)"),
    "decimal": ("0D", "max(abs({0}))"),
}
_OTHER_NAMES = {"minmax": "min-max", "zscore": "z", "standard": "z"}


class Normalize(Transformation):
    """Scale numbers to 0 to 1 (min-max), to mean 0 and deviation 1 (z), to median 0 and quartile distance 1 (robust),
    or below 1 by a power of ten (decimal). A column with one value alone becomes 0."""

    name = "normalize"
    title = "Normalise"
    group = "Prepare"
    pattern = "transformation"
    provenance = "a cell comes from itself and from the column's statistics, which come from the column"
    parameters = (
        Parameter("columns", "columns", "the columns; all numbers if left open"),
        Parameter("method", "choice", "onto which scale", "min-max", choices=tuple(_LEARNED)),
    )
    example = {"columns": ["age"], "method": "z"}

    def check(self, asker: str, values: Mapping[str, object]) -> dict[str, object]:
        """Take the names that scikit-learn and pandas users know for a method, too."""
        method = values.get("method")
        return super().check(asker, {**values, "method": _OTHER_NAMES.get(str(method), method)})

    def plan(self, table: InputTable, arguments: Arguments) -> TransformationPlan:
        method = arguments.text("method")
        columns = table.numbers(arguments.columns("columns"))
        asked = [
            f"cast({each.format(f'cast({quoted(column.name)} as double)')} as double)"
            for column in columns
            for each in _LEARNED[method]
        ]
        found = table.learn(*asked)
        changed, templates = {}, []
        for number, column in enumerate(columns):
            shift, scale = (float(str(value or 0)) for value in found[2 * number : 2 * number + 2])
            scale = _divisor(method, shift, scale)
            value = f"cast({quoted(column.name)} as double)"
            # Without a scale, `value - value` makes every value 0 and leaves missing ones missing.
            sql = f"({value} - {typed(shift, 'double')}) / {typed(scale, 'double')}" if scale else f"{value} - {value}"
            changed[column.name] = sql
            statistic = Statistic(
                f"{method} scale of {column.name}",
                (column.name,),
                {"shift": shift, "scale": scale},
                non_null=(column.name,),
            )
            templates.append(Template((Read(column.name),), (column.name,), (statistic,)))
        names = join_names(column.name for column in columns)
        return TransformationPlan(f"Normalised {names} ({method}).", table.outputs(changed), tuple(templates))


def _divisor(method: str, shift: float, learned: float) -> float:
    """Return what values are divided by after the shift: the range for min-max, a power of ten for decimal."""
    if method == "min-max":
        return learned - shift
    if method == "decimal":
        is_large = learned >= 1 and math.isfinite(learned)
        return 10.0 ** len(str(int(learned))) if is_large else 1.0
    return learned
