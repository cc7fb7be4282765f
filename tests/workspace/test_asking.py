"""How lineage questions are put: ways, names, versions, conditions, and queries over answers."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa
import pytest

import whence

if TYPE_CHECKING:
    from whence import Workspace


@pytest.fixture
def ws(ws: Workspace) -> Workspace:
    """From t three ways to end: through left, through right, and directly."""
    ws.create("t", [(1,), (2,), (3,), (4,)], schema="x int")
    ws.sql("select x from t where x <= 2", name="left")
    ws.sql("select x from t where x >= 2", name="right")
    ws.sql(
        "select x from left union all select x from right union all select x from t where x = 4 order by x", name="end"
    )
    return ws


def test_a_path_follows_only_the_edges_it_names(ws: Workspace) -> None:
    end, every = ws["end"], range(ws["end"].count)
    assert end.lineage.backward(every, to="t").ids.tolist() == [0, 1, 2, 3]
    assert end.lineage.backward(every, to="t", path=["left"]).ids.tolist() == [0, 1]
    assert end.lineage.backward(every, to="t", path=["right"]).ids.tolist() == [1, 2, 3]
    assert end.lineage.backward(every, to="t", path=["Right@1"]).ids.tolist() == [1, 2, 3]
    reached = ws["t"].lineage.forward([1], to="end")
    assert reached.to_arrow().to_pylist() == [{"x": 2}, {"x": 2}]
    assert ws["t"].lineage.forward([1], to="end", path=["left"]).count == 1
    assert ws["t"].lineage.forward([3], to="end", path=["left"]).count == 0
    with pytest.raises(whence.NotRelated, match=r"just left, right\. Between them lies"):
        end.lineage.backward(every, to="t", path=["left", "right"])
    both = end.lineage.backward_each([[0], every], to="t", path=["left"])
    assert [rows.ids.tolist() for rows in both] == [[0], [0, 1]]


def test_names_versions_and_datasets_say_where_to(ws: Workspace) -> None:
    end, old = ws["end"], ws["t"]
    ws.create("t", [(9,)], schema="x int")
    assert end.lineage.backward([0], to="T").record.version == 1
    assert end.lineage.backward([0], to="t@1").ids.tolist() == [0]
    assert end.lineage.backward([0], to=old).ids.tolist() == [0]
    with pytest.raises(whence.NotRelated, match=r"end@1 was not made from t@2\. It was made from .*t@1"):
        end.lineage.backward([0], to="t@2")
    with pytest.raises(whence.NotRelated, match=r"No version of end was made from t@2\. Nothing was made from it yet"):
        ws["t"].lineage.forward([0], to="end")
    with pytest.raises(whence.NotRelated, match=r"left@1 was not made from right@1\. Made from it: end@1"):
        ws["right"].lineage.forward([0], to="left@1")
    assert old.lineage.forward([0], to="left").ids.tolist() == [0]
    ws.sql("select x + 1 as x from t", name="left")  # a newer version that is not made from the old t
    assert old.lineage.forward([0], to="left").record.version == 1
    assert ws["t"].lineage.forward([0], to="left").record.version == 2


def test_rows_are_chosen_by_condition_or_by_an_answer(ws: Workspace) -> None:
    end = ws["end"]
    assert end.lineage.backward(where="x > 2", to="t").ids.tolist() == [2, 3]
    halfway = end.lineage.backward(where="x = 2", to="left")
    assert ws["left"].lineage.backward(halfway, to="t").ids.tolist() == [1]
    assert ws["left"].lineage.backward(np.array([1, 0, 1]), to="t").ids.tolist() == [0, 1]
    with pytest.raises(whence.WhenceError, match="These are rows of left@1"):
        end.lineage.backward(halfway, to="t")
    with pytest.raises(whence.WhenceError, match="has no row -1"):
        end.lineage.backward([-1], to="t")


def test_a_query_over_an_answer_keeps_its_lineage_however_long_the_answer(ws: Workspace) -> None:
    many = ws.create("many", pa.table({"k": np.arange(2000) % 3, "v": np.arange(2000)}))
    sums = ws.sql("select k, sum(v) s from many group by k order by k", name="sums")
    back = sums.lineage.backward([1], to="many")
    assert back.count == 667
    assert back.df.count() == 667
    assert back.to_pandas()["v"].tolist() == list(range(1, 2000, 3))
    top = ws.sql("select k, max(v) hi, count(*) n from {r} where v < 1000 group by k", name="top", r=back)
    assert top.to_arrow().to_pylist() == [{"k": 1, "hi": 997, "n": 333}]
    assert top.lineage.exact
    assert top.lineage.backward([0], to="many").ids.tolist() == list(range(1, 1000, 3))
    assert many.lineage.forward([997], to="top").ids.tolist() == [0]
    assert many.lineage.forward([998], to="top").ids.tolist() == []
    few = ws.sql("select v from {r}", name="few", r=top.lineage.backward([0], to="many"))
    assert few.lineage.backward([0, 1], to="many").ids.tolist() == [1, 4]


def test_a_forgotten_dataset_is_not_answered_from_memory(ws: Workspace) -> None:
    end, left = ws["end"], ws["left"]
    assert end.lineage.backward([0], to="left").ids.tolist() == [0]
    ws.forget("left", also_dependants=True)
    with pytest.raises(whence.WhenceError):
        end.lineage.backward([0], to=left)
    with pytest.raises(whence.WhenceError):
        ws["t"].lineage.forward([0], to="left")
