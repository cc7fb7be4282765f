"""The lineage that a run of an operator stores, and the limits that capture settings put on it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from whence.arrays.document import OperatorDocument
from whence.arrays.encodings import Arrays
from whence.arrays.strategy import COARSE
from whence.derive.policy import CaptureSettings
from whence.lineage.document import LineageDocument
from whence.lineage.strategy import describe_limit, describe_pruned, reason_for_off
from whence.model.dataset import DatasetRecord


@dataclass(frozen=True)
class DeclaredLineage:
    """The lineage of one run: a document about the run, a document about its lineage, and arrays of cell numbers."""

    run: OperatorDocument
    document: LineageDocument
    arrays: Arrays

    @property
    def is_undeclared(self) -> bool:
        """Whether lineage is coarse because the operator declares none, not because a setting turned capture off."""
        return not self.document.is_exact and reason_for_off(self.document.strategy) is None

    def without_arrays(self, document: LineageDocument) -> DeclaredLineage:
        """Return coarse lineage with this document: nothing is stored, and no later question runs the operator."""
        return DeclaredLineage(replace(self.run, strategy=COARSE, bytes=0), document, {})


def limit_declared(
    settings: CaptureSettings, inputs: Sequence[DatasetRecord], lineage: DeclaredLineage, reason: str = ""
) -> DeclaredLineage:
    """Return the lineage that the settings allow to be stored; a `reason` says why nothing is."""
    if lineage.is_undeclared and not reason:
        return lineage
    size, most = lineage.run.bytes, settings.most_bytes
    if not reason and most is not None and size > most:
        reason = describe_limit(size, most)
    if reason:
        return lineage.without_arrays(replace(lineage.document, is_exact=False, strategy=reason))
    return lineage if settings.only is None else _prune(settings.only, inputs, lineage)


def _prune(only: frozenset[str], inputs: Sequence[DatasetRecord], lineage: DeclaredLineage) -> DeclaredLineage:
    """Return the lineage without the cells of inputs that `ws.capture.only` does not name."""
    pruned = {number: each.name for number, each in enumerate(inputs) if each.name.lower() not in only}
    if not pruned:
        return lineage
    strategy = f"{lineage.document.strategy} {describe_pruned(pruned.values())}"
    document = replace(lineage.document, strategy=strategy, pruned_sources=frozenset(pruned))
    if len(pruned) == len(inputs):
        return lineage.without_arrays(document)
    # By cell each input has arrays in0 and out0; by region the inputs share `out` and `out_region`, which stay.
    gone = {f"{part}{number}" for number in pruned for part in ("in", "in_region", "out")}
    arrays = {name: np.empty(0, array.dtype) if name in gone else array for name, array in lineage.arrays.items()}
    size = sum(array.nbytes for array in arrays.values())
    return DeclaredLineage(replace(lineage.run, bytes=size), document, arrays)
