"""Exports of a pipeline's provenance for other tools: W3C PROV and OpenLineage."""
