"""Gives the ends of ranges the types of their columns, without making any range smaller."""

from __future__ import annotations

from pyspark.sql import DataFrame
from pyspark.sql import functions as F  # noqa: N812 - the name every PySpark user knows

from whence.engine.worker.write_parts import OutputLayout
from whence.model.schema import Schema
from whence.plan.sql_text import quoted

_WHOLE = ("tinyint", "smallint", "int", "bigint")
_FLOATING = ("float", "double")
_TIMES = ("timestamp", "timestamp_ntz")


def fit_ranges(frame: DataFrame, layout: OutputLayout, schema: Schema) -> DataFrame:
    """Return the frame with ends of their columns' types. An end that its column cannot hold becomes NULL."""
    fields = frame.schema.fields if layout.range_positions else []
    changed: dict[int, str] = {}
    for number, place in enumerate(layout.range_places):
        position, part = layout.range_positions[number // 3], number % 3
        given, wanted = fields[place].dataType.simpleString(), schema.fields[position].type
        if part < 2 and given != wanted:
            changed[place] = _fitted(quoted(fields[place].name), given, wanted, is_low=part == 0)
    if not changed:
        return frame
    names = [quoted(field.name) for field in fields]
    return frame.select(
        [F.expr(changed.get(place, name)).alias(fields[place].name) for place, name in enumerate(names)]
    )


def _fitted(end: str, given: str, wanted: str, *, is_low: bool) -> str:
    """Write the end as a value of the wanted type that lies no further inside.

    >>> _fitted("x", "decimal(10,2)", "bigint", is_low=True)
    'try_cast(floor(x) as bigint)'
    """
    numbers = (*_WHOLE, *_FLOATING)
    cast = f"try_cast({end} as {wanted})"
    if not (given in numbers or given.startswith("decimal")):
        return cast if given == "date" and wanted in _TIMES else f"cast(null as {wanted})"
    known = f"if(isnan({end}), null, {end})" if given in _FLOATING else end
    if wanted in _WHOLE:
        whole = known if given in _WHOLE else f"{'floor' if is_low else 'ceil'}({known})"
        return f"try_cast({whole} as {wanted})"
    if wanted == "double":
        return cast
    if wanted == "float" or wanted.startswith("decimal"):
        return f"case when {cast} {'<=' if is_low else '>='} {known} then {cast} end"
    return f"cast(null as {wanted})"
