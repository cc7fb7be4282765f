"""Decides which queries a SQL cell may run: those over datasets in its scope, with functions that only compute.

Spark's own parser reads the text, as any other would differ somewhere. The guard then compares every node of the tree
with lists of what is allowed. It protects lineage as much as files: a query that reads what it does not name would
have false lineage.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import accumulate
from pathlib import Path, PurePath
from typing import Any

from py4j.protocol import Py4JJavaError
from pyspark.sql import DataFrame, SparkSession

from whence.engine.leaves import Leaf, leaves_of
from whence.engine.sql_allowed import ALLOWED, ALLOWED_TABLE_FUNCTIONS, OURS, REFUSED, words
from whence.engine.sql_walk import Node, Walker
from whence.model.errors import BadQuery
from whence.model.schema import INTERNAL_PREFIX
from whence.model.suggestion import suggest_dataset
from whence.store.layout import ROWS

LONGEST = 100_000
DEEPEST = 200

QUERY_PLANS = words("""
    Aggregate AsOfJoin Distinct Except Filter Generate GlobalLimit Intersect Join LateralJoin LocalLimit LocalRelation
    Offset OneRowRelation PipeOperator Pivot Project RepartitionByExpression Sample Sort SubqueryAlias Union Unpivot
    UnresolvedHaving UnresolvedHint UnresolvedInlineTable UnresolvedQualify UnresolvedRelation
    UnresolvedSubqueryColumnAliases UnresolvedTVFAliases UnresolvedTableValuedFunction UnresolvedWith
    WithWindowDefinition
""")
_EXPRESSION_PACKAGES = ("org.apache.spark.sql.catalyst.analysis.", "org.apache.spark.sql.catalyst.expressions.")
_REFUSED_EXPRESSIONS = words("""
    CallMethodViaReflection ExpressionWithUnresolvedIdentifier FunctionTableSubqueryArgumentExpression
    Invoke NewInstance PythonUDF PythonUDTF ScalaUDF StaticInvoke UnresolvedTableArgPlanId XPathList
""")
_HIDDEN = "_metadata"
_LEAVES = frozenset({"Range", "LocalRelation", "OneRowRelation", "CTERelationRef", "UnionLoopRef"})


class SqlGuard:
    """Checks the queries and conditions of one session."""

    def __init__(self, session: SparkSession) -> None:
        self._session = session
        self._walker = Walker(session)

    def check(self, text: str, datasets: Iterable[str], functions: Iterable[str] = ()) -> frozenset[str]:
        """Raise an error for a query that does more than it may. Return the datasets it reads, as it spells them."""
        check_text(text)
        found = self._walker.nodes(self._parse(text))
        if found is None:
            raise BadQuery("The query is too large to be checked.", "Split it into several cells.")
        nodes = list(found)
        queries = {name.lower() for node in nodes if node.short == "UnresolvedWith" for name in node.names}
        names = list(datasets)
        known = {name.strip().lower() for name in names}
        callable_names = ALLOWED | OURS | {name.lower() for name in functions}
        read = set()
        for node in nodes:
            if node.depth > DEEPEST:
                raise BadQuery(f"The query is nested more than {DEEPEST} levels deep.", "Split it into several cells.")
            if node.short == "UnresolvedRelation":
                read.add(_relation(node, names, queries))
            else:
                _check_node(node, callable_names)
        return frozenset(name for name in read if name.lower() not in queries or name.lower() in known)

    def check_expression(self, text: str) -> None:
        """Raise an error for a condition that does more than compute. It must not contain a query."""
        check_text(text)
        found = self._walker.nodes(self._session._jsparkSession.sessionState().sqlParser().parseExpression(text))
        for node in found or ():
            if node.kind == "plan":
                raise BadQuery("A condition cannot hold a query.", "Use a SQL cell.")
            _check_node(node, ALLOWED | OURS)

    def check_leaves(self, frame: DataFrame, datasets: Path) -> None:
        """Raise an error if the analysed query reads anything but rows of datasets and literal values."""
        for leaf in leaves_of(frame._jdf.queryExecution().analyzed()):
            if leaf.kind not in _LEAVES and not _is_inside(leaf, datasets):
                raise BadQuery(f"The query reads {leaf.kind}, which is no dataset of this workspace.")

    def _parse(self, text: str) -> Any:  # noqa: ANN401 - a JVM object
        try:
            return self._session._jsparkSession.sessionState().sqlParser().parsePlan(text)
        except Py4JJavaError as error:
            if "StackOverflowError" in str(error.java_exception):
                raise BadQuery("The query is nested too deeply.", "Split it into several cells.") from error
            raise


def is_computation(node: Node) -> bool:
    """Return whether an expression only computes, and runs no code of its own."""
    return node.short not in _REFUSED_EXPRESSIONS and node.class_name.startswith(_EXPRESSION_PACKAGES)


def check_text(text: str) -> None:
    """Raise an error for a text that is too long or too deep to be parsed, or that reads variables."""
    if len(text) > LONGEST:
        raise BadQuery(f"The query has {len(text):,} characters, {LONGEST:,} are the most.")
    opened = accumulate({"(": 1, ")": -1}.get(character, 0) for character in text)
    if max(opened, default=0) > 2 * DEEPEST:  # the parser takes minutes to find that out
        raise BadQuery("The query is nested too deeply.", "Split it into several cells.")
    if "${" in text:
        raise BadQuery("A query cannot use ${...}.", "Use a parameter: :name.")


def _relation(node: Node, datasets: Sequence[str], queries: set[str]) -> str:
    known = {name.strip().lower() for name in datasets}
    how, line, position, *parts = node.names
    spelled = ".".join(parts)
    if len(parts) != 1 or parts[0].lower() not in known | queries:
        place = f" (line {line}, position {position})" if line else ""
        raise BadQuery(f"There is no dataset {spelled}{place}.", suggest_dataset(spelled, datasets))
    if how != "plain":
        raise BadQuery(f"{spelled} is read with options or as a stream, which datasets do not have.")
    return parts[0]


def _check_node(node: Node, functions: frozenset[str] | set[str]) -> None:
    if node.kind == "plan" and node.short not in QUERY_PLANS:
        raise BadQuery(
            f"A SQL cell cannot use {node.short}.", "It holds one query: SELECT, WITH, VALUES, TABLE or FROM."
        )
    if node.kind != "plan" and not is_computation(node):
        raise BadQuery(f"A SQL cell cannot use {node.short}.")
    if node.short == "UnresolvedFunction":
        _check_function(node.names, functions)
    elif node.short == "UnresolvedTableValuedFunction":
        _check_function(node.names, ALLOWED_TABLE_FUNCTIONS)
    elif node.short == "UnresolvedAttribute":
        _check_column(node.names)


def _check_function(names: tuple[str, ...], allowed: frozenset[str] | set[str]) -> None:
    spelled, name = ".".join(names), names[-1].lower()
    if len(names) != 1 or name not in allowed:
        why = f"it {REFUSED[name]}" if name in REFUSED else "it is not one of Spark's own, nor exported by a cell above"
        raise BadQuery(f"A SQL cell cannot call {spelled}: {why}.")


def _check_column(names: tuple[str, ...]) -> None:
    for name in names:
        if name.lower() == _HIDDEN or name.lower().startswith(INTERNAL_PREFIX):
            raise BadQuery(f"A SQL cell cannot read {name}: it shows files of the workspace.")


def _is_inside(leaf: Leaf, datasets: Path) -> bool:
    """Return whether a leaf reads the rows of one dataset of the workspace, and nothing else."""
    if len(leaf.roots) != 1:
        return False
    path = PurePath(leaf.roots[0].removeprefix("file:"))
    return path.name == ROWS and path.parent.parent == datasets and ".." not in path.parts
