"""Each geom, stat, position and scale states every fact about itself, and what it names is there."""

from __future__ import annotations

from dataclasses import MISSING, fields

import pytest

from tests.charts.operator_names import OPERATORS, REGISTRIES
from whence.charts.geoms.geom import Geom
from whence.charts.geoms.registry import GEOMS
from whence.charts.geoms.traits import Companion, GeomTraits
from whence.charts.operator import Operator
from whence.charts.positions.registry import POSITIONS
from whence.charts.positions.traits import PositionTraits
from whence.charts.scales.registry import SCALES
from whence.charts.scales.traits import ScaleTraits
from whence.charts.spec import CHANNELS
from whence.charts.stats.registry import STATS
from whence.charts.stats.traits import StatTraits

TRAITS = {"geoms": GeomTraits, "stats": StatTraits, "positions": PositionTraits, "scales": ScaleTraits}
CASES = [(TRAITS[family], each) for family, registry in REGISTRIES.items() for each in registry.values()]


@pytest.mark.parametrize(("kind", "operator"), CASES, ids=[f"{kind.__name__}-{each.name}" for kind, each in CASES])
def test_an_operator_states_its_own_traits(kind: type, operator: Operator) -> None:
    assert isinstance(type(operator).__dict__.get("traits"), kind)


@pytest.mark.parametrize("operator", OPERATORS, ids=lambda operator: type(operator).__qualname__)
def test_an_operator_states_its_own_name_and_title(operator: Operator) -> None:
    assert {"name", "title"} <= type(operator).__dict__.keys()


@pytest.mark.parametrize("kind", [*TRAITS.values(), Companion])
def test_no_trait_has_a_default(kind: type) -> None:
    assert all(each.default is MISSING and each.default_factory is MISSING and each.kw_only for each in fields(kind))


@pytest.mark.parametrize("geom", GEOMS.values(), ids=lambda geom: geom.name)
def test_a_geom_names_what_there_is(geom: Geom) -> None:
    traits, options = geom.traits, {option.name for option in geom.options}
    assert traits.stat is None or traits.stat in STATS
    assert traits.pos in POSITIONS
    assert geom.channels <= set(CHANNELS)
    if traits.companion is not None:
        assert (traits.companion.stat in STATS, traits.companion.geom in GEOMS) == (True, True)
        assert {traits.companion.option, *traits.companion.style} <= options


def test_stats_name_the_geoms_there_are() -> None:
    assert {stat.traits.geom for stat in STATS.values()} <= {None, *GEOMS}


def test_a_geom_shows_the_aesthetics_that_it_draws_or_needs() -> None:
    assert GEOMS["point"].channels == {"x", "y", "color", "size", "shape", "opacity"}
    assert GEOMS["box"].channels == {"x", "y", "color", "opacity"}
    assert GEOMS["violin"].channels == {"x", "y", "color", "detail"}


@pytest.mark.parametrize("geom", GEOMS.values(), ids=lambda geom: geom.name)
def test_traits_of_a_geom_do_not_contradict_each_other(geom: Geom) -> None:
    traits = geom.traits
    assert traits.connects or not (traits.follows_rows or traits.needs_every_place)
    assert traits.connects or traits.when_many != "columns"


def test_traits_of_a_scale_do_not_contradict_each_other() -> None:
    assert [name for name, scale in SCALES.items() if scale.traits.lists_values and scale.traits.has_ends] == []
