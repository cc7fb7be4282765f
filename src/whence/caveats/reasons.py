"""Which caveats are behind a doubt flag: found by following flags backwards through the inputs.

Two passes as in the paper (Section 4.3.2): which sets of caveats can reach a part is known without looking at any row;
then each set is cut down to the rows in question, counted, and shown by an example.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from whence.caveats.doubt_flags import DoubtFlags
from whence.caveats.file_lines import STATING, file_lines
from whence.caveats.influence import ROW, ROW_SET, Influences, InfluencingPart, Part, unused_rows
from whence.caveats.own_caveats import NOTES, CaveatSet, Mask, OwnCaveats
from whence.lineage.block import Ids
from whence.lineage.edges import Edges
from whence.lineage.trace import Trace
from whence.model.caveat import CaveatGroup, CaveatRef
from whence.model.dataset import DatasetRecord
from whence.model.ids import DatasetId
from whence.store.forgotten import ForgottenRecord
from whence.store.store import Store

MOST_REFERENCES = 500
"""A group names this many places at most; its count is always exact."""

MOST_MESSAGES = 3
"""A group of more caveats than this shows one of them and a count."""

Selection = dict[Part, Ids | None]
"""Rows of each part in question; None: all of them."""


class Reasons:
    """Lists the caveats behind the flags of a dataset, a row, a column or a cell."""

    def __init__(
        self, store: Store, edges: Edges, trace: Trace, influences: Influences, own: OwnCaveats, flags: DoubtFlags
    ) -> None:
        self._store = store
        self._edges = edges
        self._trace = trace
        self._influences = influences
        self._own = own
        self._flags = flags

    def of(self, record: DatasetRecord, row: int | None, column: str | None) -> list[CaveatGroup]:
        """Groups of caveats; none where nothing is flagged."""
        return list(self.stream(record, row, column))

    def stream(self, record: DatasetRecord, row: int | None, column: str | None) -> Iterator[CaveatGroup]:
        """The groups one by one, those raised nearest to the dataset first."""
        if row is None and column is None:
            yield from self._notes(record)
        selected: dict[DatasetId, Selection] = {record.id: _selection_of(record, row, column)}
        for each in (record, *self._trace.ancestors(record)):
            part = self._select_flagged(each, selected.pop(each.id, {}))
            if part:
                yield from self._groups(each, part)
                self._follow(each, part, selected)

    def narrow(self, group: CaveatGroup, places: Ids) -> CaveatGroup:
        """Some caveats of a group, by their numbers among those of the dataset that raised them."""
        assert group.dataset is not None, "groups that were listed say where they are from"
        record = self._store.by_id(group.dataset)
        return self._group(record, group.family, group.column, places, is_done=group.acknowledged)

    def _notes(self, record: DatasetRecord) -> Iterator[CaveatGroup]:
        for each in self._own.sets(record):
            if each.family in NOTES:
                yield self._group(record, each.family, each.column, each.places, is_done=False)

    def _select_flagged(self, record: DatasetRecord, asked: Selection) -> Selection:
        """Return the part of a selection that is flagged."""
        if isinstance(record, ForgottenRecord):
            return asked
        flagged = self._flags.listed_flags(record)
        kept: Selection = {}
        for part, rows in asked.items():
            if part == ROW_SET:
                if flagged.row_set:
                    kept[part] = None
            elif part in flagged.masks:
                mask = flagged.masks[part]
                inside = np.flatnonzero(mask) if rows is None else rows[mask[rows]]
                if len(inside):
                    kept[part] = inside
        return kept

    def _follow(self, record: DatasetRecord, selected: Selection, found: dict[DatasetId, Selection]) -> None:
        """Select the parts of the inputs whose doubt can reach this selection."""
        document = self._edges.document(record)
        if document is None:
            return
        for part, rows in selected.items():
            for influence in self._influences.on(record, part):
                source = self._store.by_id(document.sources[influence.source])
                if self._can_be_flagged(source, influence.part):
                    whole = influence.scope == "anywhere" or rows is None
                    behind = None if whole else self._behind(record, source, influence, rows)
                    if behind is not None and influence.scope == "absent":
                        behind = np.union1d(behind, unused_rows(self._edges, record, source, influence.source))
                    _add(found.setdefault(source.id, {}), influence.part, behind)

    def _can_be_flagged(self, record: DatasetRecord, part: Part) -> bool:
        return isinstance(record, ForgottenRecord) or self._flags.listed_flags(record).any(part)

    def _behind(
        self, record: DatasetRecord, source: DatasetRecord, influence: InfluencingPart, rows: Ids | None
    ) -> Ids:
        """The flagged rows of a source that these rows were made from, looked up from the end that has fewer rows."""
        assert rows is not None, "all rows need no looking up"
        mask = self._flags.listed_flags(source).masks.get(influence.part)
        fan_in = source.rows / max(record.rows, 1)
        if mask is None or len(rows) * fan_in <= np.count_nonzero(mask) or self._edges.has_windows(record):
            return self._edges.rows_read_by(record, influence.source, rows)
        candidates = np.flatnonzero(mask)
        lengths, made = self._edges.lookup_each(record, influence.source, candidates, backward=False)
        wanted = np.zeros(record.rows, dtype=bool)
        wanted[rows] = True
        hit = np.zeros(len(candidates), dtype=bool)
        hit[np.repeat(np.arange(len(candidates)), lengths)[wanted[made]]] = True
        behind: Ids = candidates[hit]
        return behind

    def _groups(self, record: DatasetRecord, selected: Selection) -> Iterator[CaveatGroup]:
        done = self._flags.acknowledged_mask(record)
        for each in self._own.sets(record):
            reached = [part for part in selected if self._own.reaches(record, each, part)]
            if not reached and not isinstance(record, ForgottenRecord):
                continue
            places = self._inside(record, each, {part: selected[part] for part in reached})
            is_done = np.zeros(len(places), dtype=bool) if done is None else done[places]
            for state in (False, True):
                chosen = places[is_done == state]
                if len(chosen):
                    yield self._group(record, each.family, each.column, chosen, is_done=state)

    def _inside(self, record: DatasetRecord, each: CaveatSet, selected: Selection) -> Ids:
        """The caveats of the set that sit on the rows in question."""
        if not selected or any(rows is None for rows in selected.values()):
            return each.places
        rows = np.unique(np.concatenate([rows for rows in selected.values() if rows is not None]))
        if each.rows is not None:
            wanted = np.zeros(record.rows, dtype=bool)
            wanted[rows] = True
            keep: Mask = wanted[each.rows]
        else:
            keep = self._raised_behind(record, each, rows)
        places: Ids = each.places[keep]
        return places

    def _raised_behind(self, record: DatasetRecord, each: CaveatSet, rows: Ids) -> Mask:
        """Of caveats raised inside the query, those raised on source rows that these rows were made from."""
        about, keep = self._influences.about(record), np.ones(len(each.places), dtype=bool)
        block = self._own.source_rows_of(record, each)
        if block is None or about.decides_elsewhere(each.site):
            return keep
        for source in sorted({number for part in block.parts for number in part.sources}):
            caveats, raised_on = block.pairs(source)
            behind = self._edges.backward(record, source, rows)
            hit = np.zeros(len(keep), dtype=bool)
            hit[caveats[np.isin(raised_on, behind)]] = True
            knows = np.zeros(len(keep), dtype=bool)
            knows[caveats] = True
            keep &= hit | ~knows
        return keep

    def _group(
        self, record: DatasetRecord, family: str, column: str | None, places: Ids, *, is_done: bool
    ) -> CaveatGroup:
        table = self._store.caveat_table(record)
        shown = table.take(places[:MOST_REFERENCES]).to_pylist()
        messages = tuple(dict.fromkeys(caveat["message"] for caveat in shown))
        lines = self._lines(record, shown)
        references = tuple(
            CaveatRef(
                dataset=record.name,
                version=record.version,
                row=caveat["row"],
                column=caveat["column"],
                line=line,
                text=caveat["text"],
                message=caveat["message"],
            )
            for caveat, line in zip(shown, lines, strict=True)
        )
        return CaveatGroup(
            message=shown[0]["message"],
            count=len(places),
            family=family,
            made_by=f"{record.origin} {record.label}",
            column=column,
            references=references,
            messages=messages if len(places) <= MOST_MESSAGES else messages[:1],
            acknowledged=is_done,
            note=self._flags.note(record, int(places[0])) if is_done else "",
            dataset=record.id,
            places=array("q", places.astype(np.int64).tobytes()),
            ending=_common_ending(table, places, messages) if len(places) > MOST_REFERENCES else "",
        )

    def _lines(self, record: DatasetRecord, shown: list[dict[str, Any]]) -> list[int | None]:
        """Return the lines of caveats; a version that states doubts about a loaded one has the lines of its rows."""
        rows = [caveat["row"] for caveat in shown]
        if record.origin not in STATING or isinstance(record, ForgottenRecord) or None in rows:
            return [caveat["line"] for caveat in shown]
        return file_lines(self._store, self._edges, record, np.array(rows, dtype=np.int64))


def _common_ending(table: pa.Table, places: Ids, shown: Sequence[str]) -> str:
    """Return the text with which all messages end, if it is as long as that of the messages shown."""
    shortest = min(shown, key=len)
    length = next(
        n for n in range(len(shortest), -1, -1) if all(each.endswith(shortest[len(shortest) - n :]) for each in shown)
    )
    ending = shortest[len(shortest) - length :]
    ends = pc.all(pc.ends_with(table.column("message").take(places), ending)).as_py()
    return ending if ends else ""


def _selection_of(record: DatasetRecord, row: int | None, column: str | None) -> Selection:
    parts: tuple[Part, ...] = record.schema.names if column is None else (column,)
    if row is not None:
        rows = np.array([row], dtype=np.int64)
        return dict.fromkeys((*parts, ROW), rows)
    whole: tuple[Part, ...] = (ROW, ROW_SET) if column is None else ()
    return dict.fromkeys((*parts, *whole))


def _add(selection: Selection, part: Part, rows: Ids | None) -> None:
    known = selection.get(part, rows)
    selection[part] = None if known is None or rows is None else np.union1d(known, rows)
