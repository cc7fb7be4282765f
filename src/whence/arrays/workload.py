"""The questions that are expected: declared by the user, or seen."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, cast

from whence.lineage.prepared_files import ExpectedQuestion
from whence.lineage.trace import Hop, Trace
from whence.model.dataset import DatasetRecord
from whence.model.errors import BadInput, WhenceError
from whence.model.ids import DatasetId

Way = Literal["filter", "totals"]
"""What is asked of lineage by attributes."""

Prepared = tuple[DatasetId, ExpectedQuestion]
"""The dataset whose rows are asked about, and what about them."""

Question = tuple[DatasetId, DatasetId, str]
"""Where it starts, where it ends, and which way it goes."""


@dataclass
class Workload:
    """How often each question is asked."""

    declared: Counter[Question] = field(default_factory=Counter)
    seen: Counter[Question] = field(default_factory=Counter)
    declared_by: defaultdict[Prepared, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))
    """Questions by attributes, declared and seen."""
    seen_by: defaultdict[Prepared, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))

    def see(self, start: DatasetRecord, end: DatasetRecord, way: str) -> None:
        """Somebody asked."""
        self.seen[start.id, end.id, way] += 1

    def see_expected(self, record: DatasetRecord, expected: ExpectedQuestion, way: Way) -> None:
        """Somebody asked by attributes."""
        self.seen_by[record.id, expected][way] += 1

    def declare(
        self,
        questions: Iterable[Sequence[object]],
        find: Callable[[object], DatasetRecord],
        expect: Callable[[DatasetRecord, Mapping[str, object]], ExpectedQuestion],
    ) -> None:
        """What the user expects: ("backward", "stars", "raw"), with a weight if some are asked more often.

        Filters and totals say by which attributes: ("totals", "sums", "sales", {"by": ["m"], "measures": ["n"]}).
        """
        self.declared = Counter()
        self.declared_by = defaultdict(Counter)
        for each in questions:
            if each and each[0] in ("filter", "totals"):
                self._declare_by(each, find, expect)
                continue
            if len(each) not in (3, 4) or each[0] not in ("backward", "forward"):
                raise BadInput(
                    f"A question of a workload cannot be {tuple(each)!r}.",
                    'Say ("backward", "result", "source") or ("forward", "source", "result"), perhaps with a weight.',
                )
            weight = cast("float", each[3]) if len(each) == 4 else 1
            self.declared[find(each[1]).id, find(each[2]).id, str(each[0])] += weight  # type: ignore[assignment]

    def _declare_by(
        self,
        question: Sequence[object],
        find: Callable[[object], DatasetRecord],
        expect: Callable[[DatasetRecord, Mapping[str, object]], ExpectedQuestion],
    ) -> None:
        if len(question) not in (4, 5) or not isinstance(question[3], Mapping) or not question[3].get("by"):
            raise BadInput(
                f"A question of a workload cannot be {tuple(question)!r}.",
                'Say ("filter", "result", "source", {"by": ["column"]}), for totals also "measures"; perhaps a weight.',
            )
        weight = cast("float", question[4]) if len(question) == 5 else 1
        expected = expect(find(question[2]), question[3])
        self.declared_by[find(question[1]).id, expected][str(question[0])] += weight  # type: ignore[assignment]

    def by_attributes(self) -> dict[Prepared, dict[str, float]]:
        """How often each dataset is asked by attributes; what was declared counts alone, if anything was."""
        has_declared = self.declared or self.declared_by
        found = self.declared_by if has_declared else self.seen_by
        return {key: dict(ways) for key, ways in tuple(found.items())}

    def sources(self, trace: Trace, by_id: Callable[[DatasetId], DatasetRecord]) -> dict[DatasetId, set[int]]:
        """Through which of its sources each dataset is asked."""
        found: defaultdict[DatasetId, set[int]] = defaultdict(set)
        for hop, _, _ in self._hops(trace, by_id):
            found[hop.record.id].add(hop.number)
        return dict(found)

    def demand(self, trace: Trace, by_id: Callable[[DatasetId], DatasetRecord]) -> dict[tuple[DatasetId, str], float]:
        """How often each dataset's own step is taken, each way; what was declared counts alone, if anything was."""
        found: defaultdict[tuple[DatasetId, str], float] = defaultdict(float)
        for hop, way, weight in self._hops(trace, by_id):
            found[hop.record.id, way] += weight
        return dict(found)

    def _hops(self, trace: Trace, by_id: Callable[[DatasetId], DatasetRecord]) -> Iterator[tuple[Hop, str, float]]:
        """Every edge on the way of a question."""
        asked = self.declared if self.declared or self.declared_by else self.seen
        for (start, end, way), weight in tuple(asked.items()):
            newer, older = (start, end) if way == "backward" else (end, start)
            try:
                hops = trace.hops(by_id(newer), by_id(older))
            except WhenceError:  # one of them was forgotten
                continue
            yield from ((hop, way, weight) for hop in hops)
