"""Explains why a pipeline cannot tell what happened to its rows: a setting or an error kept lineage unstored."""

from __future__ import annotations

from collections.abc import Iterable

from whence.lineage.document import LineageDocument
from whence.lineage.edges import Edges
from whence.lineage.strategy import FAILURE, describe_pruned, reason_for_off
from whence.model.dataset import DatasetRecord
from whence.model.errors import UserError
from whence.pipeline.segment import Segment

_SETTING_HINT = "Call ws.capture.resume(), limit() or only() to lift it, and run the pipeline again."
_REPORT_HINT = "`whence doctor --reports` lists the report of the error."


def check_lineage(edges: Edges, segments: Iterable[Segment]) -> None:
    """Raise a UserError that names the setting, or the error, if the lineage of some version was not stored."""
    reason = missing_lineage(edges, segments)
    if reason is not None:
        raise UserError(reason, _REPORT_HINT if FAILURE in reason else _SETTING_HINT)


def missing_lineage(edges: Edges, segments: Iterable[Segment]) -> str | None:
    """Return why the lineage of some version was not stored, in one sentence; None if all of it was."""
    versions = (segment.out for segment in segments if segment.out is not None)
    reasons = ((version, _reason(edges, version)) for version in versions)
    return next((f"The provenance of {each.label} was not stored: {why}" for each, why in reasons if why), None)


def _reason(edges: Edges, version: DatasetRecord) -> str | None:
    document = edges.document(version)
    if document is None:
        return None
    off = reason_for_off(document.strategy)
    if off is not None:
        return f"{off}."
    names = sorted({edges.record(document.sources[number]).name for number in _untraced(version, document)})
    return describe_pruned(names) if names else None


def _untraced(version: DatasetRecord, document: LineageDocument) -> frozenset[int]:
    """Return the sources that a setting left out; for a version no pipeline made, only the first source counts."""
    return document.pruned_sources if version.origin == "pipeline" else document.pruned_sources & {0}
