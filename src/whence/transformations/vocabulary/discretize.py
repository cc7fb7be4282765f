"""Put numbers into bins."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import cast

from whence.model.errors import UserError
from whence.model.parameter import Parameter
from whence.plan.sql_text import quoted, text, typed
from whence.transformations.arguments import Arguments
from whence.transformations.input_table import InputTable
from whence.transformations.plan import TransformationPlan
from whence.transformations.template import Read, Statistic, Template
from whence.transformations.transformation import Transformation


class Discretize(Transformation):
    """Replace a number by the number of its bin, from 0, or by the bin's label. A whole number asks for that many bins
    of equal width, or with `method="quantile"` of equally many rows. A list gives the cuts; a value at a cut belongs
    to the bin above it. Missing stays missing."""

    name = "discretize"
    title = "Discretise"
    group = "Prepare"
    pattern = "transformation"
    provenance = "a cell comes from itself and, unless cuts were given, from the cuts learned from the column"
    parameters = (
        Parameter(
            "columns", "mapping", "columns, each with a number of bins or the places to cut at", is_required=True
        ),
        Parameter(
            "method", "choice", "bins of equal width or of equally many rows", "width", choices=("width", "quantile")
        ),
        Parameter("labels", "mapping", "columns, each with the names of its bins"),
    )
    example = {"columns": {"age": [18, 65]}, "labels": {"age": ["young", "adult", "old"]}}

    def plan(self, table: InputTable, arguments: Arguments) -> TransformationPlan:
        columns, method = arguments.mapping("columns"), arguments.text("method")
        labels = cast("Mapping[str, Sequence[str]]", arguments.mapping("labels"))
        changed, templates, phrases = {}, [], []
        for column in table.numbers([table.column(name) for name in columns]):
            wanted = columns[column.name]
            is_count = isinstance(wanted, int) and not isinstance(wanted, bool)
            cuts = _learned_cuts(table, column.name, int(str(wanted)), method) if is_count else _given_cuts(wanted)
            changed[column.name] = _bins(column.name, cuts, labels.get(column.name))
            learned = Statistic(f"{method} cuts of {column.name}", (column.name,), cuts, non_null=(column.name,))
            templates.append(Template((Read(column.name),), (column.name,), (learned,) if is_count else ()))
            phrases.append(f"{column.name} at {', '.join(f'{cut:g}' for cut in cuts) or 'no cut'}")
        return TransformationPlan(f"Put into bins: {'; '.join(phrases)}.", table.outputs(changed), tuple(templates))


def _learned_cuts(table: InputTable, name: str, bins: int, method: str) -> list[float]:
    if bins < 1:
        raise UserError(f"{name} cannot be put into {bins} bins.")
    value = f"cast({quoted(name)} as double)"
    if bins == 1:
        return []
    if method == "quantile":
        asked = [f"percentile({value}, {number / bins!r}D)" for number in range(1, bins)]
        return sorted({float(str(cut)) for cut in table.learn(*asked) if cut is not None})
    low, high = table.learn(f"min({value})", f"max({value})")
    if low is None or low == high:
        return []
    first, last = float(str(low)), float(str(high))
    return [first + (last - first) * number / bins for number in range(1, bins)]


def _given_cuts(cuts: object) -> list[float]:
    if not isinstance(cuts, Sequence) or isinstance(cuts, str):
        raise UserError(f"Bins are a number of bins or a list of cuts, not {cuts!r}.")
    return sorted({float(cut) for cut in cuts})


def _bins(name: str, cuts: Sequence[float], labels: Sequence[str] | None) -> str:
    if labels is not None and len(labels) != len(cuts) + 1:
        raise UserError(f"{name} has {len(cuts) + 1} bins but {len(labels)} labels.")
    column = quoted(name)
    results = [str(number) if labels is None else text(labels[number]) for number in range(len(cuts) + 1)]
    cases = "".join(
        f" when {column} < {typed(cut, 'double')} then {result}" for cut, result in zip(cuts, results, strict=False)
    )
    return f"case when {column} is null then null{cases} else {results[-1]} end"
