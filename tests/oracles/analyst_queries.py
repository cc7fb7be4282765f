"""A grammar of what analysts write: every construct as text over random inputs, composed to a depth.

A construct is a function that writes it and one line in CONSTRUCTS; `tools/sql_constructs.py` says of each what lineage
it has, and the documentation shows that.
"""

from __future__ import annotations

from random import Random

from tests.oracles.analyst_tables import SCHEMAS
from tests.oracles.analyst_writer import TYPES, Construct, Relation, Writer, WrittenQuery, finish


def write_query(dice: Random, construct: str) -> WrittenQuery:
    """A query with this construct on top, or below one other, up to four deep."""
    writer = Writer(dice, CONSTRUCTS)
    depth = dice.choice([1, 1, 2, 2, 2, 3, 3, 4])
    relation = writer.write(construct, depth)
    if depth < 4 and dice.random() < 0.4 and construct != "TABLESAMPLE (percent)":
        relation = _over(writer, relation)
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


def _over(w: Writer, relation: Relation) -> Relation:
    """Another construct over a relation that is written already."""
    forms = {"GROUP BY": _aggregate, "grouping sets": _grouping_sets, "window": _window}
    construct = w.dice.choice(list(forms))
    w.used.append(construct)
    return forms[construct](w, relation)


def _some(w: Writer, relation: Relation, alias: str, most: int = 3) -> dict[str, str]:
    """Some expressions with their types."""
    kinds = [w.type_of(relation) for _ in range(w.dice.randint(1, most))]
    return {w.value(relation, kind, alias): kind for kind in kinds}


def _kept(relation: Relation, alias: str) -> dict[str, str]:
    return {f"{alias}.{name}": kind for name, kind in relation.columns.items()}


def _rank_order(relation: Relation, alias: str) -> str:
    """All columns: rows that are equal in it are equal altogether."""
    return ", ".join(f"{alias}.{name} nulls first" for name in relation.scalars())


def _shared_type(w: Writer, left: Relation, right: Relation) -> str:
    kinds = [kind for kind in TYPES if kind in left.columns.values() and kind in right.columns.values()]
    return w.dice.choice(kinds or ["int"])


def _project(w: Writer, a: Relation) -> Relation:
    return w.select(_some(w, a, "a") | (_kept(a, "a") if w.dice.random() < 0.4 else {}), f"from {a.source} a")


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
    on = _shared_type(w, a, b)
    kind = w.dice.choice(["join", "left join", "full join", "join", "left join"])
    sign = w.dice.choice(["=", "=", "is not distinct from"]) if kind != "full join" else "="
    condition = f"{w.column(a, on, 'a')} {sign} {w.column(b, on, 'b')}"
    return w.select(_some(w, a, "a") | _some(w, b, "b"), f"from {a.source} a {kind} {b.source} b on {condition}")


def semi_join(w: Writer, depth: int) -> Relation:
    a, b = w.relation(depth - 1), w.relation(depth - 2)
    on = _shared_type(w, a, b)
    kind = w.dice.choice(["semi join", "anti join"])
    condition = f"{w.column(a, on, 'a')} = {w.column(b, on, 'b')}"
    return w.select(_kept(a, "a"), f"from {a.source} a {kind} {b.source} b on {condition}")


def union_all(w: Writer, depth: int) -> Relation:
    return _combined(w, depth, "union all")


def set_operation(w: Writer, depth: int) -> Relation:
    return _combined(w, depth, w.dice.choice(["union", "intersect", "except"]))


def _combined(w: Writer, depth: int, sign: str) -> Relation:
    a, b = w.relation(depth - 1), w.relation(depth - 2)
    kinds = {_shared_type(w, a, b): None for _ in range(2)}
    first = w.select({w.column(a, kind, "a"): kind for kind in kinds}, f"from {a.source} a")
    second = ", ".join(w.column(b, kind, "b") for kind in first.columns.values())
    return Relation(f"({first.source[1:-1]} {sign} select {second} from {b.source} b)", first.columns)


def distinct(w: Writer, depth: int) -> Relation:
    a = w.relation(depth - 1)
    made = w.select(_some(w, a, "a", 2), f"from {a.source} a")
    return Relation("(select distinct " + made.source.removeprefix("(select "), made.columns)


def limit(w: Writer, depth: int) -> Relation:
    a = w.relation(depth - 1)
    names = a.scalars()
    listed = {f"a.{name}": a.columns[name] for name in names}
    return w.select(listed, f"from {a.source} a order by {_rank_order(a, 'a')} limit {w.dice.randint(1, 4)}")


def _measures(w: Writer, a: Relation) -> dict[str, str]:
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


def _keys(w: Writer, a: Relation, count: int) -> dict[str, str]:
    names = w.dice.sample(a.scalars(), min(count, len(a.scalars())))
    return {f"a.{name}": a.columns[name] for name in names}


def _aggregate(w: Writer, a: Relation) -> Relation:
    keys = _keys(w, a, w.dice.randint(1, 2))
    having = w.dice.choice(["", "", " having count(*) > 1"])
    return w.select(keys | _measures(w, a), f"from {a.source} a group by {', '.join(keys)}{having}")


def aggregate(w: Writer, depth: int) -> Relation:
    return _aggregate(w, w.relation(depth - 1))


def group_by_all(w: Writer, depth: int) -> Relation:
    a = w.relation(depth - 1)
    return w.select(_keys(w, a, 2) | _measures(w, a), f"from {a.source} a group by all")


def _grouping_sets(w: Writer, a: Relation) -> Relation:
    keys = _keys(w, a, 2)
    listed = list(keys)
    both, one = ", ".join(listed), listed[0]
    clause = w.dice.choice([f"rollup({both})", f"cube({both})", f"grouping sets (({both}), ({one}), ())"])
    measures = _measures(w, a) | {f"grouping({one})": "int"}
    return w.select(keys | measures, f"from {a.source} a group by {clause}")


def grouping_sets(w: Writer, depth: int) -> Relation:
    a = w.write(w.dice.choice(["UNION ALL", "join", "VALUES", "projection"]), depth - 1)
    return _grouping_sets(w, a)


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
        return w.select(_some(w, a, "a") | _some(w, a, "b"), f"from {cte} a join {cte} b on {on}", head=head)
    first = w.select({w.column(a, "int", "a"): "int"}, f"from {cte} a", head=head)
    again = f"select sum({w.column(a, 'int', 'b')}) from {cte} b"
    return Relation(f"({first.source[1:-1]} union all {again})", first.columns)


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
        _some(w, a, "a", 2) | {f"l.{count}": "int", f"l.{most}": "int"}, f"from {a.source} a{joined}{condition}"
    )


def correlated_subquery(w: Writer, depth: int) -> Relation:
    a = w.relation(depth - 1)
    b = w.table(w.dice.choice(["shops", "weather"]))
    measure = w.dice.choice(["max({})", "count({})", "sum({})"]).format(w.column(b, "int", "b"))
    on = f"{w.column(b, 'string', 'b')} = {w.column(a, 'string', 'a')}"
    shown = {f"(select {measure} from {b.source} b where {on})": "int"}
    return w.select(_some(w, a, "a", 2) | shown, f"from {a.source} a")


def subquery_in_filter(w: Writer, depth: int) -> Relation:
    a = w.relation(depth - 1)
    b = w.table(w.dice.choice(["shops", "weather"]))
    number = w.column(b, "int", "b")
    on = w.dice.choice(["", f" where {w.column(b, 'string', 'b')} = {w.column(a, 'string', 'a')}"])
    condition = f"{w.column(a, 'int', 'a')} <= (select max({number}) from {b.source} b{on})"
    return w.select(_some(w, a, "a"), f"from {a.source} a where {condition}")


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
    return w.select(_some(w, a, "a"), f"from {a.source} a where {condition}")


def _orders(w: Writer) -> Relation:
    """Orders with their nested columns: the table, some of its rows, or rows of it twice."""
    forms = ["orders", "orders", f"(select * from orders o where {w.condition(Relation('orders', ORDERS), 'o')})"]
    w.reads.append("orders")
    source = w.dice.choice([*forms, "twice"])
    if source == "twice":
        w.reads.append("orders")
        source = "(select * from orders union all select * from orders where k = 1)"
    return Relation(source, ORDERS)


ORDERS = SCHEMAS["orders"]


def higher_order(w: Writer, depth: int) -> Relation:
    del depth
    a = _orders(w)
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
    return w.select({"a.id": "int"} | _sampled(w, forms), f"from {a.source} a")


def maps_and_structs(w: Writer, depth: int) -> Relation:
    del depth
    a = _orders(w)
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
    return w.select({"a.id": "int"} | _sampled(w, forms), f"from {a.source} a")


def _sampled(w: Writer, forms: dict[str, str]) -> dict[str, str]:
    return {each: forms[each] for each in w.dice.sample(list(forms), 3)}


def json_paths(w: Writer, depth: int) -> Relation:
    del depth
    a = _orders(w)
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
    return w.select({"a.id": "int"} | _sampled(w, forms), f"from {a.source} a")


def variants(w: Writer, depth: int) -> Relation:
    del depth
    a = _orders(w)
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
    return w.select({"a.id": "int"} | _sampled(w, forms), f"from {a.source} a")


def explode(w: Writer, depth: int) -> Relation:
    del depth
    a = _orders(w)
    forms = [
        ({"g.e": "int"}, "lateral view explode(a.tags) g as e"),
        ({"g.p": "int", "g.e": "int"}, "lateral view outer posexplode(a.tags) g as p, e"),
        ({"g.e": "string", "g.f": "int"}, "lateral view explode(a.attrs) g as e, f"),
        ({"g.e": "int", "g.f": "string"}, ", lateral inline(array(a.spot, named_struct('a', 7, 'b', a.s))) g(e, f)"),
    ]
    shown, clause = w.dice.choice(forms)
    return w.select({"a.id": "int", "a.k": "int"} | shown, f"from {a.source} a {clause}")


def _window(w: Writer, a: Relation) -> Relation:
    order = f"order by {_rank_order(a, 'a')}"
    part = w.dice.choice(["", f"partition by {w.column(a, w.type_of(a), 'a')} "])
    frame = "rows between unbounded preceding and current row"
    forms = {
        f"row_number() over ({part}{order})": "int",
        f"rank() over ({part}{order})": "int",
        f"lag({w.column(a, 'int', 'a')}) over ({part}{order})": "int",
        f"sum({w.column(a, 'int', 'a')}) over ({part}{order} {frame})": "int",
        f"count(*) over ({part or 'partition by 1 '})": "int",
    }
    shown = w.dice.choice(list(forms))
    return w.select(_some(w, a, "a", 2) | {shown: forms[shown]}, f"from {a.source} a")


def window(w: Writer, depth: int) -> Relation:
    return _window(w, w.relation(depth - 1))


def range_frame(w: Writer, depth: int) -> Relation:
    del depth
    a = w.table(w.dice.choice(["orders", "weather"]))
    part = w.dice.choice(["", "partition by a.s "])
    frame = w.dice.choice(
        [
            "range between interval 2 days preceding and current row",
            "range between interval 1 days preceding and interval 1 days following",
            "range between unbounded preceding and interval 1 days preceding",
        ]
    )
    number = w.column(a, w.dice.choice(["int", "double"]), "a")
    function = w.dice.choice([f"sum({number})", "count(*)", f"max({number})"])
    over = f"{function} over ({part}order by a.d nulls first {frame})"
    return w.select(_some(w, a, "a", 2) | {over: "double"}, f"from {a.source} a where a.d is not null")


def qualify(w: Writer, depth: int) -> Relation:
    a = w.relation(depth - 1)
    part = w.column(a, w.type_of(a), "a")
    order = _rank_order(a, "a")
    clause = w.dice.choice(
        [
            f"row_number() over (partition by {part} order by {order}) <= {w.dice.randint(1, 2)}",
            f"count(*) over (partition by {part}) > 1",
        ]
    )
    return w.select({f"a.{name}": a.columns[name] for name in a.scalars()}, f"from {a.source} a qualify {clause}")


def recursive(w: Writer, depth: int) -> Relation:
    edges, found = w.table("edges"), w.name()
    head = (
        f"with recursive {found}(n, far) as (select src, 0 from edges where src is not null union all "
        f"select e.dst, r.far + 1 from edges e join {found} r on e.src = r.n where r.far < {w.dice.randint(1, 2)}) "
    )
    del edges
    a = w.relation(depth - 2)
    on = f"r.n = {w.column(a, 'int', 'a')}"
    shown = {"r.n": "int", "r.far": "int", "count(*)": "int"}
    return w.select(shown, f"from {found} r left join {a.source} a on {on} group by r.n, r.far", head=head)


def pivot(w: Writer, depth: int) -> Relation:
    a = w.relation(depth - 1)
    key, word, number = w.column(a, "int", "a"), w.column(a, "string", "a"), w.value(a, "int", "a")
    inner = w.select({key: "int", word: "string", f"{number} + 0": "int"}, f"from {a.source} a")
    key, word, number = inner.columns
    first, second = w.name(), w.name()
    measure = w.dice.choice([f"sum({number})", f"max({number})", "count(*)"])
    text = f"select * from {inner.source} pivot ({measure} for {word} in ('a' as {first}, 'b' as {second}))"
    return Relation(f"({text})", {key: "int", first: "int", second: "int"} | _left_over(measure, number))


def _left_over(measure: str, number: str) -> dict[str, str]:
    """A column that no aggregate of a pivot reads is one of its keys."""
    return {} if number in measure else {number: "int"}


def unpivot(w: Writer, depth: int) -> Relation:
    a = w.relation(depth - 1)
    one, two = f"{w.value(a, 'int', 'a')} + 0", f"{w.value(a, 'int', 'a')} + 2"
    inner = w.select({w.column(a, "string", "a"): "string", one: "int", two: "int"}, f"from {a.source} a")
    key, first, second = inner.columns
    value, name = w.name(), w.name()
    nulls = w.dice.choice(["", "include nulls "])
    text = f"select * from {inner.source} unpivot {nulls}({value} for {name} in ({first}, {second}))"
    return Relation(f"({text})", {key: "string", name: "string", value: "int"})


def percentiles(w: Writer, depth: int) -> Relation:
    a = w.relation(depth - 1)
    number = w.dice.choice([w.column(a, "double", "a"), w.column(a, "int", "a")])
    forms = {
        f"percentile({number}, 0.25)": "double",
        f"median({number})": "double",
        f"percentile_cont(0.5) within group (order by {number})": "double",
    }
    return w.select(_keys(w, a, 1) | _one(w, forms), f"from {a.source} a group by all")


def approximate(w: Writer, depth: int) -> Relation:
    a = w.relation(depth - 1)
    number = w.column(a, "double", "a")
    forms = {
        f"approx_percentile({number}, 0.5)": "double",
        f"approx_count_distinct({w.column(a, 'string', 'a')})": "int",
    }
    return w.select(_keys(w, a, 1) | _one(w, forms), f"from {a.source} a group by all")


def collections(w: Writer, depth: int) -> Relation:
    a = w.relation(depth - 1)
    word, number = w.column(a, "string", "a"), w.column(a, "int", "a")
    forms = {
        f"sort_array(collect_list({number}))": "array",
        f"sort_array(collect_set({word}))": "array",
        f"listagg({word}, ',') within group (order by {word})": "string",
        f"max(struct({number} as p, {word} as q)).q": "string",
        f"count_if({w.condition(a, 'a')})": "int",
        f"bool_or({w.condition(a, 'a')})": "bool",
    }
    return w.select(_keys(w, a, 1) | _one(w, forms), f"from {a.source} a group by all")


def _one(w: Writer, forms: dict[str, str]) -> dict[str, str]:
    shown = w.dice.choice(list(forms))
    return {shown: forms[shown]}


def sample_rows(w: Writer, depth: int) -> Relation:
    """As many rows as there are, or more: which of them a smaller number takes is Spark's choice."""
    del depth
    a = w.table("shops")
    return w.select(_some(w, a, "a"), f"from {a.source} tablesample (100 rows) a where {w.condition(a, 'a')}")


def sample_percent(w: Writer, depth: int) -> Relation:
    del depth
    a = w.table("shops")
    return w.select(
        {"a.id": "int", **_some(w, a, "a")},
        f"from {a.source} tablesample (50 percent) repeatable ({w.dice.randint(0, 9)}) a",
    )


def parameters(w: Writer, depth: int) -> Relation:
    a = w.relation(depth - 1)
    low, word = w.name(), w.name()
    w.arguments |= {low: w.dice.randint(0, 2), word: w.dice.choice(["a", "b"])}
    condition = f"{w.column(a, 'int', 'a')} >= :{low} or {w.column(a, 'string', 'a')} = :{word}"
    shown = _some(w, a, "a") | {f"{w.column(a, 'int', 'a')} + :{low}": "int"}
    return w.select(shown, f"from {a.source} a where {condition}")


def identifiers(w: Writer, depth: int) -> Relation:
    del depth
    a = w.table(w.dice.choice(["orders", "shops"]))
    return w.select(_some(w, a, "a") | {"identifier('a.k')": "int"}, f"from identifier('{a.source}') a")


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
    return w.select(_some(w, a, "a", 2) | shown, f"from {a.source} a")


def table_function(w: Writer, depth: int) -> Relation:
    a = w.relation(depth - 1)
    b = w.table(w.dice.choice(["shops", "weather"]))
    name = f"fn_{w.name()}"
    w.statements.append(
        f"create or replace temporary function {name}(t string) returns table(p int, q date) "
        f"return select {w.column(b, 'int', 'b')}, {w.column(b, 'date', 'b')} from {b.source} b where b.s = t"
    )
    called = f"from {a.source} a, lateral {name}({w.column(a, 'string', 'a')}) f"
    return w.select(_some(w, a, "a", 2) | {"f.p": "int", "f.q": "date"}, called)


def temporary_view(w: Writer, depth: int) -> Relation:
    with w.without("parameter markers"):  # which Spark does not take in the text of a view
        a = w.relation(depth - 1)
    view = f"view_{w.name()}"
    w.statements.append(f"create or replace temporary view {view} as select * from {a.source} o")
    return w.select(_some(w, a, "a"), f"from {view} a")


CONSTRUCTS: dict[str, Construct] = {
    "projection": Construct(projection, everywhere=True),
    "VALUES": Construct(values, everywhere=True),
    "join": Construct(join, spreads=True, everywhere=True),
    "semi and anti join": Construct(semi_join, groups=True, everywhere=True),
    "UNION ALL": Construct(union_all, everywhere=True),
    "set operation": Construct(set_operation, groups=True, everywhere=True),
    "DISTINCT": Construct(distinct, groups=True, everywhere=True),
    "ORDER BY with LIMIT": Construct(limit, groups=True, everywhere=True),
    "GROUP BY": Construct(aggregate, groups=True, everywhere=True),
    "GROUP BY ALL": Construct(group_by_all, groups=True, everywhere=True),
    "grouping sets": Construct(grouping_sets, groups=True, spreads=True, everywhere=True),
    "CTE read twice": Construct(cte_reuse, groups=True, spreads=True, everywhere=True, suffices="nothing"),
    "lateral join": Construct(lateral_join, groups=True, spreads=True, everywhere=True),
    "correlated subquery": Construct(correlated_subquery, groups=True, spreads=True, everywhere=True),
    "subquery in a filter": Construct(
        subquery_in_filter, groups=True, spreads=True, everywhere=True, suffices="influence"
    ),
    "EXISTS and IN": Construct(exists, groups=True, everywhere=True),
    "higher-order functions": Construct(higher_order),
    "maps and structs": Construct(maps_and_structs),
    "JSON": Construct(json_paths),
    "variant": Construct(variants, spreads=True),
    "explode": Construct(explode, spreads=True),
    "window": Construct(window, groups=True, spreads=True, everywhere=True),
    "range frame over dates": Construct(range_frame, groups=True, spreads=True, everywhere=True),
    "QUALIFY": Construct(qualify, groups=True, spreads=True, everywhere=True, suffices="influence"),
    "recursive CTE": Construct(recursive, groups=True, spreads=True, everywhere=True),
    "PIVOT": Construct(pivot, groups=True),
    "UNPIVOT": Construct(unpivot, spreads=True, everywhere=True),
    "percentiles": Construct(percentiles, groups=True),
    "approximate aggregates": Construct(approximate, groups=True),
    "collected values": Construct(collections, groups=True),
    "TABLESAMPLE (rows)": Construct(sample_rows),
    "TABLESAMPLE (percent)": Construct(sample_percent, suffices="nothing"),
    "parameter markers": Construct(parameters),
    "IDENTIFIER": Construct(identifiers),
    "pipe syntax": Construct(pipes, groups=True),
    "SQL function": Construct(scalar_function),
    "SQL table function": Construct(table_function, groups=True, spreads=True),
    "temporary view": Construct(temporary_view),
}
