"""Every kind of check: one line each."""

from __future__ import annotations

from whence.checks.kind import CheckKind
from whence.checks.kinds.between import BetweenCheck
from whence.checks.kinds.columns import ColumnsCheck
from whence.checks.kinds.count import CountCheck
from whence.checks.kinds.dependency import DependencyCheck
from whence.checks.kinds.fresh import FreshCheck
from whence.checks.kinds.key import KeyCheck
from whence.checks.kinds.matches import MatchesCheck
from whence.checks.kinds.not_null import NotNullCheck
from whence.checks.kinds.one_of import OneOfCheck
from whence.checks.kinds.reference import ReferenceCheck
from whence.checks.kinds.row import RowCheck
from whence.checks.kinds.shift import ShiftCheck
from whence.checks.kinds.type import TypeCheck

CHECK_KINDS: dict[str, CheckKind] = {
    each.name: each
    for each in (
        RowCheck(),
        KeyCheck(),
        DependencyCheck(),
        ReferenceCheck(),
        BetweenCheck(),
        OneOfCheck(),
        NotNullCheck(),
        MatchesCheck(),
        FreshCheck(),
        CountCheck(),
        ShiftCheck(),
        ColumnsCheck(),
        TypeCheck(),
    )
}
