from __future__ import annotations

from typing import Any

import pytest

from tests.charts.gallery import FIGURE_6_2, GALLERY
from whence.charts.errors import BadChart
from whence.charts.geoms.registry import GEOMS
from whence.charts.grammar import aes, facet, geom, layer, scale, stat
from whence.charts.parse import parse
from whence.charts.positions.registry import POSITIONS
from whence.charts.scales.registry import SCALES
from whence.charts.stats.registry import STATS


def test_clauses_add_up_to_the_json() -> None:
    made = (
        aes(x="day", y="amount")
        + layer(stat("sort", on="x") + stat("cumulative"), geom("line"))
        + layer(stat("bin", bins="VAR1"), geom("rect"))
        + facet(x="h", y={"param": "VAR1", "values": [10, 20]})
    )
    assert made.json == FIGURE_6_2
    assert (scale("y", "log") + scale("x", reverse=True)).json == {
        "scale": {"y": {"type": "log"}, "x": {"reverse": True}}
    }


def test_parameter_facet_copies_the_layers_that_use_it_for_each_value() -> None:
    spec = parse(FIGURE_6_2)
    bins = [(layer.panel, [call.given for call in layer.stats or ()]) for layer in spec.layers if layer.number == 1]
    assert bins == [({"facet_y": 10}, [{"bins": 10}]), ({"facet_y": 20}, [{"bins": 20}])]


def test_a_parameter_may_stand_for_an_operator_and_be_written_as_in_the_paper() -> None:
    spec = parse({"aes": {"x": "a", "y": "b"}, "stat": "F", "facet": {"x": {"type": "F", "vals": ["mean", "median"]}}})
    assert [layer.stats[0].given for layer in spec.layers if layer.stats] == [{"fun": "mean"}, {"fun": "median"}]


@pytest.mark.parametrize(
    ("spec", "said"),
    [
        ({"aess": {}}, "at aess: there is no class aess. Did you mean aes?"),
        ({"aes": {"z": "a"}}, "at aes.z: there is no aesthetic z."),
        ({"aes": {"colr": "a"}}, "Did you mean color?"),
        ({"aes": {"x": 3}}, 'at aes.x: a column is needed, not 3. A constant is written {"value": ...}.'),
        ({"layer": [{"geom": "lien"}]}, "at layer[0].geom: there is no geom lien. Did you mean line?"),
        ({"stat": {"type": "bin", "bins": "ten"}}, "at stat.bins: bins must be a whole number, not 'ten'."),
        ({"stat": {"type": "bin", "bins": 0}}, "at stat.bins: bins must be at least 1, not 0."),
        ({"stat": ["sort", {"type": "bin", "bin": 3}]}, "at stat[1].bin: bin has no option bin. Did you mean bins?"),
        ({"stat": "averge"}, "at stat: there is no stat averge. Did you mean average?"),
        ({"pos": "stak"}, "at pos: there is no position stak. Did you mean stack?"),
        ({"scale": {"y": "logg"}}, "at scale.y: there is no scale logg. Did you mean log?"),
        ({"scale": {"text": "log"}}, "at scale.text: text has no scale."),
        ({"facet": {"wrap": "a", "x": "b"}}, "at facet: wrap stands alone, without x and y."),
        ({"facet": {"x": {"param": "P", "values": [1]}}}, "at facet: nothing in the chart uses the parameter P."),
        ({"facet": {"x": {"param": "P"}}}, 'at facet.x: a parameter is written {"param": name, "values": [...]}.'),
        ({"layer": []}, "at layer: a list of layers is needed, not []."),
        ({"geom": 3}, 'at geom: a name or {"type": name, ...} is needed, not 3.'),
        ({"width": "wide"}, "at top.width: width must be a whole number, not 'wide'."),
    ],
)
def test_what_is_wrong_is_said_with_its_place(spec: dict[str, Any], said: str) -> None:
    with pytest.raises(BadChart) as caught:
        parse({"aes": {"x": "a"}} | spec)
    assert said in str(caught.value)


def test_the_gallery_uses_every_operator() -> None:
    used = str(GALLERY) + " identity bin auto time outliers fill"  # the last ones are defaults, or come with others
    missing = [
        name
        for registry in (STATS, GEOMS, POSITIONS, SCALES)
        for name in registry
        if name not in used and name not in ("linear", "stack")
    ]
    assert missing == ["summary"]  # which the names of functions stand for
    for spec in GALLERY.values():
        parse(spec)
