"""The grammar as forms are told it."""

from __future__ import annotations

import pytest

from tests.charts.operator_names import REGISTRIES
from whence.charts.errors import BadChart
from whence.charts.options import check_option
from whence.charts.parse import parse
from whence.charts.vocabulary import OperatorDescription, describe_grammar
from whence.model.parameter import Parameter


def test_every_operator_is_described_with_its_options() -> None:
    grammar = describe_grammar()
    for family, registry in REGISTRIES.items():
        described: dict[str, OperatorDescription] = {each.name: each for each in getattr(grammar, family)}
        assert list(described)[: len(registry)] == list(registry)
        assert {name: described[name].options for name in registry} == {
            name: operator.options for name, operator in registry.items()
        }


def test_a_geom_says_what_it_shows_and_what_it_cannot_do_without() -> None:
    bar = next(each for each in describe_grammar().geoms if each.name == "bar")
    assert (bar.needs, bar.channels) == ((("x", "y"),), ("x", "x2", "y", "y2", "color", "opacity", "detail"))


def test_a_function_is_a_stat_with_the_options_that_it_leaves_open() -> None:
    mean = next(each for each in describe_grammar().stats if each.name == "mean")
    assert (mean.title, mean.aliases) == ("mean of the values at the same place", ("avg", "average"))
    assert [option.name for option in mean.options] == ["of", "q"]


def test_the_grammar_can_be_used_by_every_name_it_gives() -> None:
    grammar = describe_grammar()
    for key, family in (("geom", grammar.geoms), ("stat", grammar.stats), ("pos", grammar.positions)):
        for each in family:
            for name in (each.name, *each.aliases):
                assert parse({key: name}).json == {key: name}
    for channel in grammar.channels:
        assert parse({"aes": {channel.name: "a"}}).layers[0].aes.keys() == {channel.name}
        if channel.is_scaled:
            assert parse({"scale": {channel.name: "linear"}}).scales.keys() == {channel.name}


def test_an_option_that_is_required_is_asked_for() -> None:
    option = Parameter("bins", "whole", "how many bins", is_required=True)
    with pytest.raises(BadChart, match=r"at stat.bins: bins is needed. It is how many bins."):
        check_option(option, None, "stat.bins")
