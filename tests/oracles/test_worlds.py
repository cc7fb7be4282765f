"""The worlds themselves: which are tried, what DuckDB answers in them, and what they show on cases one can follow."""

from collections import Counter
from random import Random

from tests.oracles.cases import SCHEMAS, Case, Profile, Suspect, random_case, single
from tests.oracles.duck import connect
from tests.oracles.evaluate import prepare
from tests.oracles.expressions import Binary, Col, Lit, Values
from tests.oracles.queries import Agg, Aggregate, Filter, Item, Join, Query, Scan
from tests.oracles.random_queries import Queries
from tests.oracles.render import to_sql
from tests.oracles.worlds import Doubts, constants_of, doubts, worlds

T, U = Scan("t", "a", SCHEMAS["t"]), Scan("u", "b", SCHEMAS["u"])
ROWS = ((0, 1, 1, "a"), (1, 1, 3, "a"), (2, 2, 3, "b"))


def find_doubts(query: Query, *suspects: Suspect) -> Doubts:
    return doubts(query, prepare(query), single(Case({"t": ROWS, "u": ((0, 2, 5, "b"),)}, suspects)), 0, 100)


def row_doubts(known: Doubts) -> list[tuple[Values, tuple[bool, ...], bool]]:
    return [(one.row.values, one.cells, one.absent) for one in known.rows]


def test_every_world_answers_as_in_duckdb() -> None:
    rng = Random(1)
    for _ in range(12):
        query, batch = Queries(rng).query(3), single(random_case(rng, Profile(rows=(1, 4), suspects=(2, 2))))
        evaluate = prepare(query)
        for world in list(worlds(batch, 0, constants_of(query), 100))[::25]:
            connection = connect(SCHEMAS, {name: [row.values for row in rows] for name, rows in world.items()})
            answer = Counter(connection.execute(to_sql(query)).fetchall())
            assert answer == Counter(row.values for row in evaluate(world)), f"{to_sql(query)}\n{world}"


def test_one_doubtful_cell_and_one_doubtful_row_give_all_their_combinations() -> None:
    batch = single(Case({"t": ROWS, "u": ()}, (Suspect("t", 0, "k"), Suspect("t", 2))))
    tried = {tuple(row.values[:2] for row in world["t"]) for world in worlds(batch, 0, frozenset({7}), 100)}
    values = {0, 1, 2, 3, 7, -99, 99, None}
    assert {rows[0][1] for rows in tried} == values
    assert len(tried) == 2 * len(values)


def test_doubtful_filter() -> None:
    kept = Filter(T, Binary(">", Col("a_x"), Lit(2, "int")))
    known = find_doubts(kept, Suspect("t", 0, "x"), Suspect("t", 1, "x"))
    assert row_doubts(known) == [
        ((1, 1, 3, "a"), (False, False, True, False), True),
        ((2, 2, 3, "b"), (False, False, False, False), False),
    ]
    assert known.row_set


def test_doubtful_group_key() -> None:
    groups = Aggregate(T, (Item("g", Col("a_k"), "int"),), (Agg("n", "count(*)", None, "int"),))
    known = find_doubts(groups, Suspect("t", 0, "k"))
    assert row_doubts(known) == [((1, 2), (False, True), False), ((2, 1), (False, True), False)]
    assert known.row_set


def test_doubtful_join_partner() -> None:
    known = find_doubts(Join(T, U, "left", Binary("=", Col("a_k"), Col("b_k"))), Suspect("u", 0))
    assert [(row[0], absent) for row, _, absent in row_doubts(known)] == [(0, False), (1, False), (2, True)]
    assert known.row_set


def test_row_over_everything_is_in_every_world() -> None:
    total = Aggregate(T, (), (Agg("n", "count(*)", None, "int"), Agg("c", "count", Col("a_x"), "int")))
    assert row_doubts(find_doubts(total, Suspect("t", 0, "x"))) == [((3, 3), (False, True), False)]
    assert row_doubts(find_doubts(total, Suspect("t", 0))) == [((3, 3), (True, True), False)]
