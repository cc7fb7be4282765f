"""Columns of type variant are stored as such: a later query reads into them."""

from typing import TYPE_CHECKING

from tests.oracles.reading import sources

if TYPE_CHECKING:
    from whence import Workspace


def test_a_stored_variant_can_be_read_into(ws: "Workspace") -> None:
    ws.create("t", [(1, 10), (2, 20)], schema="k int, x int")
    stored = ws.sql("""select parse_json('{"a":' || x || '}') as v, k from t""", name="stored")
    assert {field.name: field.type for field in stored.schema} == {"v": "variant", "k": "int"}
    ds = ws.sql("select variant_get(v, '$.a', 'int') as a, to_json(v) as j from stored where k = 2", name="out")
    assert sources(ds, "t") == [((20, '{"a":20}'), [1])]
