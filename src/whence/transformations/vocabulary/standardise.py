"""Write values that are probably the same in one way."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping

from whence.model.errors import UserError
from whence.model.parameter import Parameter
from whence.model.plural import counted
from whence.model.schema import Field
from whence.transformations.arguments import Arguments
from whence.transformations.clusters import KEYS, Cluster, by_distance, by_key, fingerprint
from whence.transformations.input_table import InputTable
from whence.transformations.plan import Guess, TransformationPlan
from whence.transformations.sql import lookup, quoted
from whence.transformations.suggestion import ColumnLook, Suggestion
from whence.transformations.template import Read, Statistic, Template
from whence.transformations.transformation import Transformation

_MOST_VALUES = {"distance": 20_000}
_MOST_VALUES_BY_KEY = 200_000
"""Limits on distinct values, which are compared on the driver; comparing by distance takes longest."""
_WHY = {
    "fingerprint": "they have the same words",
    "ngram": "they have the same letter pairs",
    "phonetic": "they sound the same",
    "distance": "few edits lead from one to the other",
}
_SHOWN = 4
_MOST_LOOKED_AT = 500


class Standardise(Transformation):
    """Find values that are probably the same, as OpenRefine does, and write each cluster as its most frequent
    value."""

    name = "standardise"
    title = "Standardise values"
    group = "Clean"
    provenance = "a changed cell comes from itself and from the clusters, which come from the column"
    guesses = "each changed cell; the caveat says which values were merged"
    parameters = (
        Parameter("column", "column", "the text column to standardise", is_required=True),
        Parameter("method", "choice", "what makes two values the same", "fingerprint", choices=tuple(_WHY)),
        Parameter("radius", "whole", "with method distance: how many letters may differ", 1),
        Parameter("accept", "texts", "values whose clusters are merged, if not all are"),
        Parameter("refuse", "texts", "values that are left as they are"),
        Parameter("rename", "mapping", "for a value, what its cluster is called instead of its most frequent value"),
    )
    example = {"column": "company", "method": "fingerprint"}

    def plan(self, table: InputTable, arguments: Arguments) -> TransformationPlan:
        (column,), method = table.text_columns((arguments.column("column"),)), arguments.text("method")
        counts = _counts(table, column, method)
        refused = set(arguments.texts("refuse"))
        open_to = {value: count for value, count in counts.items() if value not in refused}
        found = by_distance(open_to, _radius(arguments)) if method == "distance" else by_key(open_to, KEYS[method])
        clusters = _accepted(found, arguments)
        merged = {value: name for name, cluster in clusters.items() for value in cluster if value != name}
        reasons = {value: _reason(value, clusters[name], name, method) for value, name in merged.items()}
        read = quoted(column.name)
        learned = {name: {value: counts.get(value, 0) for value in each} for name, each in clusters.items()}
        statistic = Statistic(f"clusters of {column.name}", (column.name,), learned, non_null=(column.name,))
        return TransformationPlan(
            f"In {column.name}, {_describe_merging(len(merged), len(clusters), method)}."
            f"{table.learned_in_doubt(column)}",
            table.outputs({column.name: f"coalesce({lookup(read, merged)}, {read})"}),
            (Template((Read(column.name),), (column.name,), (statistic,)),),
            (
                Guess(
                    column.name,
                    "merged",
                    f"{lookup(read, reasons)} is not null",
                    lookup(read, reasons),
                    low=read,
                    high=read,
                ),
            ),
            {"clusters": learned},
            template_reading="changed",
        )

    def suggest_for_column(self, look: ColumnLook) -> Iterator[Suggestion]:
        if look.writing != "words" or len(set(look.texts)) > _MOST_LOOKED_AT:
            return
        name, counts = look.column.name, Counter(look.texts)
        for one, other, *_ in by_key(counts, fingerprint)[:1]:
            why = f"{name} holds values such as '{one}' and '{other}', probably the same."
            yield Suggestion(self.name, why, {"column": name})


def _counts(table: InputTable, column: Field, method: str) -> dict[str, int]:
    read, most = quoted(column.name), _MOST_VALUES.get(method, _MOST_VALUES_BY_KEY)
    rows = table.ask(
        f"select {read} as v, count(*) as n from {table.view} where {read} is not null group by 1 order by 1 "
        f"limit {most + 1}"
    )
    if len(rows) > most:
        hint = "Use a method other than distance." if method == "distance" else "Clean a part of the rows."
        raise UserError(f"{column.name} has more than {most:,} different values, too many to compare.", hint)
    return {str(row["v"]): int(str(row["n"])) for row in rows}


def _radius(arguments: Arguments) -> int:
    radius = arguments.number("radius")
    if radius not in (1, 2, 3):
        raise UserError(f"A radius of {radius} letters is no sign that two values are the same.", "Use 1, 2 or 3.")
    return int(radius)


def _accepted(clusters: list[Cluster], arguments: Arguments) -> dict[str, Cluster]:
    """Return the clusters to merge, by the value each is written as."""
    wanted, names = set(arguments.texts("accept")), arguments.mapping("rename")
    kept = (each for each in clusters if not arguments.has("accept") or wanted.intersection(each))
    return {_name(each, names): each for each in kept}


def _name(cluster: Cluster, names: Mapping[str, object]) -> str:
    return next((str(names[value]) for value in cluster if value in names), cluster[0])


def _reason(value: str, cluster: Cluster, name: str, method: str) -> str:
    others = [each for each in cluster if each != value]
    shown = ", ".join(f"'{each}'" for each in others[:_SHOWN])
    more = f" and {len(others) - _SHOWN} more" if len(others) > _SHOWN else ""
    return f"'{value}' was taken for the same as {shown}{more}, because {_WHY[method]}, and became '{name}'."


def _describe_merging(merged: int, clusters: int, method: str) -> str:
    """Return in words how many values were merged, and why."""
    if merged == 0:
        return "no values were merged"
    were = "was" if merged == 1 else "were"
    return f"{counted(merged, 'value')} {were} merged with {counted(clusters, 'other')}, because {_WHY[method]}"
