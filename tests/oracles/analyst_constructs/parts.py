"""Pieces that several constructs are written from: expressions, columns, keys, measures."""

from __future__ import annotations

from tests.oracles.analyst_writer import TYPES, Relation, Writer


def some_values(w: Writer, relation: Relation, alias: str, most: int = 3) -> dict[str, str]:
    """Some expressions with their types."""
    kinds = [w.type_of(relation) for _ in range(w.dice.randint(1, most))]
    return {w.value(relation, kind, alias): kind for kind in kinds}


def all_columns(relation: Relation, alias: str) -> dict[str, str]:
    return {f"{alias}.{name}": kind for name, kind in relation.columns.items()}


def order_by_all(relation: Relation, alias: str) -> str:
    """All columns: rows that are equal in it are equal altogether."""
    return ", ".join(f"{alias}.{name} nulls first" for name in relation.scalars())


def shared_type(w: Writer, left: Relation, right: Relation) -> str:
    kinds = [kind for kind in TYPES if kind in left.columns.values() and kind in right.columns.values()]
    return w.dice.choice(kinds or ["int"])


def choose_keys(w: Writer, a: Relation, count: int) -> dict[str, str]:
    names = w.dice.sample(a.scalars(), min(count, len(a.scalars())))
    return {f"a.{name}": a.columns[name] for name in names}


def choose_measures(w: Writer, a: Relation) -> dict[str, str]:
    whole, number = w.value(a, "int", "a"), w.column(a, "double", "a")
    measures = {
        "count(*)": "int",
        f"sum({whole})": "int",
        f"max({w.column(a, 'date', 'a')})": "date",
        f"avg({number})": "double",
        f"count(distinct {w.column(a, 'string', 'a')})": "int",
        f"sum({number}) filter (where {w.condition(a, 'a')})": "double",
    }
    return {each: measures[each] for each in w.dice.sample(list(measures), w.dice.randint(1, 3))}


def choose_three(w: Writer, forms: dict[str, str]) -> dict[str, str]:
    return {each: forms[each] for each in w.dice.sample(list(forms), 3)}


def choose_one(w: Writer, forms: dict[str, str]) -> dict[str, str]:
    shown = w.dice.choice(list(forms))
    return {shown: forms[shown]}
