"""Caveats that a query raises itself: their messages travel with the rows of the result they sit on."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from whence.caveats.document import CaveatDocument
from whence.plan.column_ids import ColumnIdAllocator
from whence.plan.expr import Column, Expr, alias, call, literal, null, ref
from whence.plan.sites import Site, sites
from whence.plan.step import Step
from whence.store.caveat_file import caveat_table

NO_REASON = "No reason was given."


@dataclass(frozen=True)
class Raised:
    """A site whose rows are rows of the result; `said` holds the message where it was raised, else NULL."""

    number: int
    said: Column


@dataclass(frozen=True)
class Noted:
    """A plan, the caveats it raises, and the same plan with the messages of those that stay with rows of the result."""

    plan: Step
    sites: tuple[Site, ...]
    step: Step
    raised: tuple[Raised, ...]


def note(plan: Step, ids: ColumnIdAllocator) -> Noted:
    """Find the caveats of a plan, and put their messages beside the rows."""
    known = sites(plan)
    step, raised = _noting(plan, known, ids)
    return Noted(plan, known, step, raised)


def _noting(plan: Step, known: tuple[Site, ...], ids: ColumnIdAllocator) -> tuple[Step, tuple[Raised, ...]]:
    """The plan with the messages of each site whose rows stay rows up to the result, one column for each."""
    if not known:
        return plan, ()
    if plan.traits.passes_through:
        child, raised = _noting(plan.inputs[0], known, ids)
        return plan.with_inputs(child), raised
    if not plan.takes_columns_along:
        return plan, ()
    child, below = _noting(plan.inputs[0], known, ids)
    own = [
        (Raised(number, ids.column("raised", "string", nullable=True)), site)
        for number, site in enumerate(known)
        if site.step is plan
    ]
    said = tuple(alias(said_where(site), each.said) for each, site in own)
    carried = tuple(ref(each.said) for each in below)
    return plan.taking_along(child, carried, said), (*below, *(each for each, _ in own))


def said_where(site: Site) -> Expr:
    """The message where the site raises its caveat, NULL elsewhere."""
    return Expr("if", (site.when, reason(site), null("string")), name="if")


def reason(site: Site) -> Expr:
    """The message as text that is never NULL."""
    return Expr("coalesce", (call("string", site.message), literal(NO_REASON, "string")), name="coalesce")


def raised_caveats(noted: Noted, about: CaveatDocument, ids: pa.Table) -> Iterator[pa.Table]:
    """The caveats, from the messages that stand in the last columns of what the run carried."""
    first = ids.num_columns - len(noted.raised)
    for place, each in enumerate(noted.raised):
        said = ids.column(first + place)
        rows = np.flatnonzero(pc.is_valid(said).to_numpy())
        family, column = noted.sites[each.number].caveat.name, about.column_of(each.number)
        yield caveat_table(said.take(pa.array(rows)), family, row=rows, column=column, site=each.number)
