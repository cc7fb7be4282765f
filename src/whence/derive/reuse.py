"""Stage 3, reuse: the files of an earlier version stand in for a run of the same query over the same versions."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import replace
from itertools import islice

from whence.derive.derivation import Derivation
from whence.derive.request import DeriveContext
from whence.lineage.document import NAME, LineageDocument
from whence.model.dataset import DatasetRecord
from whence.model.errors import DamagedFile
from whence.plan.caveat_questions import asks_for_bounds
from whence.store.draft import Draft
from whence.store.forgotten import ForgottenRecord
from whence.store.manifest import StoredPart, own_version
from whence.store.parts import PartFile
from whence.store.runs import Run
from whence.store.store import Store

_REUSED = "taken over: "
_MOST_LOOKED_AT = 200
"""Versions that the same text made from the same dataset, among which candidates are looked for."""
_MOST_CANDIDATES = 20
"""Versions of the same columns from the same datasets that are compared with a query."""


def with_fingerprint(context: DeriveContext, derivation: Derivation) -> Derivation:
    """The derivation with what its query is known by, where results of such queries can be used again."""
    if derivation.request.origin not in ("sql", "dataset") and not derivation.request.is_reusable:
        return derivation
    return replace(derivation, fingerprint=query_fingerprint(context, derivation))


def query_fingerprint(context: DeriveContext, derivation: Derivation) -> str:
    """A hash that equal queries share; empty if another run might give something else.

    The same text over the same versions is the same query, as long as the session reads it in the same way. A
    transformation is known by its recipe. A frame has neither, and is compared as Spark compares plans. The result also
    depends on the flags that the inputs have now, on their ranges if the query asks for bounds, and on which inputs are
    traced.
    """
    engine, query, only = context.engine, derivation.query, derivation.capture.only
    if not query.sources or not engine.can_stand_for_another_run(query):
        return ""
    traced, text = None if only is None else sorted(only), derivation.request.text.strip()
    # `own_version` is part of it because another whence may have other rules, and so other lineage.
    facts: list[object] = [own_version(), text, query.sources, derivation.input_flags, traced, engine.dialect()]
    facts += [derivation.request.recipe] if derivation.request.recipe else []
    if query.read.plan is not None and asks_for_bounds(query.read.plan):
        facts += engine.flags.range_states(query.parents)
    return hashlib.sha256(json.dumps(facts, sort_keys=True).encode()).hexdigest()[:32]


def reuse_result(context: DeriveContext, derivation: Derivation) -> Draft | None:
    """The draft of a version with the files of an earlier one; None if there is none, or some file of it is damaged."""
    if not derivation.fingerprint or not derivation.capture.can_reuse:
        return None
    store, request = context.store, derivation.request
    for record in _candidates(store, derivation):
        content = store.document(record, NAME)
        is_same = content is not None and content["exact"] and content.get("query") == derivation.fingerprint
        # A text or a recipe says all about a query; whether two frames are equal only Spark can say, in one session.
        is_written = request.is_rerunnable or bool(request.recipe)
        is_sure = is_same and (is_written or context.engine.has_made(record.id, derivation.query))
        if content is not None and is_sure:
            with suppress(DamagedFile, OSError):
                return _draft(store, derivation, record, LineageDocument.from_json(content))
    return None


def _candidates(store: Store, derivation: Derivation) -> Iterator[DatasetRecord]:
    """The newest versions that the query might have made; a long history of others must cost nothing."""
    query = derivation.query
    made = store.made_by_text(query.sources[0], derivation.request.text, _MOST_LOOKED_AT)
    facts = query.parents, derivation.schema
    same = (each for each in made if not isinstance(each, ForgottenRecord) and (each.parents, each.schema) == facts)
    return islice(same, _MOST_CANDIDATES)


def _draft(store: Store, derivation: Derivation, record: DatasetRecord, lineage: LineageDocument) -> Draft | None:
    run, request = derivation.run, derivation.request
    manifest = store.manifest(record)
    arrays = {stem: store.arrays(record, stem) for stem in _stems(manifest.lineage)}
    documents = {name: store.document(record, name) for name in _stems(manifest.files, ".json")}
    said = (
        f"{_REUSED}{record.label} is what the same query over the same versions gave before. Its lineage was captured "
    )
    strategy = lineage.strategy if lineage.strategy.startswith(_REUSED) else f"{said}so: {lineage.strategy}"
    origin = replace(lineage, strategy=strategy, reused_from=lineage.reused_from or record.id)
    if any(array is None for array in arrays.values()):
        return None
    return Draft(
        schema=record.schema,
        parts=tuple(_link_part(store, run, record, part, number) for number, part in enumerate(manifest.parts)),
        text=request.text,
        parents=record.parents,
        doubt=record.doubt,
        caveats=store.caveats(record),
        documents={**documents, **request.documents, NAME: origin.to_json()},
        arrays={stem: array for stem, array in arrays.items() if array is not None},
    )


def _stems(files: Iterable[str], ending: str = ".arrow") -> list[str]:
    return [name.removesuffix(ending) for name in files if name.endswith(ending)]


def _link_part(store: Store, run: Run, record: DatasetRecord, part: StoredPart, number: int) -> PartFile:
    """Files of a dataset never change, so two versions may share them; where the disk cannot, there is a copy."""
    source, target = store.layout.dataset(record.id) / part.path, run.staging / f"taken-{number:05d}.parquet"
    with source.open("rb") as file:  # who asks again because a file was damaged must not get it back
        if hashlib.file_digest(file, "sha256").hexdigest() != part.sha256:
            raise DamagedFile(f"A file of {record.label} is not what was written.")
    try:
        os.link(source, target)
    except OSError:
        shutil.copyfile(source, target)
    return PartFile(str(target), part.rows, part.size, part.sha256)
