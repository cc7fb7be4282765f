"""Columns of type variant are stored as such: a later query reads into them."""

from json import dumps, loads
from typing import TYPE_CHECKING

from tests.oracles.reading import marked, sources, values

if TYPE_CHECKING:
    from whence import Workspace


def test_a_stored_variant_can_be_read_into(ws: "Workspace") -> None:
    ws.create("t", [(1, 10), (2, 20)], schema="k int, x int")
    stored = ws.sql("""select parse_json('{"a":' || x || '}') as v, k from t""", name="stored")
    assert {field.name: field.type for field in stored.schema} == {"v": "variant", "k": "int"}
    ds = ws.sql("select variant_get(v, '$.a', 'int') as a, to_json(v) as j from stored where k = 2", name="out")
    assert sources(ds, "t") == [((20, '{"a":20}'), [1])]


def test_a_stored_variant_is_exploded_beside_its_row(ws: "Workspace") -> None:
    texts = ['[1,[2],"c"]', "[]", "null", '{"b":7,"a":{"x":1}}']
    rows = ",".join(f"({n}, parse_json('{text}'))" for n, text in enumerate(texts))
    ws.sql(f"select caveat_if(v, k = 3, 'guessed') as v, k from values {rows} as t(k, v)", name="stored")
    expected = [(row, each) for row, text in enumerate(texts) for each in _exploded(loads(text))]
    ds = ws.sql(
        "select k, e.pos, e.key, to_json(e.value) as j from stored, lateral variant_explode(v) as e", name="out"
    )
    assert ds.lineage.exact, ds.lineage.strategy
    assert [(row[0], row[1:]) for row in sorted(values(ds))] == expected
    for n, row in enumerate(values(ds)):
        assert ds.lineage.backward([n], to="stored").ids.tolist() == [row[0]]
        assert [(ref.row, ref.column) for ref in ds.lineage.cell(n, "j")] == [(row[0], "v")]
    assert {row[0]: names for row, names in marked(ds).items()} == {0: set(), 3: {"_row", "pos", "key", "j"}}
    assert ds.caveats.row_set


def test_an_array_without_elements_keeps_its_row_in_a_left_join(ws: "Workspace") -> None:
    ws.sql("select id as k, if(id = 0, array(), array(5, 6)) as a from range(2)", name="stored")
    for names in ("", " e(pos, col)"):
        ds = ws.sql(f"select k, pos from stored left join lateral posexplode(a){names}", name="out")
        assert ds.lineage.exact, ds.lineage.strategy
        assert sources(ds, "stored") == [((0, None), [0]), ((1, 0), [1]), ((1, 1), [1])]


def _exploded(value: object) -> list[tuple[object, ...]]:
    """The rows of `variant_explode`, whose fields come in the order of their names."""
    if isinstance(value, list):
        return [(n, None, dumps(each, separators=(",", ":"))) for n, each in enumerate(value)]
    if isinstance(value, dict):
        return [(n, key, dumps(value[key], separators=(",", ":"))) for n, key in enumerate(sorted(value))]
    return []
