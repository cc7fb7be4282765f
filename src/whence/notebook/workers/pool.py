"""A pool of workers that are ready to run, so that a cell need not wait for Python to start. Each is used once."""

from __future__ import annotations

import queue
import threading
import uuid
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from whence.engine.confine.confine import Level, Limits, memory_for_cells
from whence.notebook.workers.process import Worker, WorkerLost

KEPT = 2
"""Workers that wait, ready to run."""
_Order = Callable[[], None] | None


class Pool:
    """The workers of one workspace. The pool starts none before the first `take` or `warm_up`."""

    def __init__(self, folder: Path, limits: Limits | None = None, kept: int = KEPT) -> None:
        self._folder = folder
        self.limits = limits or Limits(memory_for_cells())
        self._kept = kept
        self._connect: tuple[int, ...] = ()
        self._warm: tuple[str, ...] = ()
        self._idle: list[Worker] = []
        self._lock = threading.Lock()
        self._orders: queue.Queue[_Order] = queue.Queue()
        self._is_closed = False
        # The kernel kills a worker when the thread that started it ends (PR_SET_PDEATHSIG takes the thread for the
        # parent). So one thread, which lives as long as the pool, starts them all.
        self._starter: threading.Thread | None = None

    def allow(self, port: int, *warm: str) -> None:
        """Let new workers connect to one port, with these modules imported. End those that wait, for they may not."""
        with self._lock:
            self._connect, self._warm = (port,), warm
            old, self._idle = self._idle, []
        for worker in old:
            _end(worker)

    def warm_up(self) -> None:
        """Start the workers that are missing, in the background."""
        with self._lock:
            missing = self._kept - len(self._idle)
        for _ in range(missing):
            self._order(self._add)

    def take(self) -> Worker:
        """Return a worker that is ready, for one run or session. The pool starts another in its place."""
        worker = self._next() or self._fresh()
        try:
            self._order(self._add)
            worker.ready()
        except BaseException:  # it did not start, or the pool was closed meanwhile
            _end(worker)
            raise
        return worker

    @property
    def waiting(self) -> int:
        """How many workers wait, ready to run."""
        with self._lock:
            return len(self._idle)

    def level(self) -> Level:
        """Return how workers are confined on this system."""
        with self._lock:
            known = next((each.level for each in self._idle if each.level is not None), None)
        if known is not None:
            return known
        worker = self.take()
        try:
            return worker.ready()
        finally:
            _end(worker)

    def close(self) -> None:
        """End all workers that wait."""
        with self._lock:
            self._is_closed = True
            idle, self._idle = self._idle, []
        for worker in idle:
            _end(worker)
        if self._starter is not None:
            self._orders.put(None)
            self._starter.join(timeout=30)

    def _next(self) -> Worker | None:
        with self._lock:
            while self._idle:
                worker = self._idle.pop(0)
                if worker.exit_code() is None:
                    return worker
                _end(worker)
        return None

    def _fresh(self) -> Worker:
        made: queue.Queue[Worker | BaseException] = queue.Queue()

        def make() -> None:
            try:
                made.put(self._make())
            except BaseException as error:
                made.put(error)

        self._order(make)
        worker = made.get()
        if isinstance(worker, BaseException):
            raise worker
        return worker

    def _order(self, work: Callable[[], None]) -> None:
        with self._lock:
            if self._is_closed:
                raise WorkerLost("The workspace is closed.")
            if self._starter is None:
                self._starter = threading.Thread(target=self._serve, name="python-cells", daemon=True)
                self._starter.start()
            # Under the lock: after the None of `close` nothing is served, and `_fresh` would wait for ever.
            self._orders.put(work)

    def _serve(self) -> None:
        while (work := self._orders.get()) is not None:
            work()

    def _add(self) -> None:
        with self._lock:
            if self._is_closed or len(self._idle) >= self._kept:
                return
        try:
            worker = self._make()
        except OSError:
            return  # `take` then starts one itself, and its caller gets the error
        try:
            worker.ready()
        except (OSError, WorkerLost):
            _end(worker)
            return
        with self._lock:
            if not self._is_closed:
                self._idle.append(worker)
                return
        _end(worker)

    def _make(self) -> Worker:
        folder = self._folder / f"cell-{uuid.uuid4().hex}"
        return Worker(folder, replace(self.limits), self._connect, self._warm)


def _end(worker: Worker) -> None:
    worker.kill()
    worker.remove_files()
