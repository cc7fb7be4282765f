"""Finds the group-by whose lineage can be worked out after the rows of a query are there."""

from __future__ import annotations

from dataclasses import dataclass

from whence.plan.context import RewriteContext
from whence.plan.expr import alias, ref
from whence.plan.plain_keys import is_plain
from whence.plan.repeatable import always_gives_the_same, repeats
from whence.plan.rewrite import with_lineage
from whence.plan.step import GroupBy, Rid, Step, TracedStep
from whence.plan.steps.project import Project


@dataclass(frozen=True)
class Pairs:
    """A plan that gives, for each row a group-by reads, the ids it carries and the values it is grouped by."""

    plan: Step
    sources: tuple[int, ...]
    """The source of each id column; the key columns stand after them."""


@dataclass(frozen=True)
class Deferral:
    """A group-by whose lineage can be found later: only steps that pass its groups on stand above it."""

    group_step: Step
    aggregate: GroupBy
    most_groups: int | None = None
    """The limit above it, if there is one: at most so many groups come out."""

    @property
    def is_narrow(self) -> bool:
        """Whether it reads one source in one pass, without joins."""
        return all(len(step.inputs) <= 1 and step.group_by is None for step in self.aggregate.child.walk())

    @property
    def has_plain_keys(self) -> bool:
        """Some key is of a type whose values can be looked for in files."""
        return any(is_plain(key.type) for key in self.aggregate.keys)

    def without_ids(self, plan: Step, context: RewriteContext) -> TracedStep:
        """Return the plan without row ids; its row key, the group's keys, still identifies rows."""
        if plan is self.group_step:
            return self.aggregate.with_lineage((TracedStep(self.aggregate.child, ()),), context)
        (child,) = plan.inputs
        return plan.with_lineage((self.without_ids(child, context),), context)

    def pairs(self, context: RewriteContext) -> Pairs | None:
        """Return the plan of the deferred job; None if a row below the group-by carries more than single ids."""
        child = self.aggregate.with_limited_sources(with_lineage(self.aggregate.child, context), context)
        sources = tuple(each.source for each in child.carried_ids if isinstance(each, Rid))
        if not sources or len(sources) < len(child.carried_ids):
            return None
        carried = (alias(ref(each.column), context.ids.column("id", each.column.type)) for each in child.carried_ids)
        keys = (alias(key, context.ids.column("key", key.type, nullable=True)) for key in self.aggregate.keys)
        return Pairs(Project(child.step, (*carried, *keys)), sources)


def deferral(plan: Step) -> Deferral | None:
    """The group-by of a plan whose input gives the same rows whenever it is run; None if there is none."""
    top, limits = plan, list[int]()
    while top.traits.defers_below:
        limits += [] if top.row_limit is None else [top.row_limit]
        (top,) = top.inputs
    aggregate = top.deferrable
    if aggregate is None or not all(repeats(key) for key in aggregate.keys):
        return None
    most = min(limits, default=None)
    return Deferral(top, aggregate, most) if always_gives_the_same(aggregate.child) else None
