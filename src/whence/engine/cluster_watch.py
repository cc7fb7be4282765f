"""Watches an application on a cluster: it may end by itself, and a standalone master that was restarted may forget it.

A master that keeps no records (Spark's default) tells workers to end the executors of applications it does not know.
The driver hears nothing of it and waits for executors without end.
"""

from __future__ import annotations

import re
import threading
from contextlib import suppress
from typing import Any

from py4j.protocol import Py4JError
from pyspark.sql import SparkSession

from whence.engine.masters import master_of

FORGOTTEN = re.compile(r"The master \S+ (?:no longer knows this application|does not answer)")
"""What the queries of an application hear that its master has forgotten."""
_PAUSE = 3.0
"""Seconds between two looks."""
_PATIENCE = 40
"""How many looks in a row must find neither an executor nor a master before the application is given up."""
_STANDALONE = re.compile(r"spark://(.+)")


class ClusterWatch:
    """A thread that ends an application which its master has forgotten, so that its queries fail instead of waiting."""

    def __init__(self, session: SparkSession) -> None:
        self._master = master_of(session)
        self._context: Any = session.sparkContext._jsc.sc()
        self._java: Any = session._jvm
        self.reason = ""
        """Why this thread has ended the application; empty if it has not."""
        self._is_stopping = threading.Event()
        self._missing = 0

    def start(self) -> None:
        """Watch until `stop`, or until the application has ended. Other cluster managers end it themselves."""
        if _STANDALONE.fullmatch(self._master):
            threading.Thread(target=self._look_after, name="whence-cluster", daemon=True).start()

    def stop(self) -> None:
        """Let the thread end."""
        self._is_stopping.set()

    @property
    def has_ended(self) -> bool:
        """Whether the application has ended: this thread, the cluster or its user's program has stopped it."""
        try:
            return bool(self.reason) or bool(self._context.isStopped())
        except (Py4JError, OSError):  # Java has ended
            return True

    def _look_after(self) -> None:
        while not self._is_stopping.wait(_PAUSE) and not self.has_ended:
            with suppress(Py4JError, OSError):  # Java may end at any moment
                if reason := self._reason_to_end():
                    self.reason = f"The master {self._master} {reason}"
                    # What Spark itself calls if a master removes an application: jobs fail with the reason.
                    self._context.schedulerBackend().dead(self.reason)

    def _reason_to_end(self) -> str:
        if self._context.getExecutorMemoryStatus().size() > 1:  # the driver counts as one
            self._missing = 0
            return ""
        states = [state for state in map(self._state_of, self._addresses()) if state is not None]
        if states:
            self._missing = 0
            return "" if any(map(self._is_known_to, states)) else "no longer knows this application"
        self._missing += 1
        return "does not answer" if self._missing >= _PATIENCE else ""

    def _addresses(self) -> list[str]:
        """Return the address of each master; with a standby there are several, as in `spark://one:7077,two:7077`."""
        found = _STANDALONE.fullmatch(self._master)
        return [] if found is None else found[1].split(",")

    def _state_of(self, address: str) -> Any | None:  # noqa: ANN401 - a JVM object
        """Ask a master for its state; None if it does not answer, or is not the one in charge."""
        rpc, tags = self._java.org.apache.spark.rpc, self._java.scala.reflect.ClassTag
        messages = "org.apache.spark.deploy.DeployMessages$"
        find_class = self._java.java.lang.Class.forName
        try:
            place = rpc.RpcAddress.fromSparkURL(f"spark://{address}")
            endpoint = self._context.schedulerBackend().rpcEnv().setupEndpointRef(place, "Master")
            question = find_class(f"{messages}RequestMasterState$").getField("MODULE$").get(None)
            state = endpoint.askSync(question, tags.apply(find_class(f"{messages}MasterStateResponse")))
        except Py4JError:
            return None
        return state if str(state.status().toString()) == "ALIVE" else None

    def _is_known_to(self, state: Any) -> bool:  # noqa: ANN401
        return self._context.applicationId() in [each.id() for each in state.activeApps()]
