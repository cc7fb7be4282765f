"""Vega-Lite inside the grammar gives the numbers that Vega itself gives; outside it is refused with the reason."""

from __future__ import annotations

import html
import re
from collections.abc import Mapping, Sequence
from typing import Any

import altair as alt
import pytest
import vl_convert

import whence
from tests.charts.gallery import SCHEMA, rows
from whence.charts.errors import BadChart
from whence.charts.parse import parse
from whence.charts.vegalite import from_vegalite, is_vegalite

INSIDE: dict[str, dict[str, Any]] = {
    "counts": {"mark": "bar", "encoding": {"x": {"field": "g", "type": "nominal"}, "y": {"aggregate": "count"}}},
    "means": {
        "mark": "bar",
        "encoding": {
            "x": {"field": "g", "type": "nominal"},
            "y": {"aggregate": "mean", "field": "x", "type": "quantitative"},
        },
    },
    "bins": {
        "mark": "bar",
        "encoding": {"x": {"field": "y", "bin": True, "type": "quantitative"}, "y": {"aggregate": "count"}},
    },
    "wide bins": {
        "mark": "bar",
        "encoding": {
            "x": {"field": "x", "bin": {"maxbins": 25}},
            "y": {"aggregate": "sum", "field": "n", "type": "quantitative"},
        },
    },
}


def drawn_by_vega(spec: dict[str, Any], data: Sequence[Mapping[str, object]]) -> list[float]:
    """The measure of each bar, as Vega writes it for screen readers."""
    shown = {**spec, "data": {"values": data}, "config": {"numberFormat": ".12g"}}
    labels = re.findall(r'aria-label="([^"]*)"', vl_convert.vegalite_to_svg(shown, vl_version="6.1"))
    bars = [html.unescape(label) for label in labels if ";" in label]
    return sorted(float(label.rsplit(": ", 1)[1].replace("\u2212", "-").replace(",", "")) for label in bars)


def test_the_same_specification_gives_the_numbers_of_vega(ws: whence.Workspace) -> None:
    made = rows(90, seed=2)
    t = ws.create("t", made, schema=SCHEMA)
    names = [field.split()[0] for field in SCHEMA.split(", ")]
    data = [{k: v for k, v in zip(names, row, strict=True) if k != "day"} for row in made]
    for name, spec in INSIDE.items():
        chart = t.chart({"$schema": "https://vega.github.io/schema/vega-lite/v6.json", **spec})
        assert sorted(chart.marks.to_arrow().column("y").to_pylist()) == pytest.approx(drawn_by_vega(spec, data)), name


def test_altair_charts_are_read() -> None:
    spec = alt.Chart().mark_point().encode(x="x:Q", y="mean(y):Q", color="g:N").to_dict()
    assert is_vegalite(spec)
    layers = from_vegalite(spec)["layer"]
    assert isinstance(layers, list)
    (layer,) = layers
    assert layer["stat"] == [{"type": "mean", "of": "y"}]
    parse(from_vegalite(spec))
    assert not is_vegalite({"aes": {"x": "a"}, "layer": [{"geom": "bar"}]})


@pytest.mark.parametrize(
    ("spec", "said"),
    [
        ({"mark": "geoshape", "encoding": {}}, "at mark: the mark geoshape is not in the grammar."),
        ({"hconcat": [], "mark": "bar"}, "at hconcat: hconcat is not in the grammar."),
        (
            {"mark": "bar", "transform": [{"calculate": "1", "as": "a"}]},
            "at transform[0].calculate: the transform calculate",
        ),
        (
            {"mark": "bar", "transform": [{"filter": "datum.x > 1"}]},
            "at transform[0].filter: only filters on one field",
        ),
        (
            {"mark": "bar", "encoding": {"theta": {"field": "a"}}},
            "at encoding.theta: the channel theta is not in the grammar.",
        ),
        ({"mark": "bar", "encoding": {"x": {"field": "a", "bin": True}}}, "at encoding: bins without an aggregate"),
        ({"mark": "bar", "encoding": {"y": {"field": "a", "aggregate": "q9"}}}, "at encoding.y.aggregate: 'q9' is not"),
        ({"mark": "bar", "encoding": {"x": {"field": "a", "timeUnit": "day"}}}, "at encoding.x.timeUnit: the unit day"),
        (
            {"layer": [{"mark": "bar", "encoding": {"x": {"field": "a", "impute": {"value": 0}}}}]},
            "at layer[0].encoding.x.impute",
        ),
    ],
)
def test_what_is_outside_the_grammar_is_refused_with_the_reason(spec: dict[str, Any], said: str) -> None:
    with pytest.raises(BadChart) as caught:
        from_vegalite(spec)
    assert said in str(caught.value)


def test_filters_on_a_field_become_conditions() -> None:
    made: dict[str, Any] = from_vegalite(
        {
            "transform": [{"filter": {"field": "g", "oneOf": ["a", "b"]}}, {"filter": {"field": "x", "range": [0, 2]}}],
            "mark": "bar",
            "encoding": {"x": {"field": "g"}, "y": {"aggregate": "count"}},
        }
    )
    assert made["layer"][0]["data"] == {"where": "`g` in ('a', 'b') and `x` between 0 and 2"}
