"""Writes the page that lists every stat, geom, position and scale with its options, from the operators themselves."""

from __future__ import annotations

from collections.abc import Mapping

from whence.charts.geoms.geom import STYLE
from whence.charts.geoms.registry import GEOMS
from whence.charts.operator import Operator
from whence.charts.positions.registry import POSITIONS
from whence.charts.scales.registry import SCALES
from whence.charts.scales.scale import STRETCHED
from whence.charts.stats.registry import STATS
from whence.model.parameter import Parameter

HEAD = """\
# The grammar of charts

Every operator and its options, written as `"bin"` or as `{"type": "bin", "bins": 10}`. How they go together:
[Charts](charts.md).
"""


SHORT = (
    "`sum`, `mean`, `min`, `max`, `median`, `quantile`, `distinct`, `stddev` and `variance` are short for a `summary`, "
    "`loess` for a `smooth`."
)


def write_page() -> str:
    """The text of docs/chart-grammar.md."""
    sections = (
        _section("Stats", STATS, SHORT, ()),
        _section("Geoms", GEOMS, f"All take {_names(STYLE)}.", STYLE),
        _section("Positions", POSITIONS, "", ()),
        _section("Scales", SCALES, f"All that stretch take {_names(STRETCHED)}.", STRETCHED),
    )
    return HEAD + "".join(sections)


def _names(options: tuple[Parameter, ...]) -> str:
    return ", ".join(f"`{option.name}`" for option in options)


def _section(title: str, registry: Mapping[str, Operator], words: str, shared: tuple[Parameter, ...]) -> str:
    lines = [f"\n## {title}\n"]
    if words:
        lines.append(f"\n{words}\n")
    lines.append(f"\n| {title[:-1]} | What it does | Options |\n|---|---|---|\n")
    for name, operator in registry.items():
        own = [_option(option) for option in operator.options if option not in shared]
        lines.append(f"| `{name}` | {operator.title} | {'; '.join(own)} |\n")
    return "".join(lines)


def _option(option: Parameter) -> str:
    default = "" if option.default in (None, "") else f" (`{option.default}`)"
    choices = f": {', '.join(f'`{each}`' for each in option.choices if each)}" if option.choices else ""
    return f"`{option.name}` {option.label}{choices}{default}"
