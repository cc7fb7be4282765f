"""Where a query raises caveats of its own: their messages travel with the rows of the result they sit on."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from whence.caveats.document import CaveatDocument
from whence.plan.expr import TRUE, Column, Expr, alias, call, literal, null, ref
from whence.plan.fresh import Fresh
from whence.plan.sites import Site, sites
from whence.plan.step import Step
from whence.plan.steps.filter import Filter
from whence.plan.steps.project import Project
from whence.plan.steps.repartition import Repartition
from whence.plan.steps.sort import Sort
from whence.store.caveat_file import caveat_table

NO_REASON = "No reason was given."


@dataclass(frozen=True)
class RaisedSite:
    """A site whose rows are rows of the result; `message` holds it where it was raised, else NULL."""

    number: int
    message: Column


@dataclass(frozen=True)
class CaveatSites:
    """The places of a plan that raise caveats, and the plan with the messages of those that stay with result rows."""

    plan: Step
    sites: tuple[Site, ...]
    step: Step
    raised: tuple[RaisedSite, ...]


def find_caveat_sites(plan: Step, fresh: Fresh) -> CaveatSites:
    """Find the caveats of a plan, and put their messages beside the rows."""
    known = sites(plan)
    step, raised = _carry_messages(plan, known, fresh)
    return CaveatSites(plan, known, step, raised)


def _carry_messages(plan: Step, known: tuple[Site, ...], fresh: Fresh) -> tuple[Step, tuple[RaisedSite, ...]]:
    """The plan with the messages of each site whose rows stay rows up to the result, one column for each."""
    if not known:
        return plan, ()
    if isinstance(plan, Sort | Repartition):
        child, raised = _carry_messages(plan.child, known, fresh)
        return replace(plan, child=child), raised
    if not isinstance(plan, Project | Filter):
        return plan, ()
    if isinstance(plan, Filter) and _without_caveats(plan.condition) != TRUE:
        return plan, ()
    child, below = _carry_messages(plan.child, known, fresh)
    own = [
        (RaisedSite(number, fresh.column("raised", "string", nullable=True)), site)
        for number, site in enumerate(known)
        if site.step is plan
    ]
    messages = (alias(message_where_raised(site), each.message) for each, site in own)
    if isinstance(plan, Filter):  # it is there to doubt rows, and removes none
        beside = Project(child, (*map(ref, child.columns), *messages))
        return replace(plan, child=beside), (*below, *(each for each, _ in own))
    exprs = (*plan.exprs, *(ref(each.message) for each in below), *messages)
    return replace(plan, child=child, exprs=exprs), (*below, *(each for each, _ in own))


def _without_caveats(expr: Expr) -> Expr:
    return _without_caveats(expr.args[0]) if expr.kind == "caveat" else expr


def message_where_raised(site: Site) -> Expr:
    """The message where the site raises its caveat, NULL elsewhere."""
    return Expr("if", (site.when, reason(site), null("string")), name="if")


def reason(site: Site) -> Expr:
    """The message as text that is never NULL."""
    return Expr("coalesce", (call("string", site.message), literal(NO_REASON, "string")), name="coalesce")


def raised_caveats(caveat_sites: CaveatSites, about: CaveatDocument, ids: pa.Table) -> Iterator[pa.Table]:
    """The caveats, from the messages that stand in the last columns of what the run carried."""
    first = ids.num_columns - len(caveat_sites.raised)
    for place, each in enumerate(caveat_sites.raised):
        messages = ids.column(first + place)
        rows = np.flatnonzero(pc.is_valid(messages).to_numpy())
        family, column = caveat_sites.sites[each.number].caveat.name, about.column_of(each.number)
        yield caveat_table(messages.take(pa.array(rows)), family, row=rows, column=column, site=each.number)
