"""The context of a rewrite is made once, with everything in it, and no rule changes it."""

from __future__ import annotations

from dataclasses import MISSING, FrozenInstanceError, fields

import pytest

from whence.plan.column_ids import ColumnIdAllocator
from whence.plan.context import RewriteContext
from whence.plan.limits import Limits


@pytest.mark.parametrize("field", [each.name for each in fields(RewriteContext)])
def test_no_rule_can_change_the_context(field: str) -> None:
    context = RewriteContext(
        ids=ColumnIdAllocator(),
        limits=Limits(1),
        traced_sources=None,
        shown_readings=frozenset(),
        puts_groups_aside=False,
    )
    with pytest.raises(FrozenInstanceError):
        setattr(context, field, None)


def test_a_context_is_made_with_all_its_fields() -> None:
    assert all(each.default is MISSING and each.default_factory is MISSING for each in fields(RewriteContext))
