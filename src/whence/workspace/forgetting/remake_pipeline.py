"""Runs the stored steps of a pipeline again over inputs without the forgotten rows, or says why that cannot be done."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from whence.model.dataset import DatasetRecord
from whence.model.errors import UserError, WhenceError
from whence.model.ids import DatasetId
from whence.pipeline.apply import find_transformation
from whence.pipeline.call import operation_maker
from whence.pipeline.chain import Chain
from whence.pipeline.document import DOCUMENT
from whence.pipeline.operation import Counts
from whence.transformations.transformation import Transformation
from whence.workspace.context import Context
from whence.workspace.forgetting.new_versions import NewVersions
from whence.workspace.references import names_version, version_of


@dataclass(frozen=True)
class _Call:
    """The call of one transformation, as it was stored with its result."""

    transformation: Transformation
    values: Mapping[str, object]
    line: str


@dataclass(frozen=True)
class _Stretch:
    """The calls between two stored versions, and the version they start from."""

    base: DatasetRecord
    calls: tuple[_Call, ...]


def why_no_pipeline(context: Context, record: DatasetRecord) -> str | None:
    """Return why the steps of a pipeline cannot run again, or None if they can."""
    stretches = _stretches(context, record)
    if stretches is None:
        return "its steps cannot be planned again"
    parents = _parents(context, record, stretches)
    if len({each.name.lower() for each in parents}) < len(parents):
        return "it reads two versions of one name"
    return None


def pipeline_again(context: Context, record: DatasetRecord, new: NewVersions) -> DatasetRecord:
    """Run all steps of a pipeline over the new version of its input.

    The versions stored on the way were made again before, as each is a version with a pipeline of its own.
    """
    stretches, store = _stretches(context, record), context.store
    assert stretches is not None
    document: dict[str, Any] = store.document(record, DOCUMENT) or {}
    by_name = {each.name.lower(): each for each in _parents(context, record, stretches)}

    def find(reference: object) -> DatasetRecord:
        if isinstance(reference, str) and not names_version(reference):
            # The version that the pipeline read, which may not be the newest of its name.
            if reference.lower() not in by_name:
                raise UserError(f"{record.label} did not read {reference}.", "Run its pipeline again.")
            return new.of(by_name[reference.lower()])
        return new.of(version_of(store, reference))

    chain = Chain(context.derive, new.of(stretches[0].base), document["name"], find, record.origin)
    for stretch, following in zip(stretches, [*stretches[1:], None], strict=True):
        for call in stretch.calls:
            kind, index = call.transformation.name, len(chain.steps)
            make = operation_maker(index, kind, call.values, call.line, lambda: Counts(0, 0, 0, 0))
            chain.add(call.transformation, make, call.values)
        if following is not None:
            chain.continue_from(new.of(following.base))
    return chain.result() if record.name == document["name"] else chain.close_segment()


def _stretches(context: Context, record: DatasetRecord) -> list[_Stretch] | None:
    """Return the calls that made a version; None if one of them cannot be read, or learned from an earlier version."""
    document: dict[str, Any] = context.store.document(record, DOCUMENT) or {"segments": []}
    found = []
    for segment in document["segments"]:
        steps = [step for step in (*segment["steps"], segment["closing"]) if step is not None]
        calls = [_call(step) for step in steps]
        if not calls or None in calls:
            return None
        found.append(_Stretch(context.store.by_id(DatasetId(segment["base"])), tuple(filter(None, calls))))
    return found or None


def _call(step: Mapping[str, Any]) -> _Call | None:
    try:
        found = find_transformation(step["kind"])
        call = ast.parse(step["code"], mode="eval").body
        if not isinstance(call, ast.Call):
            return None
        values = {str(each.arg): ast.literal_eval(each.value) for each in call.keywords}
    except (WhenceError, SyntaxError, ValueError):
        return None
    learns = any(parameter.name == "learn_again" for parameter in found.parameters)
    return None if learns else _Call(found, values, step["line"])


def _parents(context: Context, record: DatasetRecord, stretches: list[_Stretch]) -> list[DatasetRecord]:
    """Return every version that the steps read, also on the way."""
    stored = [stretch.base for stretch in stretches]
    ids = [each for version in (*stored[1:], record) for each in version.parents]
    return [context.store.by_id(each) for each in dict.fromkeys([stored[0].id, *ids])]
