"""What a SQL expression over given columns reads, and whether asking it again gives the same: no data is touched."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pyspark.sql import SparkSession

_CHANGING = (
    "Rand", "Randn", "RandStr", "Uniform", "Uuid", "Shuffle", "MonotonicallyIncreasingID", "SparkPartitionID",
    "InputFileName", "CurrentTimestamp", "CurrentDate", "Now", "LocalTimestamp", "CurrentTime", "UnixTimestamp",
    "PythonUDF", "ScalaUDF",
)  # fmt: skip


@dataclass(frozen=True)
class Reads:
    """The columns an expression reads, in their order, its type, and what is special about it."""

    columns: tuple[str, ...]
    type: str
    is_row_wise: bool
    """Its value hangs on no other row."""
    is_repeatable: bool
    """The same row gives the same value at any time."""


def expression_reads(session: SparkSession, schema: Sequence[tuple[str, str]], expression: str) -> Reads:
    """What an expression reads where columns of these names and types are."""
    ddl = ", ".join(f"`{name.replace('`', '``')}` {kind}" for name, kind in schema)
    frame = session.createDataFrame([], ddl).selectExpr(f"({expression}) as value")
    nodes: list[Mapping[str, Any]] = json.loads(frame._jdf.queryExecution().analyzed().toJSON())
    kinds = [str(node["class"]).rsplit(".", 1)[-1] for node in nodes]
    is_plain = kinds[0] == "Project" and len(kinds) == 2
    inside = [each for node in nodes[:-1] for each in _expressions(node)]
    named = {str(each["name"]) for each in inside if str(each["class"]).endswith(".AttributeReference")}
    classes = {str(each["class"]).rsplit(".", 1)[-1] for each in inside}
    return Reads(
        tuple(name for name, _ in schema if name in named),
        frame.schema.fields[0].dataType.simpleString(),
        is_plain and not any("Subquery" in each for each in classes),
        not classes & set(_CHANGING),
    )


def _expressions(value: object) -> Iterator[Mapping[str, Any]]:
    """Every expression node under a plan node, whatever field it stands in."""
    if isinstance(value, dict):
        if "class" in value:
            yield value
        for each in value.values():
            yield from _expressions(each)
    elif isinstance(value, list):
        for each in value:
            yield from _expressions(each)
