"""Rewrites a Python table function in Spark's plan, so that its output rows carry the ids of the rows behind them."""

from __future__ import annotations

from typing import Any

from pyspark.serializers import CloudPickleSerializer

from whence.engine.carry_columns import command_bytes, python_function
from whence.engine.jvm import Jvm
from whence.engine.worker.observing_table_function import ObservingTableFunction
from whence.plan.expr import Column

_EXPRESSIONS = "org.apache.spark.sql.catalyst.expressions"


def collect_ids(jvm: Jvm, udtf: Any, given: Any, collected: Column) -> Any:  # noqa: ANN401 - JVM objects
    """Return the Python table function with a last argument, the id of a row, and a last column, a list of ids.

    In the task `ObservingTableFunction` wraps the user's class. It tells the partitions apart itself.
    """
    schema = udtf.elementSchema()
    fields: tuple[int, ...] = ()
    if udtf.pythonUDTFPartitionColumnIndexes().isDefined():
        indexes = udtf.pythonUDTFPartitionColumnIndexes().get().partitionChildIndexes()
        fields = tuple(int(indexes.apply(number)) for number in range(indexes.size()))
    is_table = udtf.tableArguments()
    if is_table.isDefined():
        is_table = jvm.some(is_table.get().appendedAll(jvm.seq([False])))
    wrapped = ObservingTableFunction(command_bytes(jvm, udtf.func().command()), schema.length(), fields)
    command: bytes = CloudPickleSerializer().dumps(wrapped)  # type: ignore[no-untyped-call]
    return jvm.make(
        f"{_EXPRESSIONS}.PythonUDTF",
        udtf.name(),
        python_function(jvm, udtf.func(), command),
        schema.add(collected.name, jvm.data_type(collected.type), True),
        udtf.pickledAnalyzeResult(),
        udtf.children().appendedAll(jvm.seq([given])),
        udtf.evalType(),
        udtf.udfDeterministic(),
        udtf.resultId(),
        jvm.none(),
        is_table,
    )
