"""Spark ML transformers and pandas-on-Spark code that never heard of pipelines: every cell against plain Python."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from pyspark.ml import Estimator, Transformer
from pyspark.ml import Pipeline as SparkPipeline
from pyspark.ml.classification import LogisticRegression
from pyspark.ml.feature import (
    Bucketizer,
    HashingTF,
    Imputer,
    MinMaxScaler,
    OneHotEncoder,
    StandardScaler,
    StringIndexer,
    Tokenizer,
    VectorAssembler,
)

import whence
from whence.model.errors import BadInput

ROWS = [("a", 1.0, 5, "red fox"), ("b", None, 7, "blue"), ("a", 3.0, None, "red"), ("c", 4.0, 9, "a fox")]
COLUMNS = ("k", "x", "n", "s")


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory, spark_home: whence.Workspace) -> Iterator[whence.Workspace]:
    assert spark_home.spark is not None
    with whence.open(tmp_path_factory.mktemp("ml") / "w.whence") as workspace:
        workspace.create("t", ROWS, schema="k string, x double, n int, s string")
        workspace.sql("select k, coalesce(x, 0) x, coalesce(n, 0) n, s from t", name="full")
        yield workspace


def cells(dataset: whence.Dataset, since: str = "t") -> dict[tuple[int, str], set[tuple[int, str]]]:
    """Every cell of a dataset with the cells of `t` behind its value, as a pipeline read off its history says."""
    q = whence.Pipeline.from_dataset(dataset, since=since).provenance
    return {
        (row, column): {(ref.row, ref.column) for ref in q.why(row, column) if ref.role in ("copied", "computed")}
        for row in range(dataset.count)
        for column in dataset.columns
    }


def same_row(kept: list[int], **made: set[str]) -> dict[tuple[int, str], set[tuple[int, str]]]:
    """What row-wise code should give: row i is row kept[i] of `t`; columns not named come from themselves."""
    columns = {**{name: {name} for name in COLUMNS}, **made}
    return {
        (row, name): {(old, each) for each in reads} for row, old in enumerate(kept) for name, reads in columns.items()
    }


def test_transformers_read_their_own_row_and_columns(home: whence.Workspace) -> None:
    full, every = home["full"].df, [0, 1, 2, 3]
    indexed = home.dataset(StringIndexer(inputCol="k", outputCol="ki").fit(full).transform(full), "indexed")
    assert not indexed.lineage.exact  # the numbers of the labels were learned from rows the query does not show
    assert "StringIndexerModel" in indexed.lineage.strategy
    assert cells(indexed) == same_row(every, ki={"k"})
    one_hot = OneHotEncoder(inputCols=["ki"], outputCols=["kv"]).fit(indexed.df)
    encoded = home.dataset(one_hot.transform(indexed.df), "encoded")
    assert cells(encoded) == same_row(every, ki={"k"}, kv={"k"})
    assembled = home.dataset(VectorAssembler(inputCols=["x", "n", "kv"], outputCol="v").transform(encoded.df), "v")
    scaled = StandardScaler(inputCol="v", outputCol="z", withMean=True).fit(assembled.df)
    last = home.dataset(scaled.transform(assembled.df), "z")
    assert cells(last) == same_row(every, ki={"k"}, kv={"k"}, v={"x", "n", "k"}, z={"x", "n", "k"})
    operations = whence.Pipeline.from_dataset(last).operations
    assert [each.columns_out for each in operations][1:] == [("ki",), ("kv",), ("v",), ("z",)]
    assert operations[-1].description == "Made z@1: z from v"
    bucket = Bucketizer(splits=[-1.0, 2.0, 99.0], inputCol="x", outputCol="b")
    assert cells(home.dataset(bucket.transform(full), "b")) == same_row(every, b={"x"})
    filled = Imputer(inputCols=["x"], outputCols=["x"]).fit(home["t"].df)
    assert cells(home.dataset(filled.transform(home["t"].df), "filled")) == same_row(every)


def test_vectors_are_stored_and_come_back_as_vectors(home: whence.Workspace) -> None:
    full = home["full"].df
    words = Tokenizer(inputCol="s", outputCol="w").transform(full)
    counted = HashingTF(inputCol="w", outputCol="f", numFeatures=16).transform(words)
    kept = home.dataset(counted, "counted")
    assert [field.type for field in kept.record.schema][-2:] == ["array<string>", "vector"]
    assert [row.f for row in kept.df.collect()] == [row.f for row in counted.collect()]
    assert cells(kept) == same_row([0, 1, 2, 3], w={"s"}, f={"s"})
    again = home.sql("select k, f from counted where x > 0", name="again")
    assert again.df.schema["f"].dataType.simpleString() == "vector"
    scaled = MinMaxScaler(inputCol="f", outputCol="g").fit(again.df).transform(again.df)
    assert home.dataset(scaled, "g").lineage.backward([1], to="t").ids.tolist() == [2]
    assert home["g"].df.count() == 3


def test_a_skipped_row_is_gone_and_a_fitted_pipeline_is_one_step(home: whence.Workspace) -> None:
    full = home["full"].df
    skipping = StringIndexer(inputCol="k", outputCol="ki", handleInvalid="skip").fit(full.where("k <> 'b'"))
    skipped = home.dataset(skipping.transform(full), "skipped")
    assert cells(skipped) == same_row([0, 2, 3], ki={"k"})
    q = whence.Pipeline.from_dataset(skipped, since="full").provenance
    assert q.record_invalidation(1) is q.transformations()[0]
    stages: list[Estimator[Any] | Transformer] = [
        StringIndexer(inputCol="k", outputCol="label"),
        VectorAssembler(inputCols=["x", "n"], outputCol="v"),
        LogisticRegression(featuresCol="v", labelCol="label", maxIter=2),
    ]
    predicted = home.dataset(SparkPipeline(stages=stages).fit(full).transform(full), "predicted")
    seen = {"x", "n"}
    assert cells(predicted) == same_row(
        [0, 1, 2, 3], label={"k"}, v=seen, rawPrediction=seen, probability=seen, prediction=seen
    )


def test_pandas_on_spark_is_followed_row_by_row(home: whence.Workspace) -> None:
    import pyspark.pandas as ps

    base: Any = home["t"].df.pandas_api()
    every = [0, 1, 2, 3]
    assert cells(home.dataset(base.fillna({"x": 0.0}), "p_filled")) == same_row(every)
    dropped = home.dataset(base.dropna(subset=["x"]).drop(columns=["s"]), "p_dropped")
    assert cells(dropped) == {key: value for key, value in same_row([0, 2, 3]).items() if key[1] != "s"}
    added = home.dataset(base.assign(y=base.x + base.n, w=base.s.apply(len)), "p_added")
    assert cells(added) == same_row(every, y={"x", "n"}, w={"s"})
    dummies = home.dataset(ps.get_dummies(base[["k", "x"]], columns=["k"]), "p_dummies")
    wanted = same_row(every, k_a={"k"}, k_b={"k"}, k_c={"k"})
    assert cells(dummies) == {key: value for key, value in wanted.items() if key[1] in dummies.columns}
    home.create("names", [("b", "Bob"), ("a", "Ada")], schema="k string, name string")
    merged = home.dataset(base.merge(home["names"].df.pandas_api(), on="k", how="left"), "p_merged")
    found = {
        (merged.lineage.backward([row], to="t").ids.tolist()[0], name)
        for row, name in enumerate(merged.to_arrow()["name"].to_pylist())
    }
    assert found == {(0, "Ada"), (1, "Bob"), (2, "Ada"), (3, None)}
    totals = home.dataset(base.groupby("k").agg({"n": "sum"}).reset_index(), "p_totals")
    rows = {
        k: totals.lineage.backward([row], to="t").ids.tolist()
        for row, k in enumerate(totals.to_arrow()["k"].to_pylist())
    }
    assert rows == {"a": [0, 2], "b": [1], "c": [3]}


def test_functions_of_rows_are_observed_and_other_frames_are_refused(home: whence.Workspace) -> None:
    base: Any = home["t"].df.pandas_api()

    def double(row: Any) -> float:  # noqa: ANN401
        return 2.0 * float(row["n"] or 0)

    applied = home.dataset(base[["x", "n"]].apply(double, axis=1).to_frame(), "p_apply")
    assert applied.lineage.exact
    assert "was observed" in applied.lineage.strategy
    assert [applied.lineage.backward([row], to="t").ids.tolist() for row in range(4)] == [[0], [1], [2], [3]]
    with pytest.raises(BadInput, match="not from dict"):
        home.dataset({"x": [1]}, "wrong")  # type: ignore[arg-type]


def test_vectors_outlive_the_session(tmp_path: Path, spark_home: whence.Workspace) -> None:
    assert spark_home.spark is not None
    with whence.open(tmp_path / "w.whence") as ws:
        data = ws.create("t", [(1.0, 2.0), (3.0, None)], schema="x double, y double")
        made = VectorAssembler(inputCols=["x", "y"], outputCol="v", handleInvalid="keep").transform(data.df)
        ws.dataset(made, "v")
    with whence.open(tmp_path / "w.whence") as ws:
        assert [row.v[0] for row in ws["v"].df.collect()] == [1.0, 3.0]
        assert cells_of_v(ws) == [[(0, "x"), (0, "y")], [(1, "x"), (1, "y")]]


def cells_of_v(ws: whence.Workspace) -> list[list[tuple[int, str]]]:
    q = whence.Pipeline.from_dataset(ws["v"]).provenance
    return [sorted((ref.row, ref.column) for ref in q.why(row, "v")) for row in range(2)]


def test_steps_of_a_pipeline_over_vectors(home: whence.Workspace) -> None:
    full = home["full"].df
    home.dataset(VectorAssembler(inputCols=["x", "n"], outputCol="v").transform(full), "assembled")
    p = whence.Pipeline(home["assembled"], name="over_vectors").derive({"twice": "2 * n"}).filter("n > 0 and k != 'c'")
    assert [row["twice"] for row in p.result.to_arrow().to_pylist()] == [10, 14]
    first = p.result.df.first()
    assert first is not None
    assert first["v"].toArray().tolist() == [1.0, 5.0]
    assert {(ref.row, ref.column) for ref in p.provenance.why(1, "twice")} == {(1, "n")}
