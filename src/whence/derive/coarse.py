"""What a query gives if some operator has no rule: rows that may come from any row, and in doubt if any of those is."""

from __future__ import annotations

from whence.engine.engine import Engine, Query
from whence.engine.worker.write_parts import Layout
from whence.lineage.document import NAME, LineageDocument
from whence.model.caveat import Caveat
from whence.model.dataset import Doubt
from whence.model.schema import Schema
from whence.plan.columnmap import Uses
from whence.store.draft import Draft
from whence.store.runs import Run
from whence.store.store import Store


def coarse_draft(store: Store, engine: Engine, query: Query, schema: Schema, run: Run, text: str) -> Draft:
    """No rule for some operator: every row may come from every row, and any doubt below may touch anything."""
    reason = query.read.reason
    parents = [store.by_id(source) for source in query.sources]
    doubtful = [parent for parent in parents if not engine.marks.doubt(parent).is_certain]
    marks = tuple(range(len(schema))) if doubtful else ()
    layout = Layout(schema.names, marks, has_row_marks=bool(doubtful), has_ghosts=False, id_columns=0)
    outcome = engine.run(engine.with_every_mark(query.frame, layout), layout, run.staging)
    strategy = f"coarse: {reason} has no lineage rule, so every row may come from every row of each input."
    uses: dict[str, Uses] = {name: frozenset() for name in schema.names}
    document = LineageDocument(query.sources, False, strategy, 0, uses, frozenset())
    caveats = [Caveat(f"Lineage is coarse here: {reason} has no rule.", "lineage")]
    caveats += [Caveat(f"Made from {parent.label}, which is in doubt, by {reason}.", "coarse") for parent in doubtful]
    doubt = Doubt(frozenset(schema.names), outcome.rows > 0, True) if doubtful else Doubt()
    documents = {NAME: document.to_json()}
    return Draft(schema, outcome.parts, text, query.parents, doubt, tuple(caveats), documents)
