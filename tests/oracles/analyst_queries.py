"""A grammar of what analysts write: every construct as text over random inputs, composed to a depth.

A construct is a function in `analyst_constructs` that writes it and one line in CONSTRUCTS; `tools/sql_constructs.py`
says of each what lineage it has, and the documentation shows that.
"""

from __future__ import annotations

from random import Random

from tests.oracles.analyst_constructs import groups, nested, recursion, rows, subqueries, ways, windows
from tests.oracles.analyst_writer import Construct, Relation, Writer, WrittenQuery, finish

CONSTRUCTS: dict[str, Construct] = {
    "projection": Construct(rows.projection, everywhere=True),
    "VALUES": Construct(rows.values, everywhere=True),
    "join": Construct(rows.join, spreads=True, everywhere=True),
    "semi and anti join": Construct(rows.semi_join, groups=True, everywhere=True),
    "UNION ALL": Construct(rows.union_all, everywhere=True),
    "set operation": Construct(rows.set_operation, groups=True, everywhere=True),
    "DISTINCT": Construct(rows.distinct, groups=True, everywhere=True),
    "ORDER BY with LIMIT": Construct(rows.limit, groups=True, everywhere=True),
    "GROUP BY": Construct(groups.aggregate, groups=True, everywhere=True),
    "GROUP BY ALL": Construct(groups.group_by_all, groups=True, everywhere=True),
    "grouping sets": Construct(groups.grouping_sets, groups=True, spreads=True, everywhere=True),
    "CTE read twice": Construct(rows.cte_reuse, groups=True, spreads=True, everywhere=True, suffices="nothing"),
    "lateral join": Construct(subqueries.lateral_join, groups=True, spreads=True, everywhere=True),
    "correlated subquery": Construct(subqueries.correlated_subquery, groups=True, spreads=True, everywhere=True),
    "subquery in a filter": Construct(
        subqueries.subquery_in_filter, groups=True, spreads=True, everywhere=True, suffices="influence"
    ),
    "EXISTS and IN": Construct(subqueries.exists, groups=True, everywhere=True),
    "higher-order functions": Construct(nested.higher_order),
    "maps and structs": Construct(nested.maps_and_structs),
    "JSON": Construct(nested.json_paths),
    "variant": Construct(nested.variants, spreads=True),
    "explode": Construct(nested.explode, spreads=True),
    "window": Construct(windows.window, groups=True, spreads=True, everywhere=True),
    "range frame over dates": Construct(windows.range_frame, groups=True, spreads=True, everywhere=True),
    "QUALIFY": Construct(windows.qualify, groups=True, spreads=True, everywhere=True, suffices="influence"),
    "session windows": Construct(groups.session_windows, groups=True),
    "recursive CTE": Construct(recursion.recursive, groups=True, spreads=True, everywhere=True),
    "nested recursion": Construct(recursion.nested_recursion, groups=True, spreads=True, everywhere=True),
    "PIVOT": Construct(groups.pivot, groups=True),
    "UNPIVOT": Construct(groups.unpivot, spreads=True, everywhere=True),
    "percentiles": Construct(groups.percentiles, groups=True),
    "approximate aggregates": Construct(groups.approximate, groups=True),
    "collected values": Construct(groups.collected_values, groups=True),
    "TABLESAMPLE (rows)": Construct(ways.sample_rows),
    "TABLESAMPLE (percent)": Construct(ways.sample_percent, suffices="nothing"),
    "parameter markers": Construct(ways.parameters),
    "IDENTIFIER": Construct(ways.identifiers),
    "pipe syntax": Construct(ways.pipes, groups=True),
    "SQL function": Construct(ways.scalar_function),
    "SQL table function": Construct(ways.table_function, groups=True, spreads=True),
    "temporary view": Construct(ways.temporary_view),
}


def write_query(dice: Random, construct: str) -> WrittenQuery:
    """A query with this construct on top, or below one other, up to four deep."""
    writer = Writer(dice, CONSTRUCTS)
    depth = dice.choice([1, 1, 2, 2, 2, 3, 3, 4])
    relation = writer.write(construct, depth)
    if depth < 4 and dice.random() < 0.4 and construct != "TABLESAMPLE (percent)":
        relation = _write_over(writer, relation)
    return finish(writer, relation)


def write_few(dice: Random, count: int, candidates: int = 40) -> list[WrittenQuery]:
    """So many queries, chosen to contain every construct as soon as can be."""
    queries: list[WrittenQuery] = []
    missing = list(CONSTRUCTS)
    for _ in range(count):
        tops = [dice.choice(missing or list(CONSTRUCTS)) for _ in range(candidates if missing else 1)]
        drawn = [write_query(dice, top) for top in tops]
        queries.append(max(drawn, key=lambda query: len(query.used.keys() & set(missing))))
        missing = [name for name in missing if name not in queries[-1].used]
    return queries


def _write_over(w: Writer, relation: Relation) -> Relation:
    """Another construct over a relation that is written already."""
    forms = {"GROUP BY": groups.group_rows, "grouping sets": groups.group_by_sets, "window": windows.add_window}
    construct = w.dice.choice(list(forms))
    w.used.append(construct)
    return forms[construct](w, relation)
