"""`ws.capture`: switches lineage capture off and on, limits its cost, and restricts it to some inputs."""

from __future__ import annotations

from dataclasses import replace

from whence.derive.policy import CapturePolicy, CaptureSettings
from whence.store.store import Store
from whence.workspace.references import version_of


class CaptureControl:
    """Settings of lineage capture. They hold for all later queries, also those of cells, until they change."""

    def __init__(self, store: Store, policy: CapturePolicy) -> None:
        self._store = store
        self._policy = policy

    def pause(self) -> None:
        """Pause capture: later group-bys are traced only when a question comes, other queries never.

        Deferred jobs go on waiting until `resume`.

        >>> numbers = ws.create("digits", [(1,), (2,)], schema="x int")
        >>> ws.capture.pause()
        >>> doubled = ws.sql("select x * 2 as y from digits", name="doubled")
        >>> ws.capture.resume()
        >>> doubled.lineage.exact
        False
        """
        self._change(replace(self._settings, is_paused=True))

    def off(self) -> None:
        """Capture nothing, and trace nothing later either, until `resume` is called.

        >>> numbers = ws.create("digits", [(1,), (2,)], schema="x int")
        >>> ws.capture.off()
        >>> total = ws.sql("select sum(x) as total from digits", name="total_of_digits")
        >>> ws.capture.resume()
        >>> total.lineage.strategy[:30]
        'off: lineage was switched off '
        """
        self._change(replace(self._settings, is_off=True))

    def resume(self) -> None:
        """Capture again after `pause` or `off`, and run the deferred jobs."""
        self._change(replace(self._settings, is_paused=False, is_off=False))

    @property
    def is_paused(self) -> bool:
        """Whether capture is paused or off until `resume`."""
        return self._settings.is_paused or self._settings.is_off

    def limit(self, *, bytes: int | None = None, seconds: float | None = None) -> None:
        """Give up the lineage of a query that takes more bytes (before compression), or a deferred job more seconds.

        Without arguments there is no limit.

        >>> ws.capture.limit(bytes=10_000_000, seconds=30)
        >>> ws.capture.limit()
        """
        self._change(replace(self._settings, most_bytes=bytes, most_seconds=seconds))

    def only(self, *datasets: str) -> None:
        """Trace only rows of these datasets. Without arguments, trace rows of every dataset.

        >>> few, more = ws.create("few", [(1,)], schema="x int"), ws.create("more", [(1,), (1,)], schema="x int")
        >>> ws.capture.only("few")
        >>> both = ws.sql("select few.x from few join more using (x)", name="both_of_them")
        >>> ws.capture.only()
        >>> both.lineage.backward([1], to="few").ids.tolist(), both.lineage.strategy[103:136]
        ([0], 'Rows of more were not traced: cap')
        """
        names = frozenset(version_of(self._store, each).name.lower() for each in datasets)
        self._change(replace(self._settings, only=names or None))

    def take_over(self, wanted: bool = True) -> None:
        """Set whether a query that ran before over the same versions reuses rows and lineage. By default it does.

        >>> coins = ws.create("coins", [(1,), (5,)], schema="cents int")
        >>> first = ws.sql("select sum(cents) as s from coins", name="sum_of_coins")
        >>> ws.sql("select sum(cents) as s from coins", name="once_more").lineage.strategy[:42]
        'taken over: sum_of_coins@1 is what the sam'
        >>> ws.capture.take_over(False)
        >>> ws.sql("select sum(cents) as s from coins", name="run_again").lineage.strategy[:6]
        'inject'
        >>> ws.capture.take_over()
        """
        self._change(replace(self._settings, reuses_results=wanted))

    @property
    def _settings(self) -> CaptureSettings:
        return self._policy.settings

    def _change(self, settings: CaptureSettings) -> None:
        self._policy.change(settings)
