"""Constructs that ask another table for each row."""

from __future__ import annotations

from tests.oracles.analyst_constructs.parts import some_values
from tests.oracles.analyst_writer import Relation, Writer


def lateral_join(w: Writer, depth: int) -> Relation:
    a = w.relation(depth - 1)
    b = w.table(w.dice.choice(["shops", "weather", "orders"]))
    on = f"{w.column(b, 'string', 'b')} = {w.column(a, 'string', 'a')}"
    count, most = w.name(), w.name()
    forms = [
        (f", lateral (select count(*) as {count}, max({{0}}) as {most} from {b.source} b where {on}) l", ""),
        (f" left join lateral (select 1 as {count}, {{0}} as {most} from {b.source} b where {on}) l", " on true"),
        (
            f" join lateral (select 1 as {count}, {{0}} as {most} from {b.source} b where {on} "
            f"order by {most} nulls first limit 1) l",
            " on true",
        ),
    ]
    joined, condition = w.dice.choice(forms)
    joined = joined.format(w.column(b, "int", "b"))
    return w.select(
        some_values(w, a, "a", 2) | {f"l.{count}": "int", f"l.{most}": "int"}, f"from {a.source} a{joined}{condition}"
    )


def correlated_subquery(w: Writer, depth: int) -> Relation:
    a = w.relation(depth - 1)
    b = w.table(w.dice.choice(["shops", "weather"]))
    measure = w.dice.choice(["max({})", "count({})", "sum({})"]).format(w.column(b, "int", "b"))
    on = f"{w.column(b, 'string', 'b')} = {w.column(a, 'string', 'a')}"
    shown = {f"(select {measure} from {b.source} b where {on})": "int"}
    return w.select(some_values(w, a, "a", 2) | shown, f"from {a.source} a")


def subquery_in_filter(w: Writer, depth: int) -> Relation:
    a = w.relation(depth - 1)
    b = w.table(w.dice.choice(["shops", "weather"]))
    number = w.column(b, "int", "b")
    on = w.dice.choice(["", f" where {w.column(b, 'string', 'b')} = {w.column(a, 'string', 'a')}"])
    condition = f"{w.column(a, 'int', 'a')} <= (select max({number}) from {b.source} b{on})"
    return w.select(some_values(w, a, "a"), f"from {a.source} a where {condition}")


def exists(w: Writer, depth: int) -> Relation:
    a = w.relation(depth - 1)
    b = w.table(w.dice.choice(["shops", "weather"]))
    mine, theirs = w.column(a, "string", "a"), w.column(b, "string", "b")
    condition = w.dice.choice(
        [
            f"exists (select 1 from {b.source} b where {theirs} = {mine})",
            f"not exists (select 1 from {b.source} b where {theirs} = {mine})",
            f"{mine} in (select {theirs} from {b.source} b)",
            f"({w.condition(a, 'a')}) or exists (select 1 from {b.source} b where {theirs} = {mine})",
        ]
    )
    return w.select(some_values(w, a, "a"), f"from {a.source} a where {condition}")
