"""Stage 7 without rules, the coarse draft: a row may come from any input row, and is in doubt if any of those is."""

from __future__ import annotations

from whence.derive.derivation import Derivation
from whence.derive.request import DeriveContext
from whence.engine.worker.write_parts import Layout
from whence.lineage.document import NAME, LineageDocument
from whence.model.caveat import Caveat
from whence.model.dataset import Doubt
from whence.plan.columnmap import Uses
from whence.store.draft import Draft


def coarse_draft(context: DeriveContext, derivation: Derivation) -> Draft:
    """Run the query as it is: some operator has no rule, so any doubt below may touch anything."""
    engine, query, schema = context.engine, derivation.query, derivation.schema
    reason = query.read.reason
    parents = [context.store.by_id(source) for source in query.sources]
    doubtful = [parent for parent in parents if not engine.marks.doubt(parent).is_certain]
    marks = tuple(range(len(schema))) if doubtful else ()
    layout = Layout(schema.names, marks, has_row_marks=bool(doubtful), has_ghosts=False, id_columns=0)
    outcome = engine.run(engine.with_every_mark(query.frame, layout), layout, derivation.run.staging)
    strategy = f"coarse: {reason} has no lineage rule, so every row may come from every row of each input."
    uses: dict[str, Uses] = {name: frozenset() for name in schema.names}
    document = LineageDocument(
        sources=query.sources, is_exact=False, strategy=strategy, parts=0, values=uses, row=frozenset()
    )
    caveats = [Caveat(f"Lineage is coarse here: {reason} has no rule.", "lineage")]
    caveats += [Caveat(f"Made from {parent.label}, which is in doubt, by {reason}.", "coarse") for parent in doubtful]
    doubt = Doubt(frozenset(schema.names), outcome.rows > 0, True) if doubtful else Doubt()
    documents = {NAME: document.to_json()}
    return Draft(
        schema=schema,
        parts=outcome.parts,
        text=derivation.request.text,
        parents=query.parents,
        doubt=doubt,
        caveats=tuple(caveats),
        documents=documents,
    )
