"""Answers a front end in which a value of a table was clicked: a comm protocol, version 1, one comm for each click."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape

from comm import get_comm_manager
from comm.base_comm import BaseComm

from whence.jupyter.shown_tables import ShownTables
from whence.model.errors import WhenceError

TARGET = "whence.origin"
VERSION = 1


class OriginComm:
    """Answers each comm that a front end opens, and closes it."""

    def __init__(self, tables: ShownTables) -> None:
        self._tables = tables

    def start(self) -> None:
        """Accept questions from now on."""
        get_comm_manager().register_target(TARGET, self._opened)

    def stop(self) -> None:
        """Accept no more questions."""
        get_comm_manager().unregister_target(TARGET, self._opened)

    def _opened(self, comm: BaseComm, opening: Mapping[str, Mapping[str, Mapping[str, object]]]) -> None:
        comm.send({"type": "origin", "version": VERSION, "html": self.answer(opening["content"]["data"])})
        comm.close()

    def answer(self, asked: Mapping[str, object]) -> str:
        """Return the origin of a value as HTML, or one sentence that says why there is none."""
        try:
            match asked:
                case {"dataset": str(dataset), "row": int(row), "column": int() | None as column}:
                    return self._tables.origin(dataset, row, column)
            return "<p>This front end asks in a way that this kernel does not know.</p>"
        except WhenceError as error:
            return f"<p>{escape(str(error))}</p>"
