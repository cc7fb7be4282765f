"""Constructs that repeat a query over its own rows, alone and in one another."""

from __future__ import annotations

from dataclasses import dataclass

from tests.oracles.analyst_constructs.parts import some_values
from tests.oracles.analyst_writer import Relation, Writer

COLUMNS = {"n": "int", "far": "int"}


@dataclass(frozen=True)
class Rounds:
    """A recursive query of two columns: its name, the rows it begins with, and the query for the next round."""

    name: str
    first: str
    again: str

    @property
    def definition(self) -> str:
        return f"{self.name}(n, far) as ({self.first} union all {self.again})"

    @property
    def relation(self) -> Relation:
        return Relation(self.name, COLUMNS)


def _start(w: Writer, first: Relation) -> Rounds:
    """Rounds that count up from the rows of any relation, and pair them with those of a table."""
    found, column = w.name(), w.column(first, "int", "o")
    rounds = f"select r.n, r.far + 1 from {found} r where r.far < 1"
    if w.dice.random() < 0.5:
        w.table("edges")
        rounds = f"select e.dst, r.far + 1 from {found} r join edges e on e.src = r.n where r.far < 1"
    return Rounds(found, f"select cast({column} as int), 0 from {first.source} o where {column} is not null", rounds)


def recursive(w: Writer, depth: int) -> Relation:
    if w.dice.random() < 0.5:
        with w.without("recursive CTE", "nested recursion"):
            rounds = _start(w, w.relation(depth - 1))
        return w.select({"r.n": "int", "r.far": "int"}, f"from {rounds.name} r", head=_with(rounds))
    return _walk_and_count(w, depth)


def _walk_and_count(w: Writer, depth: int) -> Relation:
    w.table("edges")
    found = w.name()
    rounds = Rounds(
        found,
        "select src, 0 from edges where src is not null",
        f"select e.dst, r.far + 1 from edges e join {found} r on e.src = r.n where r.far < {w.dice.randint(1, 2)}",
    )
    with w.without("recursive CTE", "nested recursion"):
        a = w.relation(depth - 2)
    on = f"r.n = {w.column(a, 'int', 'a')}"
    shown = {"r.n": "int", "r.far": "int", "count(*)": "int"}
    rest = f"from {found} r left join {a.source} a on {on} group by r.n, r.far"
    return w.select(shown, rest, head=_with(rounds))


def nested_recursion(w: Writer, depth: int) -> Relation:
    """Rounds that another recursive query begins with or joins, reads twice, or is asked about for each row."""
    form = w.dice.choice([_begin_with_rounds, _begin_inside, _join_in_rounds, _read_twice, _ask, _ask_inside])
    with w.without("recursive CTE", "nested recursion"):
        before = len(w.reads)
        inner = _start(w, w.relation(depth - 1))
        return form(w, inner, before)


def _begin_with_rounds(w: Writer, inner: Rounds, before: int) -> Relation:
    del before
    outer = _start(w, inner.relation)
    return w.select({"r.n": "int", "r.far": "int"}, f"from {outer.name} r", head=_with(inner, outer))


def _begin_inside(w: Writer, inner: Rounds, before: int) -> Relation:
    """The inner query is written where the outer one begins, not beside it."""
    del before
    outer = _start(w, w.select({"i.n": "int", "i.far": "int"}, f"from {inner.name} i", head=_with(inner)))
    return w.select({"r.n": "int", "r.far": "int"}, f"from {outer.name} r", head=_with(outer))


def _join_in_rounds(w: Writer, inner: Rounds, before: int) -> Relation:
    """Each round of the outer query joins the rows of all rounds of the inner one, or asks for one of them."""
    del before
    name, first = w.name(), w.table("shops")
    again = w.dice.choice(
        [
            f"select i.n, r.far + 1 from {name} r join {inner.name} i on i.far = r.n where r.far < 1",
            f"select i.far, r.far + 1 from {inner.name} i join {name} r on i.n = r.n where r.far < 1",
            f"select r.n + 1, r.far + 1 from {name} r where r.far <= (select max(i.far) from {inner.name} i) - 1",
        ]
    )
    outer = Rounds(name, f"select {w.column(first, 'int', 's')}, 0 from {first.source} s", again)
    return w.select({"r.n": "int", "r.far": "int"}, f"from {outer.name} r", head=_with(inner, outer))


def _read_twice(w: Writer, inner: Rounds, before: int) -> Relation:
    w.read_again(before)
    a = inner.relation
    if w.dice.random() < 0.5:
        kind, on = w.dice.choice(["join", "left join"]), f"{w.column(a, 'int', 'a')} = {w.column(a, 'int', 'b')}"
        rest = f"from {inner.name} a {kind} {inner.name} b on {on}"
        return w.select(some_values(w, a, "a", 2) | some_values(w, a, "b", 2), rest, head=_with(inner))
    first = w.select({"a.n": "int"}, f"from {inner.name} a", head=_with(inner))
    again = w.dice.choice(["select b.far from {} b where b.n > 0", "select sum(b.far) from {} b"]).format(inner.name)
    return Relation(f"({first.source[1:-1]} union all {again})", first.columns)


def _ask(w: Writer, inner: Rounds, before: int) -> Relation:
    del before
    shown, rest = _question(w, inner.name, inner.relation)
    return w.select(shown, rest, head=_with(inner))


def _ask_inside(w: Writer, inner: Rounds, before: int) -> Relation:
    """The recursive query is written inside the subquery that reads it."""
    del before
    source = f"({_with(inner)}select i.n, i.far from {inner.name} i)"
    shown, rest = _question(w, source, inner.relation)
    return w.select(shown, rest)


def _question(w: Writer, source: str, rounds: Relation) -> tuple[dict[str, str], str]:
    """What is asked of the rows of rounds for each row of a table: columns, and the query from FROM on."""
    a = w.table(w.dice.choice(["shops", "orders"]))
    mine, theirs = w.column(a, "int", "a"), w.column(rounds, "int", "b")
    is_there = w.dice.choice(
        [
            f"{mine} in (select {theirs} from {source} b)",
            f"exists (select 1 from {source} b where {theirs} = {mine})",
            f"not exists (select 1 from {source} b where {theirs} = {mine})",
        ]
    )
    measure = w.dice.choice(["max(b.far)", "count(b.n)", "sum(b.n)"])
    subquery = f"(select {measure} from {source} b{w.dice.choice(['', f' where {theirs} = {mine}'])})"
    shown = some_values(w, a, "a", 2)
    if w.dice.random() < 0.5:
        return shown, f"from {a.source} a where {is_there}"
    return shown | {subquery: "int"}, f"from {a.source} a"


def _with(*rounds: Rounds) -> str:
    return f"with recursive {', '.join(each.definition for each in rounds)} "
