"""Blocks from what a query carried, on hand-made id columns."""

from __future__ import annotations

import numpy as np
import pyarrow as pa

from whence.lineage.block import Block, from_arrays, to_arrays
from whence.lineage.decode import decode
from whence.plan.expr import Column
from whence.plan.step import CarriedIds, Group, Rid


def rid(source: int) -> Rid:
    return Rid(source, Column(-source - 1, f"rid{source}", "int"))


def group(*members: CarriedIds, is_bare: bool = False) -> Group:
    return Group(Column(-50, "ids", "array"), members, is_bare)


def pairs(block: Block, source: int) -> set[tuple[int, int]]:
    out, ids = block.pairs(source)
    return set(zip(out.tolist(), ids.tolist(), strict=True))


def test_ids_beside_each_other_stay_aligned() -> None:
    block = decode((rid(0), rid(1)), pa.table({"a": [5, 6], "b": [1, None]}))
    (part,) = block.parts
    assert part.out is None
    assert {source: ids.tolist() for source, ids in part.sources.items()} == {0: [5, 6], 1: [1, -1]}


def test_a_bare_group_gives_one_derivation_per_member() -> None:
    block = decode((group(rid(0), is_bare=True),), pa.table({"ids": [[3, 4], [], [5]]}))
    assert pairs(block, 0) == {(0, 3), (0, 4), (2, 5)}


def test_a_null_group_has_no_members() -> None:
    ids = pa.table({"ids": pa.array([[1], None], pa.list_(pa.int32()))})
    assert pairs(decode((group(rid(0), is_bare=True),), ids), 0) == {(0, 1)}


def test_who_was_joined_with_whom_is_kept_inside_a_group() -> None:
    ids = pa.table({"ids": [[{"f0": 1, "f1": 8}, {"f0": 2, "f1": 9}]]})
    (part,) = decode((group(rid(0), rid(1)),), ids).parts
    assert list(zip(part.sources[0].tolist(), part.sources[1].tolist(), strict=True)) == [(1, 8), (2, 9)]


def test_a_row_beside_an_empty_inner_group_is_not_lost() -> None:
    inner = pa.struct([("f0", pa.int32()), ("f1", pa.list_(pa.int32()))])
    ids = pa.table({"ids": pa.array([[{"f0": None, "f1": [7, 8]}, {"f0": 4, "f1": None}]], pa.list_(inner))})
    block = decode((group(rid(0), group(rid(1), is_bare=True)),), ids)
    assert pairs(block, 0) == {(0, 4)}
    assert pairs(block, 1) == {(0, 7), (0, 8)}


def test_a_block_comes_back_from_its_arrays() -> None:
    block = decode((rid(0), group(rid(1), is_bare=True)), pa.table({"a": [5, 6], "ids": [[1], [2, 3]]}))
    files = to_arrays(block)
    again = from_arrays(block.rows, list(files.values()))
    assert [pairs(again, source) for source in (0, 1)] == [pairs(block, source) for source in (0, 1)]
    assert all(array.dtype == np.int64 for arrays in files.values() for array in arrays.values())
