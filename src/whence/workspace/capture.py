"""`ws.capture`: how much lineage may cost, and what it is wanted for."""

from __future__ import annotations

from collections.abc import Callable

from whence.derive.capture import Capture
from whence.lineage.capture_queue import Captures
from whence.lineage.strategy import Mode
from whence.store.store import Store
from whence.workspace.references import version_of


class CaptureSettings:
    """What holds for the queries that follow, until it is changed or the workspace is closed."""

    def __init__(self, store: Store, captures: Callable[[], Captures]) -> None:
        self._store = store
        self._captures = captures
        self._is_paused = False
        self._only: frozenset[str] | None = None
        self._most_bytes: int | None = None
        self._most_seconds: float | None = None
        self._takes_over = True

    def pause(self) -> None:
        """Capture nothing: a group-by is traced when somebody asks, anything else never.

        >>> numbers = ws.create("digits", [(1,), (2,)], schema="x int")
        >>> ws.capture.pause()
        >>> doubled = ws.sql("select x * 2 as y from digits", name="doubled")
        >>> ws.capture.resume()
        >>> doubled.lineage.exact
        False
        """
        self._is_paused = True
        self._tell()

    def resume(self) -> None:
        """Capture again, and do what was left for later."""
        self._is_paused = False
        self._tell()

    @property
    def is_paused(self) -> bool:
        """Nothing is captured."""
        return self._is_paused

    def limit(self, *, bytes: int | None = None, seconds: float | None = None) -> None:
        """Give up a query's lineage if it takes more bytes (before compression), or a later job more seconds.

        Without arguments there is no limit.

        >>> ws.capture.limit(bytes=10_000_000, seconds=30)
        >>> ws.capture.limit()
        """
        self._most_bytes, self._most_seconds = bytes, seconds
        self._tell()

    def only(self, *datasets: str) -> None:
        """Trace rows of these datasets alone; without arguments those of every dataset.

        >>> few, more = ws.create("few", [(1,)], schema="x int"), ws.create("more", [(1,), (1,)], schema="x int")
        >>> ws.capture.only("few")
        >>> both = ws.sql("select few.x from few join more using (x)", name="both_of_them")
        >>> ws.capture.only()
        >>> both.lineage.backward([1], to="few").ids.tolist(), both.lineage.strategy[-50:]
        ([0], 'Rows of more were not traced, as nobody wanted it.')
        """
        names = frozenset(version_of(self._store, each).name.lower() for each in datasets)
        self._only = names or None

    def take_over(self, wanted: bool = True) -> None:
        """Whether the same query over the same versions takes its rows and lineage over from before (it does).

        >>> coins = ws.create("coins", [(1,), (5,)], schema="cents int")
        >>> first = ws.sql("select sum(cents) as s from coins", name="sum_of_coins")
        >>> ws.sql("select sum(cents) as s from coins", name="once_more").lineage.strategy[:42]
        'taken over: sum_of_coins@1 is what the sam'
        >>> ws.capture.take_over(False)
        >>> ws.sql("select sum(cents) as s from coins", name="run_again").lineage.strategy[:6]
        'inject'
        >>> ws.capture.take_over()
        """
        self._takes_over = wanted

    def to_apply(self, mode: Mode, *, can_ask_again: bool, planned: Mode | None = None) -> Capture:
        """What a query is told; `planned` is what a budget makes of it if nobody says otherwise."""
        asked: Mode = "paused" if self._is_paused and mode == "auto" else mode
        can_take_over = self._takes_over and asked == "auto"
        if planned is not None and asked == "auto":
            asked = planned
        return Capture(asked, can_ask_again, self._only, self._most_bytes, can_take_over)

    def _tell(self) -> None:
        self._captures().set(is_paused=self._is_paused, most_seconds=self._most_seconds)
