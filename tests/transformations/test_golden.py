"""Every transformation, called in every way there is, gives what was recorded: rows, doubts, lineage, report.

`./dev generate --records transformations` records anew; look at the difference.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import whence
from tests.transformations.calls import CELLS, LENSES, STEPS, Call, make_tables

GOLDEN = Path(__file__).parent / "golden"
Run = Callable[[whence.Workspace, str, Call], whence.Dataset]


@pytest.fixture(scope="module")
def tables(tmp_path_factory: pytest.TempPathFactory, spark_home: whence.Workspace) -> Iterator[whence.Workspace]:
    assert spark_home.spark is not None
    with whence.open(tmp_path_factory.mktemp("golden") / "w.whence") as ws:
        make_tables(ws)
        yield ws


def as_lens(ws: whence.Workspace, name: str, call: Call) -> whence.Dataset:
    lens, table, parameters = call
    return ws.lens(lens, table, name=name, **parameters)


def as_step(ws: whence.Workspace, name: str, call: Call) -> whence.Dataset:
    method, table, parameters = call
    pipeline = whence.Pipeline(ws[table], name=name)
    made: whence.Dataset = getattr(pipeline, method)(**parameters).result
    return made


def as_cell(ws: whence.Workspace, name: str, call: Call) -> whence.Dataset:
    kind, table, parameters = call
    return ws.run_cell(kind, **{"source": table, **parameters}, name=name)


@pytest.mark.timeout(900)
@pytest.mark.parametrize(
    ("view", "run", "calls"), [("lens", as_lens, LENSES), ("step", as_step, STEPS), ("cell", as_cell, CELLS)]
)
def test_every_transformation_gives_what_was_recorded(
    tables: whence.Workspace, view: str, run: Run, calls: dict[str, Call]
) -> None:
    given = {title: described(run(tables, f"{view} {title}", call)) for title, call in calls.items()}
    found = json.loads(json.dumps(given, default=str))
    file = GOLDEN / f"{view}.json"
    if os.environ.get("WHENCE_WRITE_GOLDEN"):
        file.write_text(written(found), encoding="utf-8")
    recorded = json.loads(file.read_text(encoding="utf-8"))
    assert recorded.keys() == found.keys()
    for title in found:
        assert found[title] == recorded[title], title


def described(made: whence.Dataset) -> dict[str, object]:
    """All that a user can see of a dataset and of where it came from."""
    marks = made.caveats.marks().to_pydict()
    parents = made.parents()
    history = whence.Pipeline.from_dataset(made, since=parents[0])
    asked = history.provenance
    report = made.lens_report
    return {
        "schema": ", ".join(f"{field.name} {field.type}" for field in made.schema),
        "rows": [list(row.values()) for row in made.to_arrow().to_pylist()],
        "marks": sorted([row, name] for name, flags in marks.items() for row, flag in enumerate(flags) if flag),
        "row_set": made.caveats.row_set,
        "caveats": sorted(
            f"{each.family}: {each.message} ({each.count}, {each.column})" for each in made.caveats.list()
        ),
        "lineage": {parent.name: pairs(made, parent) for parent in parents},
        "why": {
            f"{row} {column}": sorted(
                f"{ref.dataset} {ref.row} {ref.column} {ref.role}" for ref in asked.why(row, column)
            )
            for row in range(min(2, made.count))
            for column in made.columns
        },
        "operations": [
            f"{each.kind}: {each.description} {list(each.columns_in)} -> {list(each.columns_out)}, "
            f"{each.rows_before} -> {each.rows_after} rows, {each.cells_changed} of {each.cells_touched} cells changed"
            for each in asked.transformations()
        ],
        "statistics": {
            each.name: each.value
            for step in history._chain.steps
            for template in step.plan.templates
            for each in template.statistics
        },
        "report": None
        if report is None
        else {"sentence": report.sentence, "parameters": report.parameters, "learned": report.learned},
    }


def pairs(made: whence.Dataset, parent: whence.Dataset) -> list[list[int]]:
    """(row, row of the parent) for each pair."""
    rows, sources = made.lineage.pairs(parent)
    return sorted([row, source] for row, source in zip(rows.tolist(), sources.tolist(), strict=True))


def written(found: dict[str, dict[str, object]]) -> str:
    """JSON with one fact a line, so that a difference shows what differs."""
    entries = []
    for title, facts in found.items():
        lines = ",\n".join(f"    {json.dumps(key)}: {json.dumps(value)}" for key, value in facts.items())
        entries.append(f"  {json.dumps(title)}: {{\n{lines}\n  }}")
    return "{\n" + ",\n".join(entries) + "\n}\n"
