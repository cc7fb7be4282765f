"""The caveats that a query raises itself (`caveat`, `caveat_if`); where it can, messages travel with result rows."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from whence.caveats.document import CaveatDocument
from whence.plan.caveat_calls import message_text
from whence.plan.column_ids import ColumnIdAllocator
from whence.plan.expr import Column, Expr, alias, null, ref
from whence.plan.sites import Site, sites
from whence.plan.step import Step
from whence.store.caveat_file import caveat_table


@dataclass(frozen=True)
class RaisedSite:
    """A site whose rows are rows of the result; `message` holds it where it was raised, else NULL."""

    number: int
    message: Column


@dataclass(frozen=True)
class CaveatSites:
    """The places of a plan that raise caveats, and the plan that carries their messages."""

    original_plan: Step
    sites: tuple[Site, ...]
    plan_with_messages: Step
    """The plan with a message column for each site whose rows stay rows up to the result."""
    raised_sites: tuple[RaisedSite, ...]
    """The sites that have a message column; the others are looked up after the run."""


def find_caveat_sites(plan: Step, ids: ColumnIdAllocator) -> CaveatSites:
    """Find the caveats of a plan, and put their messages beside the rows."""
    known = sites(plan)
    plan_with_messages, raised = _carry_messages(plan, known, ids)
    return CaveatSites(plan, known, plan_with_messages, raised)


def _carry_messages(plan: Step, known: tuple[Site, ...], ids: ColumnIdAllocator) -> tuple[Step, tuple[RaisedSite, ...]]:
    """The plan with the messages of each site whose rows stay rows up to the result, one column for each."""
    if not known:
        return plan, ()
    if plan.traits.passes_through:
        child, raised = _carry_messages(plan.inputs[0], known, ids)
        return plan.with_inputs(child), raised
    if not plan.can_carry_columns:
        return plan, ()
    child, below = _carry_messages(plan.inputs[0], known, ids)
    own = [
        (RaisedSite(number, ids.column("raised", "string", nullable=True)), site)
        for number, site in enumerate(known)
        if site.step is plan
    ]
    messages = tuple(alias(message_where_raised(site), each.message) for each, site in own)
    carried = tuple(ref(each.message) for each in below)
    return plan.with_carried_columns(child, carried, messages), (*below, *(each for each, _ in own))


def message_where_raised(site: Site) -> Expr:
    """The message where the site raises its caveat, NULL elsewhere."""
    return Expr("if", (site.condition, reason(site), null("string")), name="if")


def reason(site: Site) -> Expr:
    """The message as text that is never NULL."""
    return message_text(site.message)


def raised_caveats(caveat_sites: CaveatSites, about: CaveatDocument, ids: pa.Table) -> Iterator[pa.Table]:
    """The caveats, from the messages that stand in the last columns of what the run carried."""
    first = ids.num_columns - len(caveat_sites.raised_sites)
    for place, each in enumerate(caveat_sites.raised_sites):
        messages = ids.column(first + place)
        rows = np.flatnonzero(pc.is_valid(messages).to_numpy())
        family, column = caveat_sites.sites[each.number].caveat.name, about.column_of(each.number)
        yield caveat_table(messages.take(pa.array(rows)), family, row=rows, column=column, site=each.number)
