"""The groups of caveats of several datasets as one list, in which a group stands once with all it reaches."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from typing import TypeVar

from whence.model.caveat import CaveatGroup

D = TypeVar("D")
ReachingGroup = tuple[CaveatGroup, list[D]]
"""A group and the datasets it reaches."""


def merge_groups(listed: Iterable[tuple[D, Iterable[CaveatGroup]]]) -> dict[str, ReachingGroup[D]]:
    """The groups of these datasets by their ids, in the order they are met."""
    merged: dict[str, ReachingGroup[D]] = {}
    for dataset, groups in listed:
        for group in groups:
            known, reached = merged.setdefault(group_id(group), (group, []))
            if dataset not in reached:
                reached.append(dataset)
            if group.count > known.count:  # nearer to where they arose, more of them are seen
                merged[group_id(group)] = (group, reached)
    return merged


def group_id(group: CaveatGroup) -> str:
    """The same for the same group each time it is listed, whichever dataset it is listed for."""
    parts = (group.dataset, group.family, group.made_by, group.column, group.acknowledged)
    return hashlib.sha256(repr(parts).encode("utf-8", "surrogatepass")).hexdigest()[:20]
