"""Constructs over arrays, maps, structs, JSON and variants."""

from __future__ import annotations

from tests.oracles.analyst_constructs.parts import choose_three
from tests.oracles.analyst_tables import SCHEMAS
from tests.oracles.analyst_writer import Relation, Writer

ORDERS = SCHEMAS["orders"]


def _read_orders(w: Writer) -> Relation:
    """Orders with their nested columns: the table, some of its rows, or rows of it twice."""
    forms = ["orders", "orders", f"(select * from orders o where {w.condition(Relation('orders', ORDERS), 'o')})"]
    w.reads.append("orders")
    source = w.dice.choice([*forms, "twice"])
    if source == "twice":
        w.reads.append("orders")
        source = "(select * from orders union all select * from orders where k = 1)"
    return Relation(source, ORDERS)


def higher_order(w: Writer, depth: int) -> Relation:
    del depth
    a = _read_orders(w)
    forms = {
        "transform(a.tags, e -> e + a.k)": "array",
        "transform(a.tags, (e, i) -> e * i)": "array",
        "filter(a.tags, e -> e > 0)": "array",
        "aggregate(a.tags, 0, (sum, e) -> sum + coalesce(e, 0))": "int",
        "exists(a.tags, e -> e = a.k)": "bool",
        "forall(a.tags, e -> e >= 0)": "bool",
        "size(array_distinct(a.tags))": "int",
        "get(a.tags, 0)": "int",
    }
    return w.select({"a.id": "int"} | choose_three(w, forms), f"from {a.source} a")


def maps_and_structs(w: Writer, depth: int) -> Relation:
    del depth
    a = _read_orders(w)
    forms = {
        "a.attrs['p']": "int",
        "map_filter(a.attrs, (k, v) -> v > 0)": "map",
        "transform_values(a.attrs, (k, v) -> v + a.k)": "map",
        "aggregate(map_values(a.attrs), 0, (sum, e) -> sum + coalesce(e, 0))": "int",
        "a.spot.a": "int",
        "a.spot.b": "string",
        "named_struct('one', a.spot, 'two', a.k)": "struct",
        "a.attrs": "map",
        "a.spot": "struct",
    }
    return w.select({"a.id": "int"} | choose_three(w, forms), f"from {a.source} a")


def json_paths(w: Writer, depth: int) -> Relation:
    del depth
    a = _read_orders(w)
    forms = {
        "get_json_object(a.doc, '$.c.d')": "string",
        "cast(get_json_object(a.doc, '$.a') as int)": "int",
        "from_json(a.doc, 'a int, b array<int>').a": "int",
        "size(from_json(a.doc, 'b array<int>').b)": "int",
        "json_array_length(get_json_object(a.doc, '$.b'))": "int",
        "to_json(a.spot)": "string",
    }
    if w.dice.random() < 0.3:
        values = {"a.id": "int", "j.p": "string", "j.q": "string"}
        return w.select(values, f"from {a.source} a lateral view json_tuple(a.doc, 'a', 'c') j as p, q")
    return w.select({"a.id": "int"} | choose_three(w, forms), f"from {a.source} a")


def variants(w: Writer, depth: int) -> Relation:
    del depth
    a = _read_orders(w)
    forms = {
        "a.v": "variant",
        "variant_get(a.v, '$.a', 'int')": "int",
        "a.v:c.d::string": "string",
        "to_json(a.v:b)": "string",
        "try_variant_get(a.v, '$.b[0]', 'int')": "int",
        "parse_json(a.doc)": "variant",
        "schema_of_variant(a.v)": "string",
    }
    if w.dice.random() < 0.3:
        exploded = f"from {a.source} a, lateral variant_explode(parse_json(a.doc)) e"
        return w.select({"a.id": "int", "e.key": "string", "to_json(e.value)": "string"}, exploded)
    return w.select({"a.id": "int"} | choose_three(w, forms), f"from {a.source} a")


def explode(w: Writer, depth: int) -> Relation:
    del depth
    a = _read_orders(w)
    forms = [
        ({"g.e": "int"}, "lateral view explode(a.tags) g as e"),
        ({"g.p": "int", "g.e": "int"}, "lateral view outer posexplode(a.tags) g as p, e"),
        ({"g.e": "string", "g.f": "int"}, "lateral view explode(a.attrs) g as e, f"),
        ({"g.e": "int", "g.f": "string"}, ", lateral inline(array(a.spot, named_struct('a', 7, 'b', a.s))) g(e, f)"),
    ]
    shown, clause = w.dice.choice(forms)
    return w.select({"a.id": "int", "a.k": "int"} | shown, f"from {a.source} a {clause}")
