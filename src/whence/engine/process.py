"""Owns the Java process that Spark runs in: starts it on first use and after a crash, watches and stops its jobs."""

from __future__ import annotations

import os
import threading
import time
import uuid
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path

from py4j.protocol import Py4JError
from pyspark.sql import SparkSession

from whence.engine.class_archive import find_class_archive
from whence.engine.cluster_watch import ClusterWatch
from whence.engine.confined_java import check_confined_to, confined_home
from whence.engine.errors import is_loss, lost_application, translate_errors
from whence.engine.give_way import give_way
from whence.engine.groups import active_tasks_of, cancel_group, join_group, leave_group, tasks_of
from whence.engine.interrupt import ends_on_interrupt
from whence.engine.java import java_home
from whence.engine.leftovers import leftover_tasks
from whence.engine.masters import check_master, check_storage, is_local, master_of, send_code
from whence.engine.parent_watch import watch_parent
from whence.engine.planning import stop_planning, watch_planning
from whence.engine.profile import Connect, Profile
from whence.engine.restart import end_java, forget_java, gateway, is_gone, is_stopped
from whence.engine.session import LOG, SETTINGS, TIME_ZONE, JavaStart, find_scratch, make_session, own_session
from whence.engine.sql_functions import register_functions
from whence.engine.start_wait import StartWait
from whence.engine.waiting_thread import waits_for_spark
from whence.engine.work import Work
from whence.model.errors import UserError
from whence.store.layout import Layout


class SparkProcess:
    """Spark as one workspace uses it: a Java process of whence's own, or the one behind the caller's session."""

    def __init__(
        self,
        layout: Layout,
        master: str,
        caller: SparkSession | None,
        settings: Mapping[str, str],
        profile: Profile,
        clear_session: Callable[[], None],
    ) -> None:
        self._layout = layout
        self._master = master
        self._caller = caller
        self._settings = settings
        self._is_confined = profile == "confined"
        self.connect = None if profile == "library" else Connect.choose(is_gated=self._is_confined)
        """Where isolated cells reach Spark; None in library mode, which runs what its caller writes."""
        self._clear_session = clear_session
        """Called when the session has ended, so that the engine drops what it cached about it."""
        self.lacks_archive = False
        """Whether Spark started without a class archive, so that one may be recorded for the next start."""
        self._starting = threading.RLock()
        self._start_began: float | None = None
        self._start_wait = StartWait()
        self._session: SparkSession | None = None
        self._line: object = None
        """py4j's gateway at the time of the start. Another workspace of this Python process may replace it."""
        self._scratch: Path | None = None
        """Where Spark keeps its files, maybe in another workspace; None if whence did not start it."""
        self._watch: ClusterWatch | None = None
        """Knows whether the application still runs on its cluster; None on a local master."""
        self._thread = threading.local()
        self._work = Work()
        self._threads: dict[str, int] = {}
        """The thread of each group that is under way."""

    @property
    def is_running(self) -> bool:
        """Whether Spark runs for this workspace, in the Java process in which its session was made."""
        if self._session is None or self._line is not gateway() or is_gone(self._line) or self._has_lost_scratch:
            return False
        watch = self._watch
        return watch is None or not watch.has_ended

    @property
    def seconds_starting(self) -> float | None:
        """For how many seconds Spark has been starting for this workspace; None if it is not starting."""
        began = self._start_began
        return None if began is None else time.monotonic() - began

    @property
    def zone(self) -> str:
        """The time zone of the session that is, or would be, started."""
        known = self._session if self.is_running else self._caller
        if known is not None:
            return str(known.conf.get(TIME_ZONE))
        return self._settings.get(TIME_ZONE, SETTINGS[TIME_ZONE])

    @property
    def session(self) -> SparkSession:
        """The workspace's session. The first access starts Spark, and so does one after its process has died."""
        if not self.is_running:
            with self._start_wait.waiting(self._group), self._starting:
                if not self.is_running:  # another thread may have started Spark while this one waited
                    self._start_began = time.monotonic()
                    try:
                        self._start()
                    finally:
                        self._start_began = None
        assert self._session is not None
        self._join(self._session)
        return self._session

    def _join(self, session: SparkSession) -> None:
        """Put jobs of this thread into its job group, if it has one and has not done so in this session."""
        if self._group and self._thread.joined is not session:
            self._thread.joined = session
            join_group(session, self._group, self._thread.description)

    @property
    def _group(self) -> str:
        """The group that jobs of this thread belong to; empty outside of cells."""
        return getattr(self._thread, "group", "")

    def seconds_waited(self, group: str) -> float:
        """Return how long a group has waited for Spark to start; known until its block ends."""
        return self._start_wait.seconds(group)

    def _start(self) -> None:
        if is_gone(gateway()):  # PySpark would go on using the gateway of a process that has died
            forget_java()
        elif is_stopped() or self._is_given_up or is_removed(find_scratch()):
            self._end_application()
        self._lose()
        session = self._make_session() if self._caller is None else own_session(self._caller)
        if not is_local(master_of(session)):
            with translate_errors():
                send_code(session, self._layout.spark_scratch)
                self._watch_cluster(session)
                check_storage(session, self._layout.shared_temporary)
        register_functions(session)
        # After all that can fail: other threads take a session that is set for a ready one, without the lock.
        self._line, self._scratch, self._session = gateway(), find_scratch(), session
        started = getattr(self._line, "proc", None)
        if started is not None and self._caller is None:
            watch_parent(session)
            watch_planning(session)
        if self.connect is not None and started is not None:
            give_way(started.pid)

    @property
    def _has_lost_scratch(self) -> bool:
        """Whether somebody has removed the folder of Spark's files, as with the workspace that started Spark."""
        return is_removed(self._scratch)

    @property
    def _is_given_up(self) -> bool:
        """Whether the watch has ended the application of this session. Spark takes a moment to stop it."""
        return self._watch is not None and bool(self._watch.reason) and self._line is gateway()

    @contextmanager
    def _noticing_end(self) -> Iterator[None]:
        """Raise an error of the block as a loss if the application has ended: while Spark stops, any error may come."""
        watch = self._watch
        try:
            yield
        except Exception as error:
            if watch is None or is_loss(error) or not watch.has_ended:
                raise
            raise lost_application(watch.reason) from error

    def _watch_cluster(self, session: SparkSession) -> None:
        self._watch = ClusterWatch(session)
        if self._caller is None:  # the caller's application is not ours to end
            self._watch.start()

    def _end_application(self) -> None:
        """End the Java process of an application that has ended on its cluster, or cannot run any more."""
        if self._caller is not None:
            raise UserError("Your Spark session has ended.", "Make a new one, and open the workspace with it.")
        end_java()

    def _make_session(self) -> SparkSession:
        check_master(self._master)
        scratch, home = self._layout.spark_scratch, java_home()
        archive = find_class_archive(home)
        self.lacks_archive = archive is not None and archive.can_be_recorded
        if self._is_confined:
            home = confined_home(home, scratch, self._layout, archive)
        session = make_session(
            self._master, scratch, self._settings, JavaStart(home, archive, self._is_confined), self.connect
        )
        if self._is_confined:
            check_confined_to(session, self._layout)
        return session

    def _lose(self) -> None:
        self._session = None
        self.close()
        self._clear_session()

    def close(self) -> None:
        """Watch Spark no more. Spark itself keeps running."""
        if self._watch is not None:
            self._watch.stop()
            self._watch = None

    def empty_log(self) -> None:
        """Empty the log of Java, whose messages may quote values of rows. Java goes on appending to it."""
        if self._scratch is not None:
            with suppress(OSError):
                os.truncate(self._scratch / LOG, 0)

    def restart(self) -> None:
        """Kill the Java process, whatever it is doing. The next use of `session` starts a new one.

        All workspaces of this Python process share it: queries that run in them end with `EngineLost`.
        """
        if self._caller is not None:
            raise UserError("This workspace uses your own Spark session.", "Restart it where it was made.")
        with self._starting:
            end_java()
            self._lose()

    def is_loss(self, error: BaseException) -> bool:
        """Return whether an error came about because the Java process died."""
        return is_loss(error) or (self._session is not None and (is_gone(self._line) or self._has_lost_scratch))

    def reaches(self, path: Path) -> bool:
        """Return whether Spark's tasks can read a file of this machine under the same path."""
        layout = self._layout
        if self._is_confined:
            return any(path.resolve().is_relative_to(each) for each in (layout.files, layout.temporary))
        master = self._master if self._caller is None else master_of(self._caller)
        return is_local(master) or path.resolve().is_relative_to(layout.shared.parent)

    @contextmanager
    def in_group(self, group: str, description: str) -> Iterator[None]:
        """Put jobs that this thread starts in the block into one group, to cancel and watch. Spark need not run yet."""
        self._thread.group, self._thread.description, self._thread.joined = group, description, None
        self._threads[group] = threading.get_ident()
        try:
            with self._work.register(group):
                if self.is_running:
                    self._join(self.session)
                yield
        finally:
            self._thread.group = ""
            del self._threads[group]
            self._start_wait.forget(group)
            if self.is_running:
                with suppress(Py4JError, OSError):  # it may die at any moment
                    leave_group(self.session)

    def cancel_group(self, group: str) -> None:
        """Stop the running jobs of a group, and what Spark plans for it. Callers repeat it: its thread may go on."""
        self._work.stop(group)
        if self.is_running:
            with suppress(Py4JError, OSError):
                cancel_group(self.session, group)
                stop_planning(self.session, group)

    def tasks_of(self, group: str) -> tuple[int, int]:
        """Return how many tasks of a group are done, and how many there are."""
        if not self.is_running:
            return 0, 0
        try:
            return tasks_of(self.session, group)
        except (Py4JError, OSError):
            return 0, 0

    def active_tasks_of(self, group: str) -> int:
        """Count the tasks that a group runs now, and those that cancelled stages left running."""
        if not self.is_running:
            return 0
        try:
            return active_tasks_of(self.session, group) + leftover_tasks(self.session)
        except (Py4JError, OSError):
            return 0

    def waits_for_spark(self, group: str) -> bool:
        """Return whether the thread of a group waits for Spark: for tasks, or for a plan."""
        thread = self._threads.get(group)
        return thread is not None and waits_for_spark(thread)

    def stop_work(self, name: str) -> None:
        """Note that work was told to stop, so that it no longer prevents a restart."""
        self._work.stop(name)

    @property
    def can_restart(self) -> bool:
        """Whether whence started Spark itself, and no user waits for a result that a restart would lose."""
        return self._caller is None and self._work.is_all_stopping

    @contextmanager
    def interruptible(self) -> Iterator[None]:
        """Cancel the jobs that this thread starts in the block on Ctrl-C. Notebook cells are stopped by their group."""
        if self._group:
            with self._noticing_end():
                yield
            return
        tag = f"whence-{uuid.uuid4().hex}"
        with self._work.register(tag), ends_on_interrupt(self, tag), self._noticing_end():
            yield

    @contextmanager
    def at_most(self, seconds: float | None) -> Iterator[None]:
        """Cancel the jobs that this thread starts in the block after so many seconds; None sets no limit."""
        if seconds is None:
            yield
            return
        context, tag = self.session.sparkContext, f"whence-{uuid.uuid4().hex}"
        timer = threading.Timer(seconds, context.cancelJobsWithTag, [tag])
        context.addJobTag(tag)
        timer.start()
        try:
            yield
        finally:
            timer.cancel()
            context.removeJobTag(tag)


def is_removed(folder: Path | None) -> bool:
    """Return whether a folder that was there is gone."""
    return folder is not None and not folder.exists()
