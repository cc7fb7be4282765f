"""Suggests checks that hold for every row of a dataset now, from its profiles, keys and dependencies."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from whence.checks.check import Check
from whence.checks.checked_table import group_numbers
from whence.lineage.block import Ids
from whence.lineage.dependencies import key_candidates
from whence.model.dataset import DatasetRecord
from whence.model.schema import Field
from whence.store.profile import Profile
from whence.store.store import Store
from whence.transformations.input_table import is_number

_MOST_VALUES = 20
"""A text column with more values than this gets no list of them."""
_MOST_COLUMNS = 12
"""Dependencies are looked for among the first columns only, as every pair is compared."""
_NESTED = ("array", "map", "struct", "variant", "binary")


def suggest_checks(store: Store, record: DatasetRecord) -> list[Check]:
    """Return checks that every row passes: keys, then column by column, then dependencies between columns."""
    if not record.rows:
        return []
    flat = [column for column in record.schema if not column.type.startswith(_NESTED)]
    profiles = {column.name: store.profiles.profile(record, column.name) for column in flat}
    keys = key_candidates(store, record, 1, [column.name for column in flat])
    found = [Check("key", list(key)) for key in keys]
    in_key = {name for key in keys for name in key}
    found += [check for column in flat for check in _of_column(column, profiles[column.name], column.name in in_key)]
    rest = [name for name, profile in profiles.items() if name not in in_key and _repeats(profile)]
    return [*found, *_dependencies(store, record, rest[:_MOST_COLUMNS])]


def _of_column(column: Field, profile: Profile, is_key: bool) -> Iterator[Check]:
    if profile.nulls == 0 and not is_key:
        yield Check("not_null", column.name)
    is_ranged = is_number(column) or column.type == "date"
    if is_ranged and not profile.nans and not profile.infinite and profile.min is not None:
        yield Check("between", column.name, profile.min, profile.max)
    if column.type == "string" and _has_few_values(profile):
        yield Check("one_of", column.name, sorted(str(value) for value, _ in profile.top))


def _has_few_values(profile: Profile) -> bool:
    """Whether the profile lists every value, and values come again."""
    is_complete = profile.distinct_error == 0 and profile.top_error == 0 and len(profile.top) == profile.distinct
    return is_complete and 0 < len(profile.top) <= _MOST_VALUES and _repeats(profile)


def _repeats(profile: Profile) -> bool:
    """Whether a value comes twice on average, and there are at least two."""
    return profile.distinct is not None and 2 <= profile.distinct <= (profile.count - profile.nulls) / 2


def _dependencies(store: Store, record: DatasetRecord, names: Sequence[str]) -> Iterator[Check]:
    groups = {name: group_numbers(store.read(record, 0, record.rows, [name])) for name in names}
    for left in names:
        for right in names:
            if left != right and "," not in left + right and _determines(groups[left], groups[right]):
                yield Check("dependency", f"{left} -> {right}")


def _determines(left: Ids, right: Ids) -> bool:
    """Whether rows with the same number on the left have the same number on the right."""
    first = np.zeros(int(left.max()) + 1, dtype=np.int64)
    first[left] = right
    return bool((first[left] == right).all())
