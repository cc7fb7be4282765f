"""A million caveats are counted and sampled, never made into a million objects."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

import whence
from whence.model.caveat import Caveat
from whence.model.dataset import Doubt
from whence.model.schema import flag_column
from whence.store.caveat_file import SCHEMA, Caveats
from whence.store.draft import Draft
from whence.store.parts import write_table
from whence.store.types import schema_of

MANY = 1_000_000


def test_only_examples_of_a_million_caveats_become_objects(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[Caveat] = []

    def counted(*values: Any, **named: Any) -> Caveat:  # noqa: ANN401 - what a caveat is made of
        made.append(Caveat(*values, **named))
        return made[-1]

    monkeypatch.setattr("whence.store.caveat_file.Caveat", counted)
    with whence.open(tmp_path / "many.whence") as ws:
        store = ws._context.store
        rows = pa.array(range(MANY), pa.int64())
        table = pa.table({"x": rows, "m": pa.array([True] * MANY)})
        columns = {
            "row": rows, "column": pa.array(["x"] * MANY), "family": pa.array(["load"] * MANY), "line": rows,
            "message": pa.array(["does not fit"] * MANY), "text": rows.cast(pa.string()),
            "site": pa.nulls(MANY, pa.int32()),
            "low": pa.nulls(MANY, pa.string()),
            "high": pa.nulls(MANY, pa.string()),
        }  # fmt: skip
        run = store.begin("load", "t")
        parts = write_table(run.staging, table.rename_columns(["x", flag_column(0)]))
        caveats = Caveats(pa.table(columns).select(SCHEMA.names).cast(SCHEMA))
        store.publish(
            run, Draft(schema_of(table.select(["x"]).schema), parts, "", doubt=Doubt(frozenset({"x"})), caveats=caveats)
        )
        (group,) = ws["t"].caveats.list()
        assert (group.count, len(group.references), group.references[499].row) == (MANY, 500, 499)
        (one,) = ws["t"].caveats.list(row=777_777)
        assert (one.count, one.references[0].text) == (1, "777777")
        assert len(set(ws["t"].row_keys(0, 1000))) == 1000
    assert len(made) < 500
