"""Exports column lineage in OpenLineage's format: the input columns of each output column, direct or indirect."""

from __future__ import annotations

from whence.lineage.open_lineage_roles import TRANSFORMATIONS
from whence.model.cellref import ROLES, Role
from whence.model.dataset import DatasetRecord
from whence.pipeline.sources import templates_of
from whence.pipeline.trail import Trail

_SCHEMA = "https://openlineage.io/spec/facets/1-2-0/ColumnLineageDatasetFacet.json"
_PRODUCER = "https://whence.dev"

_Use = tuple[DatasetRecord, str, Role]


def column_lineage(trail: Trail, namespace: str) -> dict[str, object]:
    """Return the facet `columnLineage` of the result. Filters concern every column, so they are listed once."""
    fields = {}
    for column in trail.schema(len(trail.steps)).names:
        uses = _behind(trail, len(trail.steps), column)
        fields[column] = {"inputFields": _inputs(uses, namespace)}
    deciding: dict[_Use, None] = {}
    for step in trail.steps:
        if step.plan.row_filter is not None:
            for tested in step.plan.row_filter.tested:
                for record, name, _ in _behind(trail, step.index, tested):
                    deciding[record, name, "filtered"] = None
    return {
        "_producer": _PRODUCER,
        "_schemaURL": _SCHEMA + "#/$defs/ColumnLineageDatasetFacet",
        "fields": fields,
        "dataset": _inputs(deciding, namespace),
    }


def run_event(trail: Trail, name: str, namespace: str, run: str, time: str) -> dict[str, object]:
    """Return a COMPLETE event about the pipeline's run, with the facet on its output."""
    others = [other for step in trail.steps if step.plan.new_rows is not None for other in step.plan.new_rows.others]
    inputs = dict.fromkeys([trail.input, *others])
    return {
        "eventType": "COMPLETE",
        "eventTime": time,
        "producer": _PRODUCER,
        "schemaURL": "https://openlineage.io/spec/2-0-2/OpenLineage.json#/$defs/RunEvent",
        "run": {"runId": run},
        "job": {"namespace": namespace, "name": name},
        "inputs": [{"namespace": namespace, "name": record.label} for record in inputs],
        "outputs": [
            {
                "namespace": namespace,
                "name": trail.result.label,
                "facets": {"columnLineage": column_lineage(trail, namespace)},
            }
        ],
    }


def _behind(trail: Trail, state: int, column: str) -> dict[_Use, None]:
    """Return the input columns behind a column of a state, each with the weakest role on its path."""
    cells: dict[tuple[str, int], None] = {(column, 0): None}
    others: dict[_Use, None] = {}
    for step in reversed(trail.steps[:state]):
        before: dict[tuple[str, int], None] = {}
        for name, rank in cells:
            templates = templates_of(step, name)
            is_added = step.plan.new_rows is not None and step.plan.new_rows.adds
            # Templates of a step that adds rows describe the new rows; the rows before pass unchanged.
            if not templates or is_added:
                before[step.old_name(name), rank] = None
            for template in templates:
                for read in template.reads:
                    weaker = max(rank, ROLES.index(read.role))
                    if read.source:
                        others[trail.other(step, read.source), read.column, ROLES[weaker]] = None
                    else:
                        before[read.column, weaker] = None
                for statistic in template.statistics:
                    for learned in statistic.columns:
                        before[learned, max(rank, ROLES.index("aggregated"))] = None
        cells = before
    return {(trail.input, name, ROLES[rank]): None for name, rank in cells} | others


def _inputs(uses: dict[_Use, None], namespace: str) -> list[dict[str, object]]:
    by_column: dict[tuple[str, str], list[dict[str, object]]] = {}
    for record, name, role in sorted(uses, key=lambda each: (each[0].label, each[1], ROLES.index(each[2]))):
        kind, subtype = TRANSFORMATIONS[role]
        entry = {"type": kind, "subtype": subtype, "description": "", "masking": False}
        by_column.setdefault((record.label, name), []).append(entry)
    return [
        {"namespace": namespace, "name": label, "field": name, "transformations": entries}
        for (label, name), entries in by_column.items()
    ]
