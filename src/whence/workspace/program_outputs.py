"""Keeps the frames that a running program shows, collects and writes as datasets, with lineage down to its files."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TypeVar

from whence.engine.frame_actions import FrameAction, MadeFrame
from whence.engine.frames import Frame, is_rdd
from whence.engine.written_files import files_at
from whence.model.dataset import DatasetRecord
from whence.model.errors import WhenceError
from whence.model.plural import counted
from whence.model.schema import INTERNAL_PREFIX
from whence.store.sources import COPY_LIMIT
from whence.workspace.adopt_frame import PinnedFrame, keep_frame, pin_frame
from whence.workspace.adopted_names import Claim, plain_name, variable_claim
from whence.workspace.coarse_step import coarse_step, models_below
from whence.workspace.context import Context
from whence.workspace.handed_out import HandedOut

Result = TypeVar("Result")

_ADDED = "__"
"""Columns of pandas on Spark whose names begin so hold its index; the program does not see them."""


@dataclass(frozen=True)
class KeptOutput:
    """One output of a program, and the dataset that was kept of it, or the reason why none was."""

    what: str
    record: DatasetRecord | None
    note: str = ""
    """Why it was not kept, or why its lineage is coarse."""
    models: tuple[str, ...] = ()
    """The models of Spark ML on the way to the sources, which were fitted on rows that the query does not show."""

    @property
    def is_exact(self) -> bool:
        """Whether lineage is exact on all steps down to the sources."""
        return self.record is not None and not self.note and not self.models

    @property
    def sentence(self) -> str:
        """What was kept, and how exact its lineage is, in a line."""
        if self.record is None:
            return f"{self.what}: not kept: {self.note}"
        lineage = f"coarse: {self.note.rstrip(',')}" if self.note else "exact"
        if self.models and not self.note:
            lineage += f" but for what {' and '.join(self.models)} learned"
        return f"{self.what}: {self.record.label}, {counted(self.record.rows, 'row')}, {lineage}"


@dataclass(frozen=True)
class _KeptFrame:
    """A frame that was kept, under which claim, and as what."""

    pinned: PinnedFrame
    claim: Claim
    output: KeptOutput


class ProgramOutputs:
    """The outputs of one program. `watch` is called around each of its actions."""

    def __init__(self, open_workspace: Callable[[Frame], Context], *, counts: bool = False) -> None:
        self._open = open_workspace
        self._counts = counts
        self._seen: list[_KeptFrame] = []
        self._handed_out = HandedOut()
        self.kept: list[KeptOutput] = []
        self.seconds = 0.0
        """The time that whence took beside the program's own."""

    @contextmanager
    def watch(self, action: FrameAction) -> Iterator[None]:
        """Pin what the frame reads, let the program act, and keep the frame if it did so without an error."""
        if action.kind == "taken" or (action.kind == "counted" and not self._counts):
            yield
            self._handed_out.add(action.answers, None)
            return
        before = len(self.kept)
        pinned = self._trying(_what(action), lambda: self._pin(action))
        there = files_at(action)
        yield
        made = files_at(action)
        if pinned is not None and not (there and made == there):  # else nothing was written: the target was there
            self._trying(_what(action), lambda: self._keep(action, pinned, made - there))
        record = next((each.record for each in self.kept[before:] if each.record is not None), None)
        self._handed_out.add(action.answers, record)

    def take_back(self, made: MadeFrame) -> None:
        """Keep rows that the program gives back to Spark as a dataset that knows from which frames they may come."""
        if is_rdd(made.data):
            self._trying(_describe_frame(made), lambda: self._handed_out.follow_rdd(made))
        elif self._handed_out.may_hold(made):
            self._trying(_describe_frame(made), lambda: self._handed_out.take_back(self._open(made.frame), made))

    def _trying(self, what: str, work: Callable[[], Result]) -> Result | None:
        """Do work beside the program, whose own action must go on whatever happens here."""
        began = time.perf_counter()
        try:
            return work()
        # Any error, as the program must not end by what it does not know of. The summary says it.
        except Exception as error:
            reason = error.message if isinstance(error, WhenceError) else f"{type(error).__name__}: {error}"
            self.kept.append(KeptOutput(what, None, reason.splitlines()[0]))
            return None
        finally:
            self.seconds += time.perf_counter() - began

    def _pin(self, action: FrameAction) -> tuple[Context, PinnedFrame] | None:
        context = self._open(action.frame)
        frame = _without_added(action.frame)
        self._handed_out.keep_followed(context, frame)
        if action.kind == "counted":
            frame = frame.groupBy().count()
        claim, is_shown = _claim(action), action.kind == "shown"
        pinned = pin_frame(context, frame, claim, action.held, reuses_cached=not is_shown)
        size = sum(sum(part.size for part in context.store.manifest(each).parts) for each in pinned.records)
        if is_shown and size > COPY_LIMIT and not pinned.is_source:
            note = "shown only, and its input is large; collect or write it to keep it"
            self.kept.append(KeptOutput(_what(action), None, note))
            return None
        if is_shown and context.engine.has_cached_frames:
            pinned = pin_frame(context, frame, claim, action.held)
        return context, pinned

    def _keep(self, action: FrameAction, found: tuple[Context, PinnedFrame], made: frozenset[str]) -> None:
        context, pinned = found
        if pinned.is_source and action.kind != "written":
            note, models = coarse_step(context.store, pinned.records), models_below(context.store, pinned.records)
            self.kept.append(KeptOutput(_what(action), pinned.records[0], note, models))
            return
        before = self._find_again(context, pinned)
        if before is not None and not made:
            self.kept.append(replace(before.output, what=_what(action)))
            return
        claim = pinned.claim if before is None or before.claim.name != pinned.claim.name else before.claim
        adopted = keep_frame(context, replace(pinned, claim=replace(claim, files=tuple(sorted(made)))))
        models = models_below(context.store, [adopted.record])
        output = KeptOutput(_what(action), adopted.record, adopted.coarse_because, models)
        self._seen.append(_KeptFrame(pinned, claim, output))
        self.kept.append(output)

    def _find_again(self, context: Context, pinned: PinnedFrame) -> _KeptFrame | None:
        """Return what was kept of an equal frame before: programs often show what they then write."""
        for seen in reversed(self._seen):
            if seen.pinned.records == pinned.records and context.engine.are_same(seen.pinned.frame, pinned.frame):
                return seen
        return None


def _without_added(frame: Frame) -> Frame:
    added = [name for name in frame.columns if name.startswith(_ADDED) and not name.startswith(INTERNAL_PREFIX)]
    return frame.drop(*added) if 0 < len(added) < len(frame.columns) else frame


def _claim(action: FrameAction) -> Claim:
    if action.path is not None:
        return Claim(plain_name(Path(action.path).name), "result", f"files {action.path}")
    if action.table is not None:
        return Claim(plain_name(action.table), "result", f"table {action.table}")
    return variable_claim((action.variable or f"line_{action.line}") + ("_count" if action.kind == "counted" else ""))


def _describe_frame(made: MadeFrame) -> str:
    return f"{made.variable or 'rows'} given to Spark, line {made.line}"


def _what(action: FrameAction) -> str:
    where = action.path or action.table or action.variable
    line = f"line {action.line}"
    return f"{where} {action.kind}, {line}" if where else f"{action.kind}, {line}"
