"""Checks a request of a Python cell to Spark Connect: every message in it must be on the lists of what is allowed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Protocol

from whence.engine.connect_gate.allowed import CHOICES, HINTS, SETTING_PREFIXES, SETTINGS
from whence.engine.connect_gate.visitor import Visitor
from whence.engine.sql_allowed import REFUSED
from whence.model.errors import BadQuery

Message = Any
"""A message of Spark's protocol."""

_ROWS = "cache/"
"""How the names of artifacts begin that hold rows of a table made in Python. Others are jars, files and modules."""


class TextCheck(Protocol):
    """Checks SQL texts, which only Spark can parse."""

    def query(self, text: str, visitor: Visitor) -> None:
        """Raise an error if a statement does more than a cell may."""

    def expression(self, text: str, visitor: Visitor) -> None:
        """Raise an error if an expression does more than a cell may."""


def check_request(request: Message, visitor: Visitor, texts: TextCheck) -> None:
    """Raise `BadQuery` if a request does more than compute over the datasets of its cell."""
    if request.session_id != visitor.session:
        raise BadQuery("A cell has one Spark session, and can use no other.")
    for message in _messages(request):
        name = message.DESCRIPTOR.full_name
        if name in CHOICES:
            _check_choice(message, *CHOICES[name])
        if name in _CHECKS:
            _CHECKS[name](message, visitor, texts)


def _messages(root: Message) -> Iterator[Message]:
    """Yield a message and all messages in it."""
    waiting = [root]
    while waiting:
        message = waiting.pop()
        yield message
        for field, value in message.ListFields():
            if field.message_type is None:
                continue
            if field.message_type.GetOptions().map_entry:
                waiting += [each for each in value.values() if hasattr(each, "DESCRIPTOR")]
            else:
                waiting += [value] if hasattr(value, "DESCRIPTOR") else value


def _check_choice(message: Message, part: str, allowed: frozenset[str]) -> None:
    chosen = message.WhichOneof(part)
    if chosen not in allowed:
        raise BadQuery(HINTS.get(chosen or "", f"A cell cannot ask Spark for {chosen or 'something unknown'}."))


def _check_table(message: Message, visitor: Visitor, _: TextCheck) -> None:
    if message.options or not visitor.may_read(message.unparsed_identifier):
        raise BadQuery(f"There is no table {message.unparsed_identifier} for this cell.", "Datasets are ws[name].df.")


def _check_stream(message: Message, _: Visitor, __: TextCheck) -> None:
    if message.is_streaming:
        raise BadQuery("A cell cannot read streams through Spark.")


def _check_view(message: Message, visitor: Visitor, _: TextCheck) -> None:
    if message.is_global and message.name.lower() not in visitor.views:
        raise BadQuery("A cell cannot make global views.", "Use createOrReplaceTempView.")


def _check_function(message: Message, _: Visitor, __: TextCheck) -> None:
    name = message.function_name.lower()
    if "." in name.strip(".") or name in REFUSED:
        why = f"it {REFUSED[name]}" if name in REFUSED else "it is none of Spark's own"
        raise BadQuery(f"A cell cannot call {message.function_name}: {why}.")


def _check_registration(message: Message, _: Visitor, __: TextCheck) -> None:
    if message.WhichOneof("function") not in ("python_udf", "python_udtf"):
        raise BadQuery("A cell can only register Python functions.")


def _check_checkpoint(message: Message, _: Visitor, __: TextCheck) -> None:
    if not message.local:
        raise BadQuery("A cell cannot write checkpoints.", "Use localCheckpoint.")


def _check_catalog(message: Message, visitor: Visitor, _: TextCheck) -> None:
    asked = getattr(message, message.WhichOneof("cat_type"))
    fields = {field.name: value for field, value in asked.ListFields()}
    database, table = fields.get("db_name", ""), fields.get("table_name", "")
    if database not in ("", "default") or (table and not visitor.may_read(table)):
        raise BadQuery("A cell sees its own views only.")


def _check_settings(message: Message, _: Visitor, __: TextCheck) -> None:
    keys = [pair.key for pair in message.pairs] if hasattr(message, "pairs") else list(message.keys)
    for key in keys:
        if key not in SETTINGS and not key.startswith(SETTING_PREFIXES):
            raise BadQuery(f"A cell cannot change the setting {key}.")


def _check_artifact(message: Message, _: Visitor, __: TextCheck) -> None:
    if not message.name.startswith(_ROWS) or ".." in message.name:
        raise BadQuery("A cell cannot add files, modules or jars to Spark.", "Define functions in the cell.")


_CHECKS: dict[str, Callable[[Message, Visitor, TextCheck], None]] = {
    "spark.connect.Read": _check_stream,
    "spark.connect.Read.NamedTable": _check_table,
    "spark.connect.CreateDataFrameViewCommand": _check_view,
    "spark.connect.Expression.UnresolvedFunction": _check_function,
    "spark.connect.CallFunction": _check_function,
    "spark.connect.UnresolvedTableValuedFunction": _check_function,
    "spark.connect.CommonInlineUserDefinedFunction": _check_registration,
    "spark.connect.CheckpointCommand": _check_checkpoint,
    "spark.connect.Catalog": _check_catalog,
    "spark.connect.ConfigRequest.Set": _check_settings,
    "spark.connect.ConfigRequest.Unset": _check_settings,
    "spark.connect.AddArtifactsRequest.BeginChunkedArtifact": _check_artifact,
    "spark.connect.AddArtifactsRequest.SingleChunkArtifact": _check_artifact,
    "spark.connect.SQL": lambda message, visitor, texts: texts.query(message.query, visitor),
    "spark.connect.SqlCommand": lambda message, visitor, texts: (
        texts.query(message.sql, visitor) if message.sql else None
    ),
    "spark.connect.Expression.ExpressionString": (
        lambda message, visitor, texts: texts.expression(message.expression, visitor)
    ),
}
"""By the name of a message: what must hold for it, beside being allowed at all."""
