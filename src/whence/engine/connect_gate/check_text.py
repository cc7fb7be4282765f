"""Checks the SQL texts of Python cells, with Spark's own parser: a cell runs queries, and makes views of its own."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

from py4j.protocol import Py4JJavaError
from pyspark.sql import SparkSession

from whence.engine.connect_gate.visitor import Visitor
from whence.engine.sql_allowed import REFUSED
from whence.engine.sql_guard import QUERY_PLANS, check_text, is_computation
from whence.engine.sql_walk import Node, Walker
from whence.model.errors import BadQuery

_MAKES_VIEW = "CreateViewCommand"
_OWN_VIEW = "LocalTempView"


class CellTexts:
    """Checks texts against the parser of one session. Several cells may ask at once."""

    def __init__(self, session: SparkSession) -> None:
        self._parser: Any = session._jsparkSession.sessionState().sqlParser()
        self._walker = Walker(session)
        self._lock = threading.Lock()

    def query(self, text: str, visitor: Visitor) -> None:
        """Raise an error unless a text is a query, or makes a temporary view of one."""
        self._check(self._parser.parsePlan, text, visitor)

    def expression(self, text: str, visitor: Visitor) -> None:
        """Raise an error if an expression does more than compute."""
        self._check(self._parser.parseExpression, text, visitor)

    def _check(self, parse: Callable[[str], Any], text: str, visitor: Visitor) -> None:
        check_text(text)
        with self._lock:
            try:
                parsed = parse(text)
            except Py4JJavaError as error:
                if "ParseException" in error.java_exception.getClass().getName():
                    return  # Spark tells the cell what is wrong, by the same parser
                raise BadQuery("The query cannot be checked.", "Make it simpler.") from error
            nodes = self._walker.nodes(parsed)
            if nodes is None:
                raise BadQuery("The query is too large to be checked.", "Split it.")
            for node in nodes:
                if node.short == _MAKES_VIEW and parsed.viewType().toString() == _OWN_VIEW:
                    continue
                _check_node(node, visitor)


def _check_node(node: Node, visitor: Visitor) -> None:
    if node.kind == "plan" and node.short not in QUERY_PLANS:
        raise BadQuery(f"A cell cannot run {node.short} through Spark.", "It runs queries, and makes temporary views.")
    if node.kind != "plan" and not is_computation(node):
        raise BadQuery(f"A cell cannot use {node.short}.")
    if node.short == "UnresolvedRelation":
        how, _, _, *parts = node.names
        if how != "plain" or not visitor.may_name(parts):
            raise BadQuery(f"There is no table {'.'.join(parts)} for this cell.", "Datasets are ws[name].df.")
    if node.short in ("UnresolvedFunction", "UnresolvedTableValuedFunction"):
        _check_function(node.names)


def _check_function(names: tuple[str, ...]) -> None:
    name = names[-1].lower()
    if len(names) > 1 or name in REFUSED:
        why = f"it {REFUSED[name]}" if name in REFUSED else "it is none of Spark's own"
        raise BadQuery(f"A cell cannot call {'.'.join(names)}: {why}.")
