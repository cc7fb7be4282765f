"""Stage 8, publish: the draft becomes a dataset version, and what was deferred is queued."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import cast

from whence.caveats.document import NAME as CAVEATS
from whence.caveats.document import CaveatDocument
from whence.derive.derivation import Derivation
from whence.derive.request import DeriveContext
from whence.lineage.document import NAME as LINEAGE
from whence.model.caveat import Caveat
from whence.model.dataset import DatasetRecord
from whence.model.ids import DatasetId
from whence.store.caveat_file import Caveats
from whence.store.draft import Draft


def publish(context: DeriveContext, derivation: Derivation, draft: Draft) -> DatasetRecord:
    """Store the draft with what the caller adds to it."""
    request = derivation.request
    documents = {**_with_input_flags(draft, derivation.input_flags), **request.documents}
    caveats = _with_stated(draft.caveats, request.caveats) if request.caveats else draft.caveats
    return context.store.publish(derivation.run, replace(draft, documents=documents, caveats=caveats))


def _with_stated(found: Sequence[Caveat], stated: Sequence[Caveat]) -> Caveats:
    """The caveats of a draft and those the caller states; a draft of an earlier version has these already."""
    known = set(found)
    return Caveats.of([*found, *(each for each in stated if each not in known)])


def follow_up(
    context: DeriveContext, derivation: Derivation, draft: Draft, record: DatasetRecord, *, is_kept: bool
) -> None:
    """Remember the query, so that it can be run again on some of its rows, and tell the policy what it made."""
    if is_kept:
        # The frame reads files of versions that go; a question that runs the query has it analysed again.
        context.engine.remember_written(record.id, derivation.query)
    else:
        context.engine.remember(record.id, derivation.query)
        if derivation.request.is_rerunnable and derivation.request.origin == "sql":
            context.engine.remember_written(record.id, derivation.query)
    is_queued = derivation.capture.mode != "lazy" and _is_deferred(draft)
    context.policy.follow_up(record, is_deferred=is_queued)


def _with_input_flags(draft: Draft, inputs: Mapping[DatasetId, str]) -> dict[str, object]:
    """Return the documents of a draft; the caveat document also records the flags that the inputs have now."""
    if not inputs:
        return dict(draft.documents)
    content = cast("Mapping[str, object]", draft.documents.get(CAVEATS, CaveatDocument().to_json()))
    return {**draft.documents, CAVEATS: {**content, "inputs": dict(inputs)}}


def _is_deferred(draft: Draft) -> bool:
    """Whether the block of a version is still to be made in the background."""
    lineage = cast("Mapping[str, object]", draft.documents.get(LINEAGE, {}))
    return lineage.get("deferred keys") is not None
