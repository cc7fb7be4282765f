"""Facets of whence's own: what no facet of OpenLineage says. Their JSON schemas are `schemas/*.json`."""

from __future__ import annotations

import attr
from openlineage.client.facet_v2 import DatasetFacet, RunFacet

PRODUCER = "https://whence.dev"
ROW_LINEAGE = "whence_rowLineage"
DOUBTS = "whence_doubts"
PARAMETERS = "whence_parameters"
SPARK_PROPERTIES = "spark_properties"
"""The name under which OpenLineage's own integration of Spark tells settings. It has no schema beyond a facet's."""


@attr.define
class RowLineageEdge:
    """How much of one edge, from an input to the output, row lineage has verified."""

    namespace: str
    name: str
    version: str
    precision: str
    """`exact`: counted from stored row lineage. `coarse`, `pending`, `limited` and `uncounted` verify nothing."""
    inputRows: int  # noqa: N815
    """How many rows the input has."""
    outputRows: int  # noqa: N815
    """How many rows the output has."""
    verifiedInputRows: int | None = None  # noqa: N815
    """How many rows of the input are behind some row of the output."""
    verifiedOutputRows: int | None = None  # noqa: N815
    """How many rows of the output were made from some row of the input."""
    derivations: int | None = None
    """How many pairs of an output row and an input row there are."""


@attr.define
class RowLineageColumn:
    """How many rows of the output back one edge from an input column to an output column."""

    column: str
    namespace: str
    name: str
    version: str
    field: str
    verifiedRows: int  # noqa: N815


@attr.define
class RowLineageFacet(DatasetFacet):
    """The evidence for the edges of a dataset."""

    edges: list[RowLineageEdge]
    columns: list[RowLineageColumn]

    @staticmethod
    def _get_schema() -> str:
        return f"{PRODUCER}/openlineage/1-0-0/RowLineageFacet.json"


@attr.define
class DoubtsFacet(DatasetFacet):
    """How much of a dataset is in doubt when it is made."""

    rows: int
    """How many rows might not belong to the dataset."""
    cells: int
    """How many values are in doubt."""
    columns: dict[str, int]
    """How many values of each column are in doubt; columns without any are left out."""
    absentRows: bool  # noqa: N815
    """Whether rows that are absent might belong to the dataset."""
    caveats: int
    """How many caveats the dataset itself states."""

    @staticmethod
    def _get_schema() -> str:
        return f"{PRODUCER}/openlineage/1-0-0/DoubtsFacet.json"


@attr.define
class ParametersFacet(RunFacet):
    """The values of parameters with which cells of a notebook ran."""

    parameters: dict[str, object]

    @staticmethod
    def _get_schema() -> str:
        return f"{PRODUCER}/openlineage/1-0-0/ParametersFacet.json"


@attr.define
class SparkPropertiesFacet(RunFacet):
    """The settings of the Spark that made a dataset."""

    properties: dict[str, str]
