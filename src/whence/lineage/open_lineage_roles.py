"""How OpenLineage names the roles that an input column has for an output column."""

from __future__ import annotations

from whence.model.cellref import Role

TRANSFORMATIONS: dict[Role, tuple[str, str]] = {
    "copied": ("DIRECT", "IDENTITY"),
    "computed": ("DIRECT", "TRANSFORMATION"),
    "aggregated": ("DIRECT", "AGGREGATION"),
    "grouped": ("INDIRECT", "GROUP_BY"),
    "joined": ("INDIRECT", "JOIN"),
    "filtered": ("INDIRECT", "FILTER"),
}
"""Type and subtype of the transformation, by role."""
