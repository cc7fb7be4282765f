"""Writes the page that lists every operator of a pipeline, from the operators themselves."""

from __future__ import annotations

import inspect

from whence.pipeline.operator import Operator
from whence.pipeline.operators.registry import OPERATORS
from whence.workspace.pipeline import Pipeline

HEAD = """\
# Pipeline operators

Every operator of a [pipeline](pipelines.md), what it does, and which cells a cell it writes comes from. The pattern is
that of Chapman, Missier, Simonelli and Torlone (PVLDB 14(4), 2021), section 3.2, where it has one.

| Operator | What it does | Where its cells come from | Pattern |
|---|---|---|---|
"""


def write_page() -> str:
    """The text of docs/pipeline-operators.md."""
    return HEAD + "".join(map(_row, OPERATORS.values())) + "".join(map(_section, OPERATORS.values()))


def _row(operator: Operator) -> str:
    does = " ".join((operator.__doc__ or "").split())
    return f"| [`{operator.name}`](#{operator.name}) | {does} | {operator.provenance} | {operator.core} |\n"


def _section(operator: Operator) -> str:
    method = getattr(Pipeline, operator.name)
    given = [str(each) for each in inspect.signature(method).parameters.values() if each.name != "self"]
    call = f"p.{operator.name}({', '.join(given)})".replace("'", "")
    return f"\n## {operator.name}\n\n{operator.title}.\n\n```text\n{call}\n```\n"
