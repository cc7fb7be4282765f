"""The facet `columnLineage` of a dataset, read off the column map of its query."""

from __future__ import annotations

from collections.abc import Iterable

from openlineage.client.facet_v2 import column_lineage_dataset

from whence.lineage.edges import Edges
from whence.lineage.open_lineage_roles import TRANSFORMATIONS
from whence.model.cellref import ROLES, Role
from whence.model.dataset import DatasetRecord
from whence.openlineage.facets import PRODUCER
from whence.plan.columnmap import Use
from whence.store.forgotten import ForgottenRecord


def column_lineage_facet(
    edges: Edges, record: DatasetRecord, namespace: str
) -> column_lineage_dataset.ColumnLineageDatasetFacet | None:
    """Return the input columns of each column, and those that decide which rows there are; None if none is known."""
    document = edges.document(record)
    if document is None or not document.sources or not document.is_exact:
        return None
    sources = [edges.record(source) for source in document.sources]
    fields = {
        name: column_lineage_dataset.Fields(inputFields=_inputs(uses, sources, namespace))
        for name, uses in document.values.items()
    }
    return column_lineage_dataset.ColumnLineageDatasetFacet(
        fields=fields, dataset=_inputs(document.row, sources, namespace), producer=PRODUCER
    )


def _inputs(
    uses: Iterable[Use], sources: list[DatasetRecord], namespace: str
) -> list[column_lineage_dataset.InputField]:
    roles: dict[tuple[str, str], set[Role]] = {}
    for use in uses:
        source = sources[use.source]
        if not isinstance(source, ForgottenRecord):
            roles.setdefault((source.name, use.column), set()).add(use.role)
    return [
        column_lineage_dataset.InputField(
            namespace=namespace,
            name=name,
            field=column,
            transformations=[_transformation(role) for role in sorted(found, key=ROLES.index)],
        )
        for (name, column), found in sorted(roles.items())
    ]


def _transformation(role: Role) -> column_lineage_dataset.Transformation:
    kind, subtype = TRANSFORMATIONS[role]
    return column_lineage_dataset.Transformation(type=kind, subtype=subtype, description="", masking=False)
