"""The route that describes the grammar of charts to the page."""

from __future__ import annotations

from dataclasses import asdict

from whence.server.access import access
from whence.server.routers import new_router
from whence.wire.chart_grammar import ChartGrammar

router = new_router()


@router.get("/api/chart-grammar")
@access("session")
def read_chart_grammar() -> ChartGrammar:
    """Return the channels, geoms, stats, positions and scales of charts, with the options of each."""
    from whence.charts.vocabulary import describe_grammar  # the contract must not need Spark's libraries

    return ChartGrammar.model_validate(asdict(describe_grammar()))
