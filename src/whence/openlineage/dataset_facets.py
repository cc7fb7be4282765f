"""Datasets as inputs and outputs of events, with the facets that each carries."""

from __future__ import annotations

from openlineage.client.event_v2 import InputDataset, OutputDataset
from openlineage.client.facet_v2 import (
    DatasetFacet,
    InputDatasetFacet,
    dataset_version_dataset,
    output_statistics_output_dataset,
    schema_dataset,
)

from whence.lineage.edges import Edges
from whence.model.dataset import DatasetRecord
from whence.openlineage.column_lineage import column_lineage_facet
from whence.openlineage.facets import DOUBTS, PRODUCER, ROW_LINEAGE
from whence.openlineage.names import file_name
from whence.openlineage.quality import assertions_facet, doubts_facet, metrics_facet
from whence.openlineage.row_lineage import row_lineage_facet
from whence.store.forgotten import ForgottenRecord
from whence.store.store import Store


class DatasetFacets:
    """Describes the datasets of one workspace, which all lie in one namespace."""

    def __init__(self, store: Store, edges: Edges, namespace: str) -> None:
        self._store = store
        self._edges = edges
        self._namespace = namespace

    def inputs(self, record: DatasetRecord) -> list[InputDataset]:
        """Return what a dataset was made from: datasets of the workspace, or the files that it was loaded from."""
        parents = [self._store.by_id(parent) for parent in dict.fromkeys(record.parents)]
        assertions = assertions_facet(self._store, record)
        input_facets: dict[str, InputDatasetFacet] = {} if assertions is None else {"dataQualityAssertions": assertions}
        found = [
            InputDataset(self._namespace, parent.name, facets=_identity(parent), inputFacets=dict(input_facets))
            for parent in parents
            if not isinstance(parent, ForgottenRecord)
        ]
        return found + [InputDataset(*name) for name in self._files(record)]

    def output(self, record: DatasetRecord) -> OutputDataset:
        """Return a dataset that a run made, with all that is known of its lineage and its quality."""
        metrics = metrics_facet(self._store, record)
        columns = column_lineage_facet(self._edges, record, self._namespace)
        facets: dict[str, DatasetFacet] = {
            **_identity(record),
            "dataQualityMetrics": metrics,
            DOUBTS: doubts_facet(self._store, record),
            **({} if columns is None else {"columnLineage": columns}),
            **self._evidence(record),
        }
        size, files = metrics.bytes, metrics.fileCount
        written = output_statistics_output_dataset.OutputStatisticsOutputDatasetFacet(
            record.rows, size, files, producer=PRODUCER
        )
        return OutputDataset(self._namespace, record.name, facets=facets, outputFacets={"outputStatistics": written})

    def late_output(self, record: DatasetRecord) -> OutputDataset:
        """Return a dataset with the evidence that came after the event about the end of its run."""
        return OutputDataset(self._namespace, record.name, facets={**_identity(record), **self._evidence(record)})

    def _evidence(self, record: DatasetRecord) -> dict[str, DatasetFacet]:
        found = row_lineage_facet(self._edges, record, self._namespace)
        return {} if found is None else {ROW_LINEAGE: found}

    def _files(self, record: DatasetRecord) -> list[tuple[str, str]]:
        if record.origin != "load":
            return []
        linked = self._store.source_paths(record)
        if linked:
            return [("file", path) for path in linked]
        place = record.text.removeprefix("load ")
        # Of a file that was copied into the workspace only the name is known: two folders may hold one of that name.
        return [file_name(place) or (self._namespace, f"{record.name}/{place}")]


def _identity(record: DatasetRecord) -> dict[str, DatasetFacet]:
    fields = [
        schema_dataset.SchemaDatasetFacetFields(name=field.name, type=field.type, ordinal_position=place)
        for place, field in enumerate(record.schema, start=1)
    ]
    return {
        "schema": schema_dataset.SchemaDatasetFacet(fields=fields, producer=PRODUCER),
        "version": dataset_version_dataset.DatasetVersionDatasetFacet(str(record.version), producer=PRODUCER),
    }
