"""The questions the planner plans for: those the user declares, else those that were asked."""

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
"""The kinds of questions by attributes: filter rows, or add up measures."""

Prepared = tuple[DatasetId, ExpectedQuestion]
"""The dataset whose rows are asked about, and what about them."""

Question = tuple[DatasetId, DatasetId, str]
"""The dataset where it starts, the dataset where it ends, and its direction."""


@dataclass
class Workload:
    """How often each question is asked."""

    declared: Counter[Question] = field(default_factory=Counter)
    seen: Counter[Question] = field(default_factory=Counter)
    declared_by: defaultdict[Prepared, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))
    """Questions by attributes that the user declared; `seen_by` counts those that were asked."""
    seen_by: defaultdict[Prepared, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))

    def see(self, start: DatasetRecord, end: DatasetRecord, way: str) -> None:
        """Count a question."""
        self.seen[start.id, end.id, way] += 1

    def see_expected(self, record: DatasetRecord, expected: ExpectedQuestion, way: Way) -> None:
        """Count a question by attributes."""
        self.seen_by[record.id, expected][way] += 1

    def declare(
        self,
        questions: Iterable[Sequence[object]],
        find: Callable[[object], DatasetRecord],
        expect: Callable[[DatasetRecord, Mapping[str, object]], ExpectedQuestion],
    ) -> None:
        """Replace the declared questions: ("backward", "stars", "raw"), with a weight if some are asked more often.

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
        """Return how often each dataset is asked by attributes; asked questions count only if none is declared."""
        has_declared = self.declared or self.declared_by
        found = self.declared_by if has_declared else self.seen_by
        # A copy, as other threads count questions while the planner's thread reads.
        return {key: dict(ways) for key, ways in tuple(found.items())}

    def sources(self, trace: Trace, by_id: Callable[[DatasetId], DatasetRecord]) -> dict[DatasetId, set[int]]:
        """Return, for each dataset, the sources that questions go through."""
        found: defaultdict[DatasetId, set[int]] = defaultdict(set)
        for hop, _, _ in self._hops(trace, by_id):
            found[hop.record.id].add(hop.number)
        return dict(found)

    def demand(self, trace: Trace, by_id: Callable[[DatasetId], DatasetRecord]) -> dict[tuple[DatasetId, str], float]:
        """Return how often questions pass each dataset, each way; asked ones count only if none is declared."""
        found: defaultdict[tuple[DatasetId, str], float] = defaultdict(float)
        for hop, way, weight in self._hops(trace, by_id):
            found[hop.record.id, way] += weight
        return dict(found)

    def _hops(self, trace: Trace, by_id: Callable[[DatasetId], DatasetRecord]) -> Iterator[tuple[Hop, str, float]]:
        """Yield every edge on the paths of the questions, with direction and weight."""
        asked = self.declared if self.declared or self.declared_by else self.seen
        # A copy, as other threads count questions while the planner's thread reads.
        for (start, end, way), weight in tuple(asked.items()):
            newer, older = (start, end) if way == "backward" else (end, start)
            try:
                hops = trace.hops(by_id(newer), by_id(older))
            except WhenceError:  # one of them was forgotten
                continue
            yield from ((hop, way, weight) for hop in hops)
