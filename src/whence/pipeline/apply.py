"""Applies one transformation to a dataset: a pipeline of one step."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from whence.derive.request import DeriveContext
from whence.lineage.edges import Edges
from whence.model.dataset import DatasetRecord, Origin
from whence.model.errors import UserError
from whence.model.parameter import near_miss
from whence.pipeline.call import operation_maker
from whence.pipeline.chain import Chain
from whence.pipeline.missing_lineage import missing_lineage
from whence.pipeline.operation import Counts
from whence.pipeline.report import text_report
from whence.pipeline.trail import Trail
from whence.transformations.transformation import Transformation
from whence.transformations.vocabulary.registry import TRANSFORMATIONS


def find_transformation(name: str) -> Transformation:
    """Return the transformation of this name; `drop rows` and `Drop-Rows` both find `drop_rows`."""
    known = name.strip().lower().replace(" ", "_").replace("-", "_")
    there = [each.name for each in TRANSFORMATIONS.values() if not each.needs_python]
    if known not in there:
        raise UserError(f"There is no lens {name}.", near_miss(known, there) or f"Lenses: {', '.join(there)}.")
    return TRANSFORMATIONS[known]


@dataclass(frozen=True)
class Caller:
    """The caller of a transformation: the name for its result, and how the caller's datasets are found."""

    context: DeriveContext
    name: str
    find_dataset: Callable[[object], DatasetRecord]
    origin: Origin = "pipeline"
    line: str = ""
    """The line of the user's program, or the notebook cell, with the call."""
    is_reusable: bool = False
    """Whether the stored result of the same step over the same version may be reused instead of a run."""


def apply_transformation(
    caller: Caller, base: DatasetRecord, transformation: Transformation, values: Mapping[str, object]
) -> Chain:
    """Run a transformation over a dataset; return the chain of one step, which holds the result and its provenance."""
    chain = Chain(caller.context, base, caller.name, caller.find_dataset, caller.origin, is_reusable=caller.is_reusable)
    make = operation_maker(0, transformation.name, values, caller.line, lambda: Counts(0, 0, 0, 0))
    chain.add(transformation, make, values)
    chain.result()
    return chain


def describe_chain(context: DeriveContext, edges: Edges, chain: Chain) -> str:
    """Return what each step did to rows and cells, or why that is not known."""
    return missing_lineage(edges, chain.segments) or text_report(
        Trail(context.store, context.engine, edges, chain.segments)
    )
