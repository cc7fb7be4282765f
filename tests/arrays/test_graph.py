"""Questions about whole datasets and the runs between them."""

from __future__ import annotations

from pathlib import Path

import numpy as np

import whence
from whence.arrays import Add, Multiply, Reduce, Subtract
from whence.arrays.graph import Step


def test_the_questions_of_the_provenance_model(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("a,b\n1,2\n")
    with whence.open(tmp_path / "g.whence") as ws:
        ws.array("raw", np.arange(4.0))
        ws.array("other", np.arange(4.0))
        ws.apply(Reduce("mean"), "raw", name="mean")
        ws.apply(Subtract(), "raw", "mean", name="flat")
        ws.apply(Multiply(2.0), "flat", name="left")
        ws.apply(Add(), "flat", "other", name="right")
        ws.load(tmp_path / "t.csv", name="t")
        graph = ws.graph
        assert graph.steps("subtract") == [Step("flat@1", "Subtract", ("raw@1", "mean@1"))]
        assert {step.dataset for step in graph.derived_from("mean")} == {"flat@1", "left@1", "right@1"}
        assert graph.derived_from("left") == []
        assert graph.affected_by("Reduce") == ["mean@1", "flat@1", "left@1", "right@1"]
        assert graph.affected_by("Multiply") == ["left@1"]
        assert [step.operator for step in graph.before("flat")] == ["Reduce"]
        assert graph.inputs("right") == ["flat@1", "other@1"]
        assert sorted(graph.sources("right")) == ["other@1", "raw@1"]
        assert sorted(graph.results("raw")) == ["left@1", "right@1"]
        assert graph.paths("raw", "left") == [
            ("raw@1", "flat@1", "left@1"),
            ("raw@1", "mean@1", "flat@1", "left@1"),
        ]
        assert graph.paths("other", "left") == []
        assert set(graph.shared("left", "right")) == {"flat@1", "mean@1", "raw@1"}
        found = graph.arguments("left")
        assert (found.operator, found.arguments, found.shapes) == ("Multiply", {"number": 2.0}, ((4,),))
        assert graph.arguments("raw").origin == "array"
        assert graph.file("t") == str(tmp_path / "t.csv")
        assert graph.file("raw") is None
