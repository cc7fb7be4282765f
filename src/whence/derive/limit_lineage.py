"""Applies the capture policy to lineage that needs no query: of sheets, and of tables that Python code made."""

from __future__ import annotations

from dataclasses import dataclass, replace

from whence.derive.policy import CapturePolicy
from whence.lineage.block import Block
from whence.lineage.document import LineageDocument
from whence.lineage.strategy import OFF, PAUSED, describe_limit, describe_pruned
from whence.store.store import Store


@dataclass(frozen=True)
class TableLineage:
    """The lineage of a table that no query made: its document and its block."""

    document: LineageDocument
    block: Block

    @property
    def is_stored(self) -> bool:
        """Whether rows of some input are traced."""
        return bool(self.block.parts)

    def without_block(self, strategy: str) -> TableLineage:
        """Return coarse lineage, with the reason: every row may come from every row."""
        document = replace(self.document, is_exact=False, strategy=strategy, parts=0, has_maps=False, derivations=0)
        return TableLineage(document, Block(self.block.rows))


def limit_lineage(store: Store, policy: CapturePolicy, lineage: TableLineage) -> TableLineage:
    """Return the lineage, coarse where the policy forbids to store it."""
    settings = policy.settings
    if settings.is_off or settings.is_paused:
        return lineage.without_block(OFF if settings.is_off else PAUSED)
    size = lineage.block.bytes
    if settings.most_bytes is not None and size > settings.most_bytes:
        return lineage.without_block(describe_limit(size, settings.most_bytes))
    return lineage if settings.only is None else _prune(store, settings.only, lineage)


def _prune(store: Store, only: frozenset[str], lineage: TableLineage) -> TableLineage:
    """Drop the block if capture is limited to other inputs; such tables trace the rows of one input alone."""
    document = lineage.document
    every = frozenset(range(len(document.sources)))
    names = {store.by_id(document.sources[number]).name for number in every - document.pruned_sources}
    gone = sorted(name for name in names if name.lower() not in only)
    if not gone:
        return lineage
    strategy = f"{document.strategy} {describe_pruned(gone)}"
    return TableLineage(
        replace(document, strategy=strategy, parts=0, has_maps=False, derivations=0, pruned_sources=every),
        Block(lineage.block.rows),
    )
