from __future__ import annotations

import pyarrow as pa
import pytest

from tests.store.making import make
from whence.model.errors import BadInput, UnknownDataset
from whence.store.store import Store

TABLE = pa.table({"a": [1, 2, 3]})


def test_a_name_written_in_another_case_is_the_same_dataset(store: Store) -> None:
    first, second = make(store, "Parts", TABLE), make(store, "parts", TABLE)
    assert (first.version, second.version) == (1, 2)
    assert store.current("PARTS") == second
    assert store.version("pArTs", 1) == first


def test_datasets_lists_the_newest_of_each_name_oldest_name_first(store: Store) -> None:
    make(store, "b", TABLE)
    a = make(store, "a", TABLE)
    newest_b = make(store, "b", TABLE)
    assert store.datasets() == [newest_b, a]
    by_name = store.current_datasets()
    assert (list(by_name), dict(by_name), len(by_name)) == (["b", "a"], {"b": newest_b, "a": a}, 2)


def test_parents_keep_their_order_and_children_are_found(store: Store) -> None:
    a, b = make(store, "a", TABLE), make(store, "b", TABLE)
    joined = make(store, "j", TABLE, parents=[b.id, a.id, b.id])
    assert store.by_id(joined.id).parents == (b.id, a.id, b.id)
    assert store.children(b.id) == [joined]
    assert store.children(joined.id) == []


def test_what_a_text_made_is_found_newest_first(store: Store) -> None:
    a, b = make(store, "a", TABLE), make(store, "b", TABLE)
    query = "select a from a"
    made = [
        make(store, "q", TABLE, parents=[a.id], text=text)
        for text in (query, f"\n  {query}\t\u2003", f"{query} limit 1", "\n")
    ]
    make(store, "q", TABLE, parents=[b.id], text=query)
    assert store.made_by_text(a.id, f" {query}", most=5) == [made[1], made[0]]
    assert store.made_by_text(a.id, query, most=1) == [made[1]]
    assert store.made_by_text(a.id, query, most=2) == [made[1], made[0]], "longer texts count for nothing"
    assert store.made_by_text(a.id, "  ", most=5) == [made[3]]
    assert store.made_by_text(a.id, "select b from a", most=5) == []


def test_an_unknown_name_suggests_near_ones(store: Store) -> None:
    make(store, "orders", TABLE)
    with pytest.raises(UnknownDataset, match=r"no dataset named order\. Did you mean orders\?"):
        store.current("order")


def test_an_unknown_version_says_which_there_are(store: Store) -> None:
    make(store, "t", TABLE)
    with pytest.raises(UnknownDataset, match=r"t has no version 7\. It has versions 1 to 1\."):
        store.version("t", 7)


def test_a_blank_name_is_refused(store: Store) -> None:
    with pytest.raises(BadInput, match="needs a name"):
        store.begin("create", "  ")


def test_columns_equal_but_for_case_are_refused_and_leave_nothing(store: Store) -> None:
    table = pa.table({"id": [1], "ID": [2]})
    with pytest.raises(BadInput, match="Two columns are named ID"):
        make(store, "t", table)
    assert store.datasets() == []


def test_a_run_given_up_leaves_no_files(store: Store) -> None:
    run = store.begin("sql", "t")
    (run.staging / "half").write_bytes(b"x")
    store.abandon(run, "the query was wrong")
    assert not run.staging.exists()
    assert store.datasets() == []
