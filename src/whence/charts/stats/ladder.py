"""One row for each x, or for each of a thousand steps of x if there are more than can be seen."""

from __future__ import annotations

from collections.abc import Mapping

from whence.charts.edges import equal_width
from whence.charts.kinds import Kind
from whence.charts.relation import Relation
from whence.charts.training import Training, as_number, from_number

STEPS = 1_000
"""The number of steps."""
MANY_ROWS = 20_000
"""With more rows, x is taken in steps. The value at a step is still exact, only fewer are shown."""


def by_steps(given: Relation, measures: Mapping[str, str], training: Training) -> Relation:
    """Return the measures for each x or step. A step is named after its upper edge, up to which its total holds."""
    groups, kind = given.groups, given.kinds["x"]
    place, where = "x", ["x is not null"]
    notes: tuple[str, ...] = ()
    if given.is_raw and training.rows > MANY_ROWS and kind != "text":
        low, high = training.extent(given, "x") or (0.0, 1.0)
        edges = equal_width(low, high, STEPS)
        number = as_number("x", kind)
        # Rounded up, not down as in a histogram: a running total holds at the upper edge of its step.
        place = from_number(edges.low(f"ceil(({number} - {low!r}D) / {edges.step!r}D)"), kind)
        notes = (f"{training.rows:,} rows are shown at {STEPS:,} steps of x.",)
    kinds: dict[str, Kind] = {**{key: given.kinds[key] for key in groups}, "x": kind}
    kinds |= dict.fromkeys(measures, "number")
    items = {**{key: key for key in groups}, "x": place, **measures}
    made = given.derived(items, kinds, where=where, group_by=[*groups, place], order=[*groups, "x"])
    for note in notes:
        made = made.noted(note)
    return made
