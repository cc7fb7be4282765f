"""Operators make datasets whose lineage is what they declare, through any path, in this session and later ones."""

from __future__ import annotations

import gc
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import whence
from whence.arrays import Add, Concatenate, Convolve, Emit, Operator, Reduce, Subtract, Transpose, neighbours
from whence.arrays.shapes import Ids, Shapes


class Rays(Operator):
    """Marks bright pixels; such a pixel depends on those around it, any other on itself."""

    gives = {whence.Comp, whence.Pay, whence.Full}

    def __init__(self, above: float = 10.0) -> None:
        self.above = above
        self.runs = 0

    def run(self, inputs: Sequence[np.ndarray], emit: Emit) -> np.ndarray:
        self.runs += 1
        mask: np.ndarray = inputs[0] > self.above
        hits, rest = np.flatnonzero(mask), np.flatnonzero(~mask)
        if "full" in emit.wants:
            around = neighbours(hits, 1, mask.shape)
            emit.pairs(np.repeat(hits, around.lengths), around.ids)
            emit.pairs(rest, rest)
        emit.pay(hits, np.uint8(1))
        if "pay" in emit.wants:
            emit.pay(rest, np.uint8(0))
        return mask

    def map_b(self, out: Ids, shapes: Shapes, i: int = 0) -> object:
        return out

    map_f = map_b

    def map_p(self, out: Ids, payload: Any, shapes: Shapes, i: int = 0) -> object:  # noqa: ANN401
        near, far = neighbours(out, 1, shapes[i]), payload == 1
        owners = near.owners
        keep = far[owners] | (near.ids == out[owners])
        return np.cumsum([0, *np.bincount(owners[keep], minlength=len(out))]), near.ids[keep]


class Fit(Operator):
    """Rows in, an array out: the mean of x for each group, in order."""

    gives = {whence.Full}

    def run(self, inputs: Any, emit: Emit) -> np.ndarray:  # noqa: ANN401
        (frame,) = inputs
        groups = [np.flatnonzero(frame["k"] == k) for k in sorted(frame["k"].unique())]
        for out, rows in enumerate(groups):
            emit(out, rows)
        return np.array([frame["x"].to_numpy()[rows].mean() for rows in groups])


class ToRows(Operator):
    """An array in, rows out."""

    gives = {whence.Map}

    def run(self, inputs: Any, emit: Emit) -> pd.DataFrame:  # noqa: ANN401
        return pd.DataFrame({"n": inputs[0].ravel()})

    def map_b(self, out: Ids, shapes: Shapes, i: int = 0) -> object:
        return out

    map_f = map_b


KINDS = ["comp one", "comp many", "pay one", "pay many", "full one", "full many", "black box"]

SKY = np.array([[0.0, 1, 0, 2], [3, 50, 1, 0], [0, 0, 0, 99.0]])


@pytest.fixture
def quiet(tmp_path: Path) -> Any:  # noqa: ANN401
    with whence.open(tmp_path / "quiet.whence") as workspace:
        yield workspace
        assert not workspace.is_engine_running


@pytest.mark.parametrize("kind", KINDS)
def test_every_way_to_keep_lineage_answers_alike(quiet: whence.Workspace, kind: str) -> None:
    raw = quiet.array("raw", SKY)
    mask = quiet.apply(Rays(), "raw", name="mask", lineage=kind)
    assert mask.lineage.backward([(0, 0)], to="raw").cells == [(0, 0)]
    nine = [(y, x) for y in range(3) for x in range(3)]
    assert mask.lineage.backward([(1, 1)], to="raw").cells == nine
    assert mask.lineage.backward([(2, 3)], to="raw").cells == [(1, 2), (1, 3), (2, 2), (2, 3)]
    assert raw.lineage.forward([(0, 0)], to="mask").cells == [(0, 0), (1, 1)]
    assert raw.lineage.forward([(1, 1)], to="mask").cells == [(1, 1)]
    assert raw.lineage.forward(np.ones(SKY.shape, dtype=bool), to="mask").count == 12
    assert mask.lineage.exact
    assert mask.lineage.strategy.startswith(kind.split()[0])


def test_the_representation_that_stores_least_is_usual(quiet: whence.Workspace) -> None:
    quiet.array("raw", SKY)
    mask = quiet.apply(Rays(), "raw")
    assert mask.name == "rays"
    assert mask.lineage.strategy.startswith("comp: Rays noted a payload")


def test_a_black_box_is_run_again_once_for_many_questions(quiet: whence.Workspace) -> None:
    quiet.array("raw", SKY)
    rays = Rays()
    mask = quiet.apply(rays, "raw", lineage="black box")
    assert rays.runs == 1
    for cell in range(12):
        mask.lineage.backward([cell], to="raw")
    assert rays.runs == 2


def test_lineage_that_an_operator_does_not_give_is_refused(quiet: whence.Workspace) -> None:
    quiet.array("raw", SKY)
    with pytest.raises(whence.WhenceError, match="cannot be kept as full one"):
        quiet.apply(Add(1.0), "raw", lineage="full one")
    with pytest.raises(whence.WhenceError, match="Say one of"):
        quiet.apply(Add(1.0), "raw", lineage="whatever")


def test_nothing_declared_is_coarse_and_said(quiet: whence.Workspace) -> None:
    class Opaque(Operator):
        def run(self, inputs: Sequence[np.ndarray], emit: Emit) -> np.ndarray:
            doubled: np.ndarray = inputs[0] * 2
            return doubled

    raw = quiet.array("raw", SKY, cell_caveats=[((0, 1), "dead")])
    made = quiet.apply(Opaque(), "raw", name="made")
    assert not made.lineage.exact
    assert "declares no lineage" in made.lineage.strategy
    assert made.lineage.backward([(0, 0)], to="raw").count == raw.count
    assert {group.family for group in made.caveats.list()} >= {"lineage", "coarse"}
    assert all(made.caveats.marks().column("value").to_pylist())


def test_doubts_follow_lineage(quiet: whence.Workspace) -> None:
    for number, kind in enumerate(KINDS):
        quiet.array("raw", SKY, cell_caveats=[((0, 0), "dead")])
        mask = quiet.apply(Rays(), "raw", name=f"mask{number}", lineage=kind)
        marked = np.flatnonzero(mask.caveats.marks().column("value").to_numpy()).tolist()
        assert marked == [0, 5], kind
        assert [group.message for group in mask.caveats.list(row=5)] == ["dead"]
        assert mask.caveats.list(row=1) == []
    mask.caveats.acknowledge("user")
    assert not any(mask.caveats.marks().column("value").to_pylist())
    mask.caveats.revoke("user")


def test_several_inputs_are_told_apart(quiet: whence.Workspace) -> None:
    quiet.array("a", np.zeros((2, 2)))
    quiet.array("b", np.ones((1, 2)))
    both = quiet.apply(Concatenate(), "a", "b", name="both")
    assert both.lineage.backward([(2, 1)], to="b").cells == [(0, 1)]
    assert both.lineage.backward([(2, 1)], to="a").cells == []
    twice = quiet.apply(Subtract(), "both", quiet.apply(Reduce("mean", (0,)), "both", name="mean"), name="flat")
    assert twice.lineage.backward([(0, 0)], to="both", path=["mean"]).cells == [(0, 0), (1, 0), (2, 0)]
    assert twice.lineage.backward([(0, 0)], to="a").cells == [(0, 0), (1, 0)]
    assert quiet["b"].lineage.forward([(0, 1)], to="flat").cells == [(0, 1), (1, 1), (2, 1)]


def test_the_same_dataset_may_come_in_twice(quiet: whence.Workspace) -> None:
    quiet.array("a", np.arange(4.0).reshape(2, 2))
    quiet.apply(Transpose(), "a", name="t")
    added = quiet.apply(Add(), "a", "a", name="double")
    assert added.lineage.backward([(0, 1)], to="a").cells == [(0, 1)]
    crossed = quiet.apply(Add(), "a", "t", name="crossed")
    assert crossed.lineage.backward([(0, 1)], to="a").cells == [(0, 1), (1, 0)]


def test_errors_of_operators_are_one_sentence_and_leave_nothing(quiet: whence.Workspace) -> None:
    class Fails(Operator):
        def run(self, inputs: Any, emit: Emit) -> np.ndarray:  # noqa: ANN401
            raise ValueError("no stars")

    class Wrong(Operator):
        gives = {whence.Full}

        def run(self, inputs: Any, emit: Emit) -> object:  # noqa: ANN401
            emit([99], [0])
            return inputs[0]

    class Odd(Operator):
        def run(self, inputs: Any, emit: Emit) -> object:  # noqa: ANN401
            return {"a": 1}

    class Beyond(Operator):
        gives = {whence.Map}

        def run(self, inputs: Any, emit: Emit) -> object:  # noqa: ANN401
            return inputs[0]

        def map_b(self, out: Ids, shapes: Shapes, i: int = 0) -> object:
            return out + 100

    quiet.array("raw", SKY)
    for operator, said in (
        (Fails(), r"Fails failed on inputs of shape \(3, 4\): ValueError: no stars"),
        (Wrong(), "told of cell 99 of the output"),
        (Odd(), "Odd returned dict"),
    ):
        with pytest.raises(whence.WhenceError, match=said):
            quiet.apply(operator, "raw", name="x")
    beyond = quiet.apply(Beyond(), "raw", name="beyond")
    with pytest.raises(whence.WhenceError, match=r"Beyond\.map_b named cell 100"):
        beyond.lineage.backward([0], to="raw")
    assert [each.name for each in quiet.datasets()] == ["raw", "beyond"]


def test_lineage_is_known_in_a_later_session(tmp_path: Path) -> None:
    with whence.open(tmp_path / "l.whence") as workspace:
        workspace.array("raw", SKY)
        for kind in KINDS:
            workspace.apply(Rays(), "raw", name=kind.replace(" ", "_"), lineage=kind)
        workspace.apply(Convolve(((0, 1, 0), (1, 1, 1), (0, 1, 0))), "raw", name="soft")
    with whence.open(tmp_path / "l.whence") as workspace:
        assert workspace["soft"].lineage.backward([(0, 0)], to="raw").cells == [(0, 0), (0, 1), (1, 0)]
        for kind in KINDS:
            found = workspace[kind.replace(" ", "_")].lineage.backward([(2, 3)], to="raw").count
            assert found == 4, kind


def test_an_operator_that_is_not_there_or_changed_is_not_guessed(tmp_path: Path) -> None:
    def make(shift: int) -> type[Operator]:
        class Local(Operator):
            gives = {whence.Map, whence.Full}

            def run(self, inputs: Sequence[np.ndarray], emit: Emit) -> np.ndarray:
                emit.pairs(np.arange(4), np.arange(4))
                return inputs[0]

            if shift:

                def map_b(self, out: Ids, shapes: Shapes, i: int = 0) -> object:
                    return (out + 1) % 4
            else:

                def map_b(self, out: Ids, shapes: Shapes, i: int = 0) -> object:
                    return out

        return Local

    kinds = [make(0), make(1)]
    with whence.open(tmp_path / "l.whence") as workspace:
        workspace.array("raw", np.arange(4.0))
        workspace.apply(kinds[0](), "raw", name="mapped")
        workspace.apply(kinds[0](), "raw", name="listed", lineage="full one")
        kept = workspace.apply(kinds[0](), "raw", name="mapped_too")
        assert kept.lineage.backward([1], to="raw").ids.tolist() == [1]
    with whence.open(tmp_path / "l.whence") as workspace:  # both classes are there: the right one is taken
        assert workspace["mapped"].lineage.backward([1], to="raw").ids.tolist() == [1]
    del kinds[0], workspace, kept
    gc.collect()
    with whence.open(tmp_path / "l.whence") as workspace:
        with pytest.raises(whence.WhenceError, match="not defined in this session"):
            workspace["mapped"].lineage.backward([1], to="raw")
        assert workspace["listed"].lineage.backward([1], to="raw").ids.tolist() == [1]


def test_an_operator_named_like_a_built_in_one_is_not_taken_for_it(tmp_path: Path) -> None:
    class Local(Operator):
        gives = {whence.Map}

        def run(self, inputs: Sequence[np.ndarray], emit: Emit) -> np.ndarray:
            return inputs[0].T[::-1]

        def map_b(self, out: Ids, shapes: Shapes, i: int = 0) -> object:
            return np.arange(12).reshape(3, 4).T[::-1].ravel()[out]

    Local.__name__ = Local.__qualname__ = "Transpose"
    kinds = [Local]
    del Local

    def cells(workspace: whence.Workspace, name: str) -> object:
        return workspace[name].lineage.backward([(0, 0)], to="raw").cells

    with whence.open(tmp_path / "l.whence") as workspace:
        workspace.array("raw", SKY)
        workspace.apply(kinds[0](), "raw", name="own")
        workspace.apply(Transpose(), "raw", name="ours")
    with whence.open(tmp_path / "l.whence") as workspace:
        assert (cells(workspace, "own"), cells(workspace, "ours")) == ([(0, 3)], [(0, 0)])
    del kinds[0], workspace
    gc.collect()
    with whence.open(tmp_path / "l.whence") as workspace:
        with pytest.raises(whence.WhenceError, match="not defined in this session"):
            cells(workspace, "own")
        assert cells(workspace, "ours") == [(0, 0)]


def test_a_way_may_lead_through_queries_rows_and_arrays(ws: whence.Workspace) -> None:
    ws.create("t", [("a", 1.0), ("b", 5.0), ("a", 3.0), ("b", -1.0), ("c", 2.0)], schema="k string, x double")
    ws.sql("select k, x from t where x > 0 order by x desc", name="good")
    fit = ws.apply(Fit(), "good", name="fit")
    assert isinstance(fit, whence.ArrayDataset)
    assert fit.to_numpy().tolist() == [2.0, 5.0, 2.0]
    ws.apply(Convolve((1.0, 1.0, 1.0)), "fit", name="soft")
    ws.apply(ToRows(), "soft", name="rows")
    top = ws.sql("select max(n) m from rows where n > 7", name="top")
    assert top.lineage.backward([0], to="fit").cells == [(0,), (1,), (2,)]
    assert sorted(top.lineage.backward([0], to="t").ids.tolist()) == [0, 1, 2, 4]
    assert ws["t"].lineage.forward([3], to="top").count == 0
    assert ws["t"].lineage.forward([4], to="soft").cells == [(1,), (2,)]
    assert ws["t"].lineage.forward([0], to="rows").ids.tolist() == [0, 1]
    refs = fit.lineage.cell(1, "value", to="t")
    assert {(ref.row, ref.column) for ref in refs} == {(1, "k"), (1, "x")}


def test_forgetting_an_input_keeps_what_was_listed(quiet: whence.Workspace) -> None:
    quiet.array("raw", SKY)
    quiet.apply(Rays(), "raw", name="mask", lineage="full one")
    quiet.forget("raw", keep_dependants=True)
    mask = quiet["mask"]
    assert isinstance(mask, whence.ArrayDataset)
    assert mask.to_numpy()[1, 1]
    assert quiet.forget("mask") == ["mask@1"]
