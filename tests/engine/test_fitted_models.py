"""A value that a fitted model carries came from rows the plan does not show, and the dataset says so."""

from __future__ import annotations

from pyspark.ml.feature import Bucketizer, Imputer, StringIndexer, VectorAssembler

import whence

LEARNED = "Values were learned by a fitted model ({}) from rows that the query does not show."


def test_values_of_fitted_models_are_not_called_exact(ws: whence.Workspace) -> None:
    t = ws.create("t", [(1.0, "a"), (None, "b"), (3.0, "a")], schema="x double, k string").df
    programs = {
        "StringIndexerModel": StringIndexer(inputCol="k", outputCol="i").fit(t).transform(t),
        "ImputerModel": Imputer(inputCol="x", outputCol="i").fit(t).transform(t),
    }
    for model, frame in programs.items():
        made = ws.dataset(frame, name=model)
        assert not made.lineage.exact
        assert made.lineage.strategy.endswith(LEARNED.format(model))
        assert [group.message for group in made.caveats.list()] == [LEARNED.format(model)]
        assert made.lineage.backward([1], to="t").ids.tolist() == [1]


def test_transformers_that_learn_nothing_are_exact(ws: whence.Workspace) -> None:
    t = ws.create("t", [(1.0,), (3.0,)], schema="x double").df
    buckets = Bucketizer(splits=[0.0, 2.0, 4.0], inputCol="x", outputCol="b").transform(t)
    made = ws.dataset(VectorAssembler(inputCols=["x", "b"], outputCol="f").transform(buckets), name="made")
    assert made.lineage.exact
