"""What forgetting rows reaches: the rows of each version, and every version that was made from them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from whence.model.dataset import DatasetRecord
from whence.model.errors import NotSupported, UserError
from whence.model.ids import DatasetId
from whence.model.plural import counted
from whence.store.cut_rows import new_rids
from whence.store.replace import refuse_while_busy
from whence.workspace.context import Context
from whence.workspace.forgetting.find_rows import find_rows
from whence.workspace.forgetting.matching import MatchingRows
from whence.workspace.forgetting.out_of_reach import out_of_reach
from whence.workspace.forgetting.remains import distinctive_values
from whence.workspace.forgetting.remake import why_not_again
from whence.workspace.forgetting.remake_sheet import Going
from whence.workspace.references import names_version

MADE_FROM_DELETED = "it was made from a version that is deleted"


@dataclass(frozen=True)
class ForgettingPlan:
    """What forgetting rows would do. Nothing has happened yet."""

    dataset: str
    matching: tuple[MatchingRows, ...] = field(repr=False)
    made_again: tuple[DatasetRecord, ...] = field(repr=False)
    deleted: tuple[tuple[DatasetRecord, str], ...] = field(repr=False)
    scratch: tuple[DatasetRecord, ...] = field(repr=False)
    out_of_reach: tuple[str, ...] = field(repr=False)
    values: frozenset[str] = field(repr=False)
    """Texts that only the rows that go hold."""

    @property
    def rows(self) -> dict[str, int]:
        """How many rows go, by version."""
        return {each.record.label: len(each.rows) for each in self.matching}

    @property
    def versions(self) -> list[DatasetRecord]:
        """Every version that is replaced or deleted."""
        deleted = (record for record, _ in self.deleted)
        return [*(each.record for each in self.matching), *self.made_again, *deleted, *self.scratch]

    def with_deleted(self, failed: Sequence[tuple[DatasetRecord, str]]) -> ForgettingPlan:
        """Return the plan that deletes some of the versions that were to be made again."""
        gone = {record.id for record, _ in failed}
        made_again = tuple(record for record in self.made_again if record.id not in gone)
        return replace(self, made_again=made_again, deleted=(*self.deleted, *failed))

    def to_json(self) -> dict[str, object]:
        """Return the plan as JSON data."""
        return {
            "dataset": self.dataset,
            "rows": self.rows,
            "made_again": [record.label for record in self.made_again],
            "deleted": {record.label: why for record, why in self.deleted},
            "out_of_reach": list(self.out_of_reach),
        }

    def __str__(self) -> str:
        lines = [f"{counted(count, 'row')} of {label}" for label, count in self.rows.items()]
        lines += [f"made again: {record.label}" for record in self.made_again]
        lines += [f"deleted: {record.label}, because {why}" for record, why in self.deleted]
        lines += [f"out of reach: {sentence}" for sentence in self.out_of_reach]
        return "\n".join(lines)


def plan_forgetting(context: Context, name: str, where: str) -> ForgettingPlan:
    """Return what forgetting the rows of a name for which a SQL condition holds would do."""
    _refuse(context, name)
    versions = context.store.versions(name)
    matching = tuple(_matching_rows(context, versions, where))
    reached = context.store.forgetting.made_from([each.record.id for each in matching])
    _refuse_rows_from_elsewhere(context, [each for each in versions if each not in reached], where)
    if not matching:
        raise UserError(f"No row of {versions[-1].name} meets the condition.", "Nothing was changed.")
    scratch = context.store.forgetting.scratch_among(reached)
    rids = {each.record.id: new_rids(each.stays) for each in matching}
    going = Going(rids, distinctive_values(context.store, matching))
    kept = [each for each in reached if each.id not in scratch]
    made_again, deleted = _split(context, kept, set(scratch), going)
    return ForgettingPlan(
        dataset=versions[-1].name,
        matching=matching,
        made_again=made_again,
        deleted=deleted,
        scratch=tuple(each for each in reached if each.id in scratch),
        out_of_reach=tuple(out_of_reach(context, [each.record for each in matching])),
        values=going.values,
    )


def _refuse(context: Context, name: str) -> None:
    if names_version(name):
        raise UserError(f"{name} is one version; rows are forgotten in all versions.", "Give the name alone.")
    refuse_while_busy(context.store.database)


def _matching_rows(context: Context, versions: list[DatasetRecord], where: str) -> Iterator[MatchingRows]:
    for record in versions:
        if record.origin == "array":
            raise NotSupported(f"{record.label} is an array, and its cells have fixed places.", "Forget it whole.")
        if record.is_source and not record.parents:
            rows = find_rows(context, record, where)
            if rows:
                yield MatchingRows(record, np.array(rows, dtype=np.int64))


def _refuse_rows_from_elsewhere(context: Context, versions: list[DatasetRecord], where: str) -> None:
    """Raise an error if a version has such rows from other datasets: they would come back with the next query."""
    for record in versions:
        if (not record.is_source or record.parents) and find_rows(context, record, where):
            origins = ", ".join(context.store.by_id(parent).label for parent in record.parents) or "other datasets"
            raise UserError(f"{record.label} has such rows from {origins}.", "Forget them there first.")


def _split(
    context: Context, reached: list[DatasetRecord], lost: set[DatasetId], going: Going
) -> tuple[tuple[DatasetRecord, ...], tuple[tuple[DatasetRecord, str], ...]]:
    """Return the versions that can be made again, and the others with the reason. `lost` versions are no inputs."""
    made_again: list[DatasetRecord] = []
    deleted: list[tuple[DatasetRecord, str]] = []
    for record in reached:  # oldest first, so inputs come before what was made from them
        is_cut_off = not lost.isdisjoint(record.parents)
        why = MADE_FROM_DELETED if is_cut_off else why_not_again(context, record, going)
        if why is None:
            made_again.append(record)
        else:
            lost.add(record.id)
            deleted.append((record, why))
    return tuple(made_again), tuple(deleted)
