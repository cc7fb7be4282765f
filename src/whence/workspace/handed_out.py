"""Knows which datasets hold the rows that a program took from Spark, and finds lineage for rows that it gives back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Sized

from whence.derive.derive import derive
from whence.derive.from_code import CodeResult, derive_table
from whence.derive.request import Request
from whence.engine.foreign_leaf import ForeignLeaf
from whence.engine.frame_actions import MadeFrame
from whence.engine.frames import Frame, holds_rows_of_others, is_rdd
from whence.engine.vectors import holds_vectors
from whence.model.caveat import Caveat
from whence.model.dataset import DatasetRecord
from whence.model.errors import UnknownDataset
from whence.model.ids import DatasetId
from whence.store.store import Store
from whence.workspace.adopted_names import DOCUMENT, Claim, claim_name, plain_name
from whence.workspace.context import Context
from whence.workspace.frame_origin import find_origin, identify_rows, mark_frame

_RDD = "an RDD of files or of rows that the program took"
_GIVEN_BACK = "rows that came back from Python"
_OTHERS = Caveat("These rows may also come from frames that were not kept; their doubts are not known here.", "lineage")


class HandedOut:
    """The datasets of all frames whose rows the program holds in Python.

    Rows that come back may come from any of these, as pandas and lists do not tell. If a pandas frame remembers its
    dataset, its index may tell more.
    """

    def __init__(self) -> None:
        self._datasets: dict[DatasetId, DatasetRecord] = {}
        self._has_others = False
        self._followed: list[tuple[MadeFrame, str]] = []

    def add(self, answers: Sequence[object], record: DatasetRecord | None) -> None:
        """Remember what an action returned. `record` is the dataset of these rows, if they were kept."""
        found = [each for each in answers if each is not None]
        if record is None:
            self._has_others = self._has_others or bool(found)
            return
        for answer in found:
            self._datasets[record.id] = record
            if is_pandas(answer):
                mark_frame(answer, record)  # type: ignore[arg-type]

    def may_hold(self, made: MadeFrame) -> bool:
        """Whether rows that a program gives to Spark may come from frames that it took rows from."""
        if find_origin(made.data) is not None:
            return True
        is_nothing = isinstance(made.data, Sized) and not len(made.data)
        return not made.is_written and not is_nothing and (self._has_others or bool(self._datasets))

    def follow_rdd(self, made: MadeFrame) -> None:
        """Remember a frame that a program made of an RDD, unless the RDD holds only rows that the program made."""
        if self._has_others or self._datasets or (is_rdd(made.data) and holds_rows_of_others(made.data)):
            self._followed.append((made, _RDD))

    def keep_followed(self, context: Context, frame: Frame) -> None:
        """Keep the rows of RDDs and vectors that a frame reads, which may come from all rows that the program took."""
        if not self._followed:
            return
        for leaf in context.engine.plan_of(frame).leaves:
            found = next((each for each in self._followed if context.engine.computes(each[0].frame, leaf)), None)
            if found is not None and context.engine.recall_leaf(leaf) is None:
                self._keep(context, *found, leaf)

    def _keep(self, context: Context, made: MadeFrame, reason: str, leaf: ForeignLeaf) -> None:
        known = [record for record in (_find(context.store, each) for each in self._datasets) if record is not None]
        query = context.engine.as_it_is(context.engine.leaf_frame(leaf), [each.id for each in known], reason)
        claim = _claim(made)
        documents: Mapping[str, object] = {DOCUMENT: claim.as_document()}
        request = Request(query, claim_name(context.store, claim), "dataset", "", documents=documents)
        context.engine.remember_leaf(leaf, derive(context.derive, request).id)

    def take_back(self, context: Context, made: MadeFrame) -> None:
        """Make a dataset of the rows, which all queries over the frame then read."""
        context.engine.follow_settings(made.frame.sparkSession)
        (leaf,) = context.engine.plan_of(made.frame).leaves
        if any(holds_vectors(field.type) for field in leaf.schema):  # a table of Arrow would lose that they are vectors
            self._followed.append((made, _GIVEN_BACK))
            return
        table = context.engine.to_arrow(context.engine.leaf_frame(leaf))
        origin = find_origin(made.data)
        known = None if origin is None else _find(context.store, origin.dataset)
        others = [_find(context.store, each) for each in self._datasets]
        read = {each.id: each for each in (known, *others) if each is not None}
        is_lost = self._has_others or None in others or (origin is not None and known is None)
        claim = _claim(made)
        result = CodeResult(
            name=claim_name(context.store, claim),
            table=table,
            read_datasets=list(read.values()),
            rows=None if known is None or origin is None else identify_rows(context.store, known, table, origin.rows),
            text=f"given to Spark in line {made.line}",
            notes=(_OTHERS,) if is_lost else (),
            documents={DOCUMENT: claim.as_document()},
            keeps_types=True,
        )
        context.engine.remember_leaf(leaf, derive_table(context.derive, result).id)


def is_pandas(data: object) -> bool:
    """Whether this is a frame of pandas, known without importing pandas."""
    return type(data).__module__.partition(".")[0] == "pandas" and hasattr(data, "iloc")


def _claim(made: MadeFrame) -> Claim:
    name = plain_name(made.variable or f"line_{made.line}")
    return Claim(name, "step", f"rows {name}")


def _find(store: Store, dataset: DatasetId) -> DatasetRecord | None:
    try:
        return store.by_id(dataset)
    except UnknownDataset:  # of another workspace, or forgotten since
        return None
