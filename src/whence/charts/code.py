"""A chart as code to copy: its query in SQL, and the lines that make it with Altair."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pprint import pformat

from whence.charts.as_altair import Json, write_altair
from whence.charts.as_vegalite import to_vegalite
from whence.charts.compile import compile_spec
from whence.charts.run import Drawn
from whence.charts.spec import Spec
from whence.charts.written_sql import write_sql
from whence.model.schema import Schema


def sql_of(drawn: Drawn) -> str:
    """Return the query that computes the marks."""
    return write_sql(drawn.compiled.sql, drawn.source)


def altair_of(spec: Spec, drawn: Drawn, dataset: str, schema: Schema, folder: str, vega: Callable[[], Json]) -> str:
    """Return Altair code: over the rows where Vega-Lite computes the same marks from them, else over the marks."""
    opened = f"import altair as alt\nimport whence\n\nws = whence.open({json.dumps(folder)})\n"
    made = None if drawn.source.has_samples or drawn.source.stages else _over_rows(spec, drawn)
    if made is not None:
        rows = _variable(dataset)
        frame = f"{rows} = ws[{json.dumps(dataset)}].to_pandas(){_columns(spec, schema)}"
        return f"{opened}{frame}\n\nchart = {write_altair(made, rows)}\n"
    written = pformat(dict(spec.json), width=100, sort_dicts=False, compact=True)
    code = write_altair(vega(), "")
    note = "# Vega-Lite cannot compute these marks from the rows, so whence does.\n"
    drawing = f"drawn = ws[{json.dumps(dataset)}].chart({written}, keep=False).vega\n"
    return (
        f'{opened}{note}{drawing}\nchart = {code}.properties(datasets=drawn["datasets"]).configure(**drawn["config"])\n'
    )


def _columns(spec: Spec, schema: Schema) -> str:
    """Return the code that keeps the columns of the chart only, in types that JSON has."""
    channels = [each for layer in spec.layers for each in layer.aes.values()]
    channels += [side.channel for side in spec.facet.sides.values() if side.channel is not None]
    names = list(dict.fromkeys(each.column for each in channels if each.column is not None))
    fields = [schema.fields[place] for name in names if (place := schema.position(name)) is not None]
    other = {each.name: "datetime64[ns]" for each in fields if each.type == "date"}
    other |= {each.name: "float" for each in fields if each.type.startswith("decimal")}
    chosen = json.dumps([each.name for each in fields], ensure_ascii=False)
    return f"[{chosen}]" + (f".astype({json.dumps(other, ensure_ascii=False)})" if other else "")


def _over_rows(spec: Spec, drawn: Drawn) -> Json | None:
    return to_vegalite(spec, drawn.compiled, lambda read: compile_spec(read, drawn.source))


def _variable(name: str) -> str:
    """Return a name that Python accepts.

    >>> _variable("sales 2024"), _variable("2024")
    ('sales_2024', 'rows_2024')
    """
    made = re.sub(r"\W+", "_", name, flags=re.ASCII).strip("_").lower()
    return made if re.match(r"[a-z]", made) and made not in ("alt", "ws", "whence", "chart") else f"rows_{made}"
