"""Constructs that choose and combine whole rows."""

from __future__ import annotations

from tests.oracles.analyst_constructs.parts import all_columns, order_by_all, shared_type, some_values
from tests.oracles.analyst_writer import Relation, Writer


def _project(w: Writer, a: Relation) -> Relation:
    return w.select(
        some_values(w, a, "a") | (all_columns(a, "a") if w.dice.random() < 0.4 else {}), f"from {a.source} a"
    )


def projection(w: Writer, depth: int) -> Relation:
    a = w.relation(depth - 1)
    made = _project(w, a)
    return Relation(f"{made.source[:-1]} where {w.condition(a, 'a')})", made.columns)


def values(w: Writer, depth: int) -> Relation:
    del depth
    rows = ", ".join(f"({w.dice.randint(0, 2)}, '{w.dice.choice('ab')}')" for _ in range(w.dice.randint(1, 4)))
    return w.select({"a.p": "int", "a.q": "string"}, f"from (values {rows}) a(p, q)")


def join(w: Writer, depth: int) -> Relation:
    a, b = w.relation(depth - 1), w.relation(depth - 2)
    on = shared_type(w, a, b)
    kind = w.dice.choice(["join", "left join", "full join", "join", "left join"])
    sign = w.dice.choice(["=", "=", "is not distinct from"]) if kind != "full join" else "="
    condition = f"{w.column(a, on, 'a')} {sign} {w.column(b, on, 'b')}"
    return w.select(
        some_values(w, a, "a") | some_values(w, b, "b"), f"from {a.source} a {kind} {b.source} b on {condition}"
    )


def semi_join(w: Writer, depth: int) -> Relation:
    a, b = w.relation(depth - 1), w.relation(depth - 2)
    on = shared_type(w, a, b)
    kind = w.dice.choice(["semi join", "anti join"])
    condition = f"{w.column(a, on, 'a')} = {w.column(b, on, 'b')}"
    return w.select(all_columns(a, "a"), f"from {a.source} a {kind} {b.source} b on {condition}")


def union_all(w: Writer, depth: int) -> Relation:
    return _combine(w, depth, "union all")


def set_operation(w: Writer, depth: int) -> Relation:
    return _combine(w, depth, w.dice.choice(["union", "intersect", "except"]))


def _combine(w: Writer, depth: int, sign: str) -> Relation:
    a, b = w.relation(depth - 1), w.relation(depth - 2)
    kinds = {shared_type(w, a, b): None for _ in range(2)}
    first = w.select({w.column(a, kind, "a"): kind for kind in kinds}, f"from {a.source} a")
    second = ", ".join(w.column(b, kind, "b") for kind in first.columns.values())
    return Relation(f"({first.source[1:-1]} {sign} select {second} from {b.source} b)", first.columns)


def distinct(w: Writer, depth: int) -> Relation:
    a = w.relation(depth - 1)
    made = w.select(some_values(w, a, "a", 2), f"from {a.source} a")
    return Relation("(select distinct " + made.source.removeprefix("(select "), made.columns)


def limit(w: Writer, depth: int) -> Relation:
    a = w.relation(depth - 1)
    names = a.scalars()
    listed = {f"a.{name}": a.columns[name] for name in names}
    return w.select(listed, f"from {a.source} a order by {order_by_all(a, 'a')} limit {w.dice.randint(1, 4)}")


def cte_reuse(w: Writer, depth: int) -> Relation:
    before = len(w.reads)
    one = w.relation(depth - 1)
    w.read_again(before)
    cte = w.name()
    a = Relation(cte, one.columns)
    head = f"with {cte} as (select * from {one.source} o) "
    if w.dice.random() < 0.5:
        kind = w.type_of(a)
        on = f"{w.column(a, kind, 'a')} = {w.column(a, kind, 'b')}"
        return w.select(
            some_values(w, a, "a") | some_values(w, a, "b"), f"from {cte} a join {cte} b on {on}", head=head
        )
    first = w.select({w.column(a, "int", "a"): "int"}, f"from {cte} a", head=head)
    again = f"select sum({w.column(a, 'int', 'b')}) from {cte} b"
    return Relation(f"({first.source[1:-1]} union all {again})", first.columns)
