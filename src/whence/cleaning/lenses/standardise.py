"""Write values that are probably the same in one way."""

from __future__ import annotations

from collections.abc import Mapping

from whence.cleaning.chosen import Chosen
from whence.cleaning.clusters import KEYS, Cluster, by_distance, by_key
from whence.cleaning.lens import Cleaned, Guess, Lens, LensInput
from whence.cleaning.parameter import Parameter
from whence.cleaning.sql import lookup, quoted
from whence.model.errors import UserError
from whence.model.schema import Field

_MOST_VALUES = {"distance": 20_000}
_MOST_VALUES_BY_KEY = 200_000
_WHY = {
    "fingerprint": "they have the same words",
    "ngram": "they have the same letter pairs",
    "phonetic": "they sound the same",
    "distance": "few edits lead from one to the other",
}
_SHOWN = 4


class Standardise(Lens):
    """Near-duplicates are gathered as OpenRefine does; all of a cluster become its most frequent value."""

    name = "standardise"
    title = "Standardise values"
    guesses = "each changed cell; the caveat says which values were merged"
    parameters = (
        Parameter("column", "column", "the text column to standardise", is_required=True),
        Parameter("method", "choice", "what makes two values the same", "fingerprint", choices=tuple(_WHY)),
        Parameter("radius", "number", "with method distance: how many letters may differ", 1),
        Parameter("accept", "texts", "values whose clusters are merged, if not all are"),
        Parameter("refuse", "texts", "values that are left as they are"),
        Parameter("rename", "mapping", "for a value, what its cluster is called instead of its most frequent value"),
    )

    def clean(self, given: LensInput, chosen: Chosen) -> Cleaned:
        (column,), method = given.text_columns((chosen.column("column"),)), chosen.text("method")
        counts = _counts(given, column, method)
        refused = set(chosen.texts("refuse"))
        open_to = {value: count for value, count in counts.items() if value not in refused}
        found = by_distance(open_to, _radius(chosen)) if method == "distance" else by_key(open_to, KEYS[method])
        clusters = _accepted(found, chosen)
        merged = {value: name for name, cluster in clusters.items() for value in cluster if value != name}
        reasons = {value: _reason(value, clusters[name], name, method) for value, name in merged.items()}
        read = quoted(column.name)
        return Cleaned(
            given.outputs({column.name: f"coalesce({lookup(read, merged)}, {read})"}),
            f"In {column.name}, {len(merged)} ways of writing became {len(clusters)}, because {_WHY[method]}."
            f"{given.learned_in_doubt(column)}",
            (Guess(column.name, "merged", f"{lookup(read, reasons)} is not null", lookup(read, reasons)),),
            {"clusters": {name: {value: counts.get(value, 0) for value in each} for name, each in clusters.items()}},
        )


def _counts(given: LensInput, column: Field, method: str) -> dict[str, int]:
    read, most = quoted(column.name), _MOST_VALUES.get(method, _MOST_VALUES_BY_KEY)
    rows = given.ask(
        f"select {read} as v, count(*) as n from {given.view} where {read} is not null group by 1 order by 1 "
        f"limit {most + 1}"
    )
    if len(rows) > most:
        hint = "Use a method other than distance." if method == "distance" else "Clean a part of the rows."
        raise UserError(f"{column.name} has more than {most:,} different values, too many to compare.", hint)
    return {str(row["v"]): int(str(row["n"])) for row in rows}


def _radius(chosen: Chosen) -> int:
    radius = chosen.number("radius")
    if radius not in (1, 2, 3):
        raise UserError(f"A radius of {radius} letters is no sign that two values are the same.", "Use 1, 2 or 3.")
    return int(radius)


def _accepted(clusters: list[Cluster], chosen: Chosen) -> dict[str, Cluster]:
    """The clusters to merge, each under the name it shall have."""
    wanted, names = set(chosen.texts("accept")), chosen.mapping("rename")
    kept = (each for each in clusters if not chosen.has("accept") or wanted.intersection(each))
    return {_name(each, names): each for each in kept}


def _name(cluster: Cluster, names: Mapping[str, object]) -> str:
    return next((str(names[value]) for value in cluster if value in names), cluster[0])


def _reason(value: str, cluster: Cluster, name: str, method: str) -> str:
    others = [each for each in cluster if each != value]
    shown = ", ".join(f"'{each}'" for each in others[:_SHOWN])
    more = f" and {len(others) - _SHOWN} more" if len(others) > _SHOWN else ""
    return f"'{value}' was taken for the same as {shown}{more}, because {_WHY[method]}, and became '{name}'."
