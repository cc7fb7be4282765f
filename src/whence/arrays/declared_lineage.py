"""What a run of an operator stores of the lineage it declared, as far as the capture policy lets it."""

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
    """The documents about the run and about its lineage, and the arrays that stand behind them."""

    run: OperatorDocument
    document: LineageDocument
    arrays: Arrays

    @property
    def is_undeclared(self) -> bool:
        """The operator itself does not say where its output comes from."""
        return not self.document.is_exact and reason_for_off(self.document.strategy) is None

    def without_arrays(self, document: LineageDocument) -> DeclaredLineage:
        """Nothing is stored, and nothing is worked out later."""
        return DeclaredLineage(replace(self.run, strategy=COARSE, bytes=0), document, {})


def limit_declared(
    settings: CaptureSettings, inputs: Sequence[DatasetRecord], lineage: DeclaredLineage, reason: str = ""
) -> DeclaredLineage:
    """The lineage as far as the settings let it be stored; `reason` says why none of it may be."""
    if lineage.is_undeclared and not reason:
        return lineage
    size, most = lineage.run.bytes, settings.most_bytes
    if not reason and most is not None and size > most:
        reason = describe_limit(size, most)
    if reason:
        return lineage.without_arrays(replace(lineage.document, is_exact=False, strategy=reason))
    return lineage if settings.only is None else _prune(settings.only, inputs, lineage)


def _prune(only: frozenset[str], inputs: Sequence[DatasetRecord], lineage: DeclaredLineage) -> DeclaredLineage:
    """Without the cells of inputs that capture is not limited to."""
    pruned = {number: each.name for number, each in enumerate(inputs) if each.name.lower() not in only}
    if not pruned:
        return lineage
    strategy = f"{lineage.document.strategy} {describe_pruned(pruned.values())}"
    document = replace(lineage.document, strategy=strategy, pruned_sources=frozenset(pruned))
    if len(pruned) == len(inputs):
        return lineage.without_arrays(document)
    gone = {f"{part}{number}" for number in pruned for part in ("in", "in_region", "out")}
    arrays = {name: np.empty(0, array.dtype) if name in gone else array for name, array in lineage.arrays.items()}
    size = sum(array.nbytes for array in arrays.values())
    return DeclaredLineage(replace(lineage.run, bytes=size), document, arrays)
