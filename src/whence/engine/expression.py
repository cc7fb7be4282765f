"""Analyses SQL expressions over a frame without running them: which columns they read, and if they are repeatable."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pyspark.sql import DataFrame
from pyspark.sql.types import StructType

from whence.engine.script import Runner
from whence.engine.type_names import type_name
from whence.engine.window_reads import Looks, window_reads
from whence.model.errors import InternalError
from whence.model.schema import Schema

# Expressions whose value may differ the next time. What a UDF does is unknown, so it counts as one.
_CHANGING_FUNCTIONS = frozenset({
    "Rand", "Randn", "RandStr", "Uniform", "Uuid", "Shuffle", "MonotonicallyIncreasingID", "SparkPartitionID",
    "InputFileName", "CurrentTimestamp", "CurrentDate", "Now", "LocalTimestamp", "CurrentTime",
    "PythonUDF", "ScalaUDF",
})  # fmt: skip


@dataclass(frozen=True)
class Reads:
    """The columns that an expression reads, in the frame's order, its type and its properties."""

    columns: tuple[str, ...]
    type: str
    is_row_wise: bool
    """Whether its value depends on no other row."""
    is_repeatable: bool
    """Whether the same row gives the same value at any time."""
    looks: Looks | None = None
    """What it reads of its own row and of other rows, if it contains one window function."""


def expression_reads(
    runner: Runner, frame: Callable[[], DataFrame], expressions: Sequence[str], schema: Schema | None = None
) -> list[Reads]:
    """Return what each expression reads from the columns of the frame, by one analysis for all of them.

    With a schema, the frame is made only if a type of the schema cannot be written in DDL.
    """
    columns = [f"({each}) as v{number}" for number, each in enumerate(expressions)]
    found = None if schema is None else runner.reads(schema, columns)
    names = None if found is None or schema is None else schema.names
    if found is None or names is None:
        found, names = runner.reads(frame(), columns), tuple(frame().columns)
    if found is None:
        raise InternalError("Spark did not say what expressions over a frame read.")
    fields = StructType.fromJson(json.loads(found["schema"])).fields
    trees = [json.loads(tree) for tree in found["trees"]]
    trees = trees[len(trees) - len(fields) :]  # an aggregate lists its groups first
    is_plain = bool(found["plain"])
    looks: list[Looks | None] = [None] * len(fields)
    if not is_plain:
        looks = window_reads(found["plan"], len(fields))
    return [
        _reads(names, tree, type_name(field.dataType), is_plain, seen)
        for tree, field, seen in zip(trees, fields, looks, strict=True)
    ]


def _reads(
    columns: Sequence[str],
    tree: Sequence[Mapping[str, Any]],
    kind: str,
    is_plain: bool,
    looks: Looks | None,
) -> Reads:
    classes = {str(node["class"]).rsplit(".", 1)[-1] for node in tree}
    # Spark gives an attribute the name it was called by, in whatever case.
    named = {str(node["name"]).lower() for node in tree if str(node["class"]).endswith(".AttributeReference")}
    named |= set() if looks is None else {look.column.lower() for look in looks.columns}
    is_own = is_plain if looks is None else not looks.is_around
    return Reads(
        tuple(name for name in columns if name.lower() in named),
        kind,
        is_own and not any("Subquery" in each for each in classes),
        not classes & _CHANGING_FUNCTIONS,
        looks,
    )
