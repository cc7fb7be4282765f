"""Requests to Spark Connect at the gate, without Spark: what is not on a list is refused."""

from __future__ import annotations

import pytest
from pyspark.sql.connect.proto import base_pb2, commands_pb2, expressions_pb2, relations_pb2

from whence.engine.connect_gate.allowed import CHOICES
from whence.engine.connect_gate.check_request import Message, check_request
from whence.engine.connect_gate.visitor import Visitor
from whence.model.errors import BadQuery

CELL = Visitor("s1", ["whence_1"])
COMPUTES = expressions_pb2.Expression(
    unresolved_function=expressions_pb2.Expression.UnresolvedFunction(function_name="upper")
)
REFLECTS = expressions_pb2.Expression(
    unresolved_function=expressions_pb2.Expression.UnresolvedFunction(function_name="REFLECT")
)


class _Texts:
    """Notes texts instead of checking them."""

    def __init__(self) -> None:
        self.found: list[str] = []

    def query(self, text: str, visitor: Visitor) -> None:
        self.found.append(text)

    def expression(self, text: str, visitor: Visitor) -> None:
        self.found.append(text)


def _run(relation: Message = None, command: Message = None, session: str = "s1") -> base_pb2.ExecutePlanRequest:
    plan = base_pb2.Plan(root=relation) if command is None else base_pb2.Plan(command=command)
    return base_pb2.ExecutePlanRequest(session_id=session, plan=plan)


def _check(request: Message) -> list[str]:
    texts = _Texts()
    check_request(request, CELL, texts)
    return texts.found


def _read(**chosen: Message) -> relations_pb2.Relation:
    return relations_pb2.Relation(read=relations_pb2.Read(**chosen))


def _table(name: str) -> relations_pb2.Relation:
    return _read(named_table=relations_pb2.Read.NamedTable(unparsed_identifier=name))


def _project(child: relations_pb2.Relation, *expressions: Message) -> relations_pb2.Relation:
    return relations_pb2.Relation(project=relations_pb2.Project(input=child, expressions=expressions))


def test_a_query_over_the_views_of_the_cell_passes() -> None:
    assert _check(_run(_project(_table("global_temp.whence_1"), COMPUTES))) == []
    assert _check(_run(_project(_table("mine"), COMPUTES))) == []


@pytest.mark.parametrize(
    "request_",
    [
        _run(_table("global_temp.whence_2")),
        _run(_table("text.`/etc/passwd`")),
        _run(_table("spark_catalog.default.t")),
        _run(_read(data_source=relations_pb2.Read.DataSource(format="text", paths=["/etc/passwd"]))),
        _run(_project(_project(_table("mine"), REFLECTS), COMPUTES)),
        _run(_table("mine"), session="s2"),
        _run(relations_pb2.Relation()),
        base_pb2.ExecutePlanRequest(
            session_id="s1", plan=base_pb2.Plan(compressed_operation=base_pb2.Plan.CompressedOperation(data=b"x"))
        ),
        base_pb2.AnalyzePlanRequest(
            session_id="s1",
            input_files=base_pb2.AnalyzePlanRequest.InputFiles(plan=base_pb2.Plan(root=_table("mine"))),
        ),
    ],
    ids=["view", "file", "catalog", "source", "function", "session", "nothing", "compressed", "files"],
)
def test_what_a_cell_may_not_do_is_refused(request_: Message) -> None:
    with pytest.raises(BadQuery, match=r"[Cc]ell"):
        _check(request_)


def test_functions_are_python_or_refused_as_java_objects_may_run_code() -> None:
    function = expressions_pb2.CommonInlineUserDefinedFunction
    for made, is_fine in (
        (function(python_udf=expressions_pb2.PythonUDF(command=b"x")), True),
        (function(scalar_scala_udf=expressions_pb2.ScalarScalaUDF(payload=b"x")), False),
        (function(java_udf=expressions_pb2.JavaUDF(class_name="java.lang.Runtime")), False),
    ):
        for asked in (
            _run(command=commands_pb2.Command(register_function=made)),
            _run(_project(_table("mine"), expressions_pb2.Expression(common_inline_user_defined_function=made))),
        ):
            if is_fine:
                assert _check(asked) == []
            else:
                with pytest.raises(BadQuery):
                    _check(asked)


def test_every_text_is_checked_wherever_it_stands() -> None:
    named = expressions_pb2.Expression(
        expression_string=expressions_pb2.Expression.ExpressionString(expression="upper(a)")
    )
    query = relations_pb2.Relation(sql=relations_pb2.SQL(query="select :a", named_arguments={"a": named}))
    assert sorted(_check(_run(_project(query, named)))) == ["select :a", "upper(a)", "upper(a)"]


@pytest.mark.parametrize(("key", "is_fine"), [("spark.sql.ansi.enabled", True), ("spark.sql.runSQLOnFiles", False)])
def test_settings_are_changed_only_from_the_list(key: str, is_fine: bool) -> None:
    pair = base_pb2.KeyValue(key=key, value="true")
    changes = (
        base_pb2.ConfigRequest.Operation(set=base_pb2.ConfigRequest.Set(pairs=[pair])),
        base_pb2.ConfigRequest.Operation(unset=base_pb2.ConfigRequest.Unset(keys=[key])),
    )
    for operation in changes:
        asked = base_pb2.ConfigRequest(session_id="s1", operation=operation)
        if is_fine:
            _check(asked)
        else:
            with pytest.raises(BadQuery, match="runSQLOnFiles"):
                _check(asked)


@pytest.mark.parametrize(("name", "is_fine"), [("cache/1f", True), ("jars/x.jar", False), ("cache/../jars/x", False)])
def test_artifacts_are_rows_only(name: str, is_fine: bool) -> None:
    chunk = base_pb2.AddArtifactsRequest.SingleChunkArtifact(name=name)
    batch = base_pb2.AddArtifactsRequest.Batch(artifacts=[chunk])
    asked = base_pb2.AddArtifactsRequest(session_id="s1", batch=batch)
    if is_fine:
        _check(asked)
    else:
        with pytest.raises(BadQuery):
            _check(asked)


def test_the_lists_name_parts_of_the_protocol_that_exist() -> None:
    known: dict[str, set[str]] = {}
    pool = base_pb2.DESCRIPTOR.pool
    for name, (part, allowed) in CHOICES.items():
        fields = {field.name for field in pool.FindMessageTypeByName(name).oneofs_by_name[part].fields}
        if allowed - fields:
            known[name] = set(allowed - fields)
    assert known == {}
