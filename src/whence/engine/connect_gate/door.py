"""Where Python cells reach Spark: at the gate if Spark is confined, else at Spark Connect itself."""

from __future__ import annotations

import threading
from collections.abc import Callable, Collection
from typing import TYPE_CHECKING

from whence.engine.connect_gate.check_request import TextCheck
from whence.engine.connect_gate.visitor import Visitor
from whence.engine.profile import Connect
from whence.model.lazy_module import LazyModule

if TYPE_CHECKING:
    import whence.engine.connect_gate.gate as gates
else:
    gates = LazyModule("whence.engine.connect_gate.gate")


class Door:
    """The door of one workspace. The first cell that asks for Spark opens the gate."""

    def __init__(self, connect: Connect, texts: Callable[[], TextCheck]) -> None:
        self._connect = connect
        self._texts = texts
        self._gate: gates.ConnectGate | None = None
        self._lock = threading.Lock()

    def enter(self, session: str, views: Collection[str]) -> tuple[str, str]:
        """Return the address and the token for a cell that may use this session and these shared views."""
        connect = self._connect
        token = (
            connect.token if connect.gate_port is None else self._open(connect.gate_port).admit(Visitor(session, views))
        )
        return f"{connect.address}/;session_id={session}", token

    def leave(self, session: str) -> None:
        """Close the door behind the cell with this session."""
        if self._gate is not None:
            self._gate.dismiss(session)

    def close(self) -> None:
        """End the gate."""
        with self._lock:
            gate, self._gate = self._gate, None
        if gate is not None:
            gate.close()

    def _open(self, port: int) -> gates.ConnectGate:
        with self._lock:
            if self._gate is None:
                self._gate = gates.ConnectGate(port, self._connect.port, self._connect.token, self._texts)
            return self._gate
