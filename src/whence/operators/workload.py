"""The questions that are expected: declared by the user, or seen."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import cast

from whence.lineage.trace import Trace
from whence.model.dataset import DatasetRecord
from whence.model.errors import BadInput, WhenceError
from whence.model.ids import DatasetId

Question = tuple[DatasetId, DatasetId, str]
"""Where it starts, where it ends, and which way it goes."""


@dataclass
class Workload:
    """How often each question is asked."""

    declared: Counter[Question] = field(default_factory=Counter)
    seen: Counter[Question] = field(default_factory=Counter)

    def see(self, start: DatasetRecord, end: DatasetRecord, way: str) -> None:
        """Somebody asked."""
        self.seen[start.id, end.id, way] += 1

    def declare(self, questions: Iterable[Sequence[object]], find: Callable[[object], DatasetRecord]) -> None:
        """What the user expects: ("backward", "stars", "raw"), with a weight if some are asked more often."""
        self.declared = Counter()
        for each in questions:
            if len(each) not in (3, 4) or each[0] not in ("backward", "forward"):
                raise BadInput(
                    f"A question of a workload cannot be {tuple(each)!r}.",
                    'Say ("backward", "result", "source") or ("forward", "source", "result"), perhaps with a weight.',
                )
            weight = cast("float", each[3]) if len(each) == 4 else 1
            self.declared[find(each[1]).id, find(each[2]).id, str(each[0])] += weight  # type: ignore[assignment]

    def demand(self, trace: Trace, by_id: Callable[[DatasetId], DatasetRecord]) -> dict[tuple[DatasetId, str], float]:
        """How often each dataset's own step is taken, each way; what was declared counts alone, if anything was."""
        found: defaultdict[tuple[DatasetId, str], float] = defaultdict(float)
        for (start, end, way), weight in tuple((self.declared or self.seen).items()):
            newer, older = (start, end) if way == "backward" else (end, start)
            try:
                hops = trace.hops(by_id(newer), by_id(older))
            except WhenceError:  # one of them was forgotten
                continue
            for hop in hops:
                found[hop.record.id, way] += weight
        return dict(found)
