"""Other ways to write a query: samples, parameters, pipes, functions, views."""

from __future__ import annotations

from tests.oracles.analyst_constructs.parts import some_values
from tests.oracles.analyst_writer import Relation, Writer


def sample_rows(w: Writer, depth: int) -> Relation:
    """As many rows as there are, or more: which of them a smaller number takes is Spark's choice."""
    del depth
    a = w.table("shops")
    return w.select(some_values(w, a, "a"), f"from {a.source} tablesample (100 rows) a where {w.condition(a, 'a')}")


def sample_percent(w: Writer, depth: int) -> Relation:
    del depth
    a = w.table("shops")
    return w.select(
        {"a.id": "int", **some_values(w, a, "a")},
        f"from {a.source} tablesample (50 percent) repeatable ({w.dice.randint(0, 9)}) a",
    )


def parameters(w: Writer, depth: int) -> Relation:
    a = w.relation(depth - 1)
    low, word = w.name(), w.name()
    w.arguments |= {low: w.dice.randint(0, 2), word: w.dice.choice(["a", "b"])}
    condition = f"{w.column(a, 'int', 'a')} >= :{low} or {w.column(a, 'string', 'a')} = :{word}"
    shown = some_values(w, a, "a") | {f"{w.column(a, 'int', 'a')} + :{low}": "int"}
    return w.select(shown, f"from {a.source} a where {condition}")


def identifiers(w: Writer, depth: int) -> Relation:
    del depth
    a = w.table(w.dice.choice(["orders", "shops"]))
    return w.select(some_values(w, a, "a") | {"identifier('a.k')": "int"}, f"from identifier('{a.source}') a")


def pipes(w: Writer, depth: int) -> Relation:
    a = w.relation(depth - 1)
    number, word, total = w.name(), w.name(), w.name()
    steps = [
        f"from {a.source}",
        "as a",
        f"where {w.condition(a, 'a')}",
        f"select {w.value(a, 'int', 'a')} as {number}, {w.column(a, 'string', 'a')} as {word}",
        f"extend {number} + 1 as {total}",
    ]
    columns = {number: "int", word: "string", total: "int"}
    if w.dice.random() < 0.5:
        steps += [f"drop {number}", f"aggregate sum({total}) as {number} group by {word}"]
        columns = {word: "string", number: "int"}
    return Relation(f"({' |> '.join(steps)})", columns)


def scalar_function(w: Writer, depth: int) -> Relation:
    a = w.relation(depth - 1)
    name = f"fn_{w.name()}"
    w.statements.append(
        f"create or replace temporary function {name}(n bigint, t string) returns bigint "
        "return case when t = 'a' then n * 2 else n + 1 end"
    )
    shown = {f"{name}({w.column(a, 'int', 'a')}, {w.column(a, 'string', 'a')})": "int"}
    return w.select(some_values(w, a, "a", 2) | shown, f"from {a.source} a")


def table_function(w: Writer, depth: int) -> Relation:
    a = w.relation(depth - 1)
    b = w.table(w.dice.choice(["shops", "weather"]))
    name = f"fn_{w.name()}"
    w.statements.append(
        f"create or replace temporary function {name}(t string) returns table(p int, q date) "
        f"return select {w.column(b, 'int', 'b')}, {w.column(b, 'date', 'b')} from {b.source} b where b.s = t"
    )
    called = f"from {a.source} a, lateral {name}({w.column(a, 'string', 'a')}) f"
    return w.select(some_values(w, a, "a", 2) | {"f.p": "int", "f.q": "date"}, called)


def temporary_view(w: Writer, depth: int) -> Relation:
    with w.without("parameter markers"):  # which Spark does not take in the text of a view
        a = w.relation(depth - 1)
    view = f"view_{w.name()}"
    w.statements.append(f"create or replace temporary view {view} as select * from {a.source} o")
    return w.select(some_values(w, a, "a"), f"from {view} a")
