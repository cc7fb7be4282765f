"""Stage 7 without rules, the coarse draft: a row may come from any input row, and is in doubt if any of those is."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

from whence.derive.derivation import Derivation
from whence.derive.request import DeriveContext
from whence.engine.outcome import Outcome
from whence.engine.parse_plan import ReadPlan
from whence.engine.worker.write_parts import OutputLayout
from whence.lineage.document import NAME, LineageDocument
from whence.model.caveat import Caveat
from whence.model.dataset import Doubt
from whence.model.errors import NotSupported
from whence.model.schema import Schema
from whence.plan.columnmap import Uses
from whence.store.draft import Draft


def coarse_draft(context: DeriveContext, derivation: Derivation) -> Draft:
    """Run the query as the user wrote it and draft coarse lineage: if any input is in doubt, everything is."""
    engine, query, schema = context.engine, derivation.query, derivation.schema
    reason = query.read.reason
    if engine.asks_for_bounds(query):
        raise NotSupported(
            f"{reason} has no rule, so whence cannot tell between which values its results lie.",
            "Make a dataset of it first, and ask for bounds over that.",
        )
    parents = [context.store.by_id(source) for source in query.sources]
    doubtful = [parent for parent in parents if not engine.flags.doubt(parent).is_certain]
    layout = every_flag(schema) if doubtful else _no_flags(schema)
    outcome = run_plainly(context, derivation, layout, derivation.run.staging)
    strategy = f"coarse: {reason} has no lineage rule, so every row may come from every row of each input."
    caveats = [Caveat(f"Lineage is coarse here: {reason} has no rule.", "lineage")]
    caveats += [Caveat(f"Made from {parent.label}, which is in doubt, by {reason}.", "coarse") for parent in doubtful]
    doubt = Doubt(frozenset(schema.names), outcome.rows > 0, True) if doubtful else Doubt()
    documents = {NAME: coarse_lineage(derivation, strategy).to_json()}
    return Draft(
        schema=schema,
        parts=outcome.parts,
        text=derivation.request.text,
        parents=query.parents,
        doubt=doubt,
        caveats=tuple(caveats),
        documents=documents,
    )


def without_rules(derivation: Derivation, reason: Exception) -> Derivation:
    """Return a derivation whose run has shown that a rule does not hold, as if its query had none; the run goes."""
    shutil.rmtree(derivation.run.staging, ignore_errors=True)
    derivation.run.staging.mkdir()
    return replace(derivation, query=replace(derivation.query, read=ReadPlan(None, str(reason).removesuffix("."))))


def every_flag(schema: Schema) -> OutputLayout:
    """Return the layout of rows in which every cell, and each row itself, has a doubt flag."""
    every = tuple(range(len(schema)))
    return OutputLayout(schema.names, every, has_row_flags=True, has_ghosts=False, id_columns=0)


def _no_flags(schema: Schema) -> OutputLayout:
    return OutputLayout(schema.names, (), has_row_flags=False, has_ghosts=False, id_columns=0)


def run_plainly(context: DeriveContext, derivation: Derivation, layout: OutputLayout, folder: Path) -> Outcome:
    """Evaluate the query as the user wrote it, with the flags of the layout set in all rows."""
    engine = context.engine
    return engine.run(engine.with_every_flag(derivation.query.frame, layout), layout, folder)


def coarse_lineage(derivation: Derivation, strategy: str) -> LineageDocument:
    """The lineage of a dataset whose rows may come from any row of each input, for the reason given."""
    uses: dict[str, Uses] = {name: frozenset() for name in derivation.schema.names}
    return LineageDocument(
        sources=derivation.query.sources, is_exact=False, strategy=strategy, parts=0, values=uses, row=frozenset()
    )
