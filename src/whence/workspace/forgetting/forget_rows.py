"""Forgets rows: makes every version that holds them again without them, then puts the new ones in place."""

from __future__ import annotations

import secrets
from collections.abc import Iterator, Mapping
from dataclasses import replace
from datetime import UTC, datetime

from whence.derive.derivation import begin_run
from whence.lineage.block import Ids
from whence.model.certificate import Certificate, ForgottenRows, keyed_hash, row_text
from whence.model.dataset import DatasetRecord
from whence.model.errors import UserError
from whence.model.ids import DatasetId
from whence.model.plural import counted
from whence.store.certificates import begin_certificate, drop_certificate, finish_certificate
from whence.store.cut_rows import draft_without, new_rids
from whence.store.history_note import HISTORY, with_event
from whence.workspace.context import Context
from whence.workspace.forgetting.find_rows import find_rows
from whence.workspace.forgetting.matching import MatchingRows
from whence.workspace.forgetting.new_versions import NewVersions
from whence.workspace.forgetting.reach import MADE_FROM_DELETED, ForgettingPlan
from whence.workspace.forgetting.remains import find_remains
from whence.workspace.forgetting.remake import make_again
from whence.workspace.forgetting.remake_sheet import Going, count_lost_edits

_FAILED = "a step of it fails without these rows"
"""The error itself may quote values, and a certificate holds none."""


def forget_rows(
    context: Context, plan: ForgettingPlan, where: str, *, delete_unrepeatable: bool = False
) -> Certificate:
    """Carry a plan out and return the certificate. Either all of it happens, or nothing.

    A version whose steps fail without the rows ends it; `delete_unrepeatable` deletes the version instead.
    """
    store = context.store
    store.forgetting.discard_replacements()
    certificate = _begin(context, plan, where)
    try:
        with store.making_replacements() as syncs:
            new, failed = _make_new_versions(context, plan, certificate, delete_unrepeatable=delete_unrepeatable)
            if failed:
                plan = plan.with_deleted(failed)
                certificate = certificate.with_deleted({record.label: why for record, why in failed})
            certificate = replace(certificate, removed=tuple(_removed(context, plan, new)))
            begin_certificate(store.layout, certificate, syncs)
            _refuse_rows_that_stayed(context, plan, new, where)
        lost = [record.id for record, _ in plan.deleted] + [record.id for record in plan.scratch]
        store.forgetting.replace_versions({old: record.id for old, record in new.items()}, lost)
    # Ctrl-C as well: what was not put in place must not stay.
    except BaseException:
        if not store.forgetting.is_forgotten(plan.versions[0].id):
            store.forgetting.discard_replacements()
            drop_certificate(store.layout, certificate)
        raise
    _drop_views(context, plan)
    done = certificate.finished(*_verify(context, plan, new))
    finish_certificate(store.layout, done)
    return done


def _begin(context: Context, plan: ForgettingPlan, where: str) -> Certificate:
    key, store = secrets.token_hex(32), context.store
    rows = (
        ForgottenRows(
            each.record.label,
            each.record.rows,
            each.record.rows - len(each.rows),
            tuple(keyed_hash(key, row_text(row)) for row in store.take(each.record, each.rows).to_pylist()),
        )
        for each in plan.matching
    )
    return Certificate(
        id=secrets.token_hex(8),
        at=datetime.now(UTC).isoformat(timespec="seconds"),
        dataset=plan.dataset,
        condition=keyed_hash(key, where),
        rows=tuple(rows),
        made_again=tuple(record.label for record in plan.made_again),
        deleted={record.label: why for record, why in plan.deleted},
        out_of_reach=plan.out_of_reach,
        replaced=tuple(record.id for record in plan.versions),
        key=key,
    )


def _removed(context: Context, plan: ForgettingPlan, new: Mapping[DatasetId, DatasetRecord]) -> Iterator[str]:
    """Yield a sentence for each thing beside rows that goes."""
    store = context.store
    cut = [each.record for each in plan.matching if store.forgetting.has_own_source(new[each.record.id].id)]
    if cut:
        yield f"The lines of these rows in the kept source files of {', '.join(record.label for record in cut)}."
    shared = {label for label, _ in store.forgetting.sharing_sources([each.record.id for each in plan.matching])}
    labels = [each.record.label for each in plan.matching if store.forgetting.has_own_source(each.record.id)]
    labels = [label for label in labels if label not in {*shared, *(record.label for record in cut)}]
    if labels:
        yield f"The kept source files of {', '.join(labels)}. Load the original again to have one."
    names = {record.name.lower() for record in plan.versions}
    sheets = store.forgetting.count_pending_sheets(names)
    if sheets:
        yield f"{counted(sheets, 'pending sheet')} with edits that were not applied."
    going = Going({each.record.id: new_rids(each.stays) for each in plan.matching}, plan.values)
    for record in plan.made_again:
        edits = count_lost_edits(context, record, going) if record.origin == "sheet" else 0
        if edits:
            yield f"{counted(edits, 'edit')} of {record.label} about rows that go, or with texts that only they had."
    yield "Views, profiles, indexes and caches of these versions, and what cells showed that made or read them."
    yield "Backups of the database, and what a crash or the trash had kept of these versions."


def _make_new_versions(
    context: Context, plan: ForgettingPlan, certificate: Certificate, *, delete_unrepeatable: bool
) -> tuple[dict[DatasetId, DatasetRecord], list[tuple[DatasetRecord, str]]]:
    """Return the new versions by the ids of the old ones, and the versions that failed, each with the reason."""
    failed: list[tuple[DatasetRecord, str]] = []
    new: dict[DatasetId, DatasetRecord] = {}
    rids: dict[DatasetId, Ids] = {}
    for each in plan.matching:
        sentence = f"{counted(len(each.rows), 'row')} of {each.record.label} went"
        with context.store.making_replacement(_history(context, each.record, certificate, sentence)):
            new[each.record.id] = _cut(context, each, plan.values)
        rids[each.record.id] = new_rids(each.stays)
    for record in plan.made_again:
        if not {each.id for each, _ in failed}.isdisjoint(record.parents):
            failed.append((record, MADE_FROM_DELETED))
            continue
        sentence = f"{record.label} was made again without forgotten rows of {plan.dataset}"
        try:
            with context.store.making_replacement(_history(context, record, certificate, sentence)):
                made, moved = make_again(context, record, NewVersions(new, rids, plan.values))
        except UserError as error:  # a step may need what only these rows had, such as a value to fill others with
            if not delete_unrepeatable:
                raise _refusal(record, error) from error
            failed.append((record, _FAILED))
            continue
        new[record.id] = made
        if moved is not None:
            rids[record.id] = moved
    return new, failed


def _refusal(record: DatasetRecord, error: UserError) -> UserError:
    return UserError(
        f"{record.label} cannot be made again without these rows, so nothing was forgotten: {error.message}",
        f"Forget {record.label} first, then the rows; or let such results be deleted (delete_unrepeatable=True).",
    )


def _cut(context: Context, matching: MatchingRows, values: frozenset[str]) -> DatasetRecord:
    record, store = matching.record, context.store
    with begin_run(store, record.origin, record.name) as run:
        return store.publish(run, draft_without(store, run, record, matching.stays, values))


def _history(context: Context, record: DatasetRecord, certificate: Certificate, sentence: str) -> dict[str, object]:
    before = context.store.document(record, HISTORY)
    return {HISTORY: with_event(before, certificate.at, sentence, certificate.id)}


def _refuse_rows_that_stayed(
    context: Context, plan: ForgettingPlan, new: dict[DatasetId, DatasetRecord], where: str
) -> None:
    """Raise an error if a version of the same name still has such rows: another input brought them."""
    for record in plan.made_again:
        if record.name.lower() == plan.dataset.lower() and find_rows(context, new[record.id], where):
            raise UserError(f"{record.label} has such rows from other inputs, too.", "Forget them there first.")


def _drop_views(context: Context, plan: ForgettingPlan) -> None:
    if context.engine.process.is_running:
        for record in plan.versions:
            context.engine.drop_name(record.name)
        context.engine.process.empty_log()
    context.background.planner.request()


def _verify(context: Context, plan: ForgettingPlan, new: dict[DatasetId, DatasetRecord]) -> Iterator[str]:
    """Yield a sentence for each check; a check that fails raises."""
    store = context.store
    for each in plan.matching:
        left = store.by_id(new[each.record.id].id).rows
        if left != each.record.rows - len(each.rows):
            raise UserError(f"{each.record.label} has {left} rows after forgetting.", "Run whence doctor.")
    yield "Each version has the rows it had, less those that matched."
    still = [record.label for record in plan.versions if store.forgetting.has_files(record.id)]
    if still:
        raise UserError(f"Files of {', '.join(still)} are still there.", "Close the workspace and open it again.")
    yield "No file of an old version is left, and the database was rewritten without deleted content."
    remains = find_remains(store, plan.values)
    yield f"Database and documents were searched for {counted(len(plan.values), 'value')} that only these rows had."
    yield from (f"Found, and left for you to change: {sentence}" for sentence in remains)
