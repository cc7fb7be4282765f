"""Columns of Spark ML's vectors and matrices: stored as structs, and read back as vectors and matrices."""

from __future__ import annotations

import json
import re
from typing import Any

from pyspark.sql import SparkSession
from pyspark.sql.readwriter import DataFrameReader

_FIELDS = {
    "vector": "type:tinyint,size:int,indices:array<int>,values:array<double>",
    "matrix": (
        "type:tinyint,numRows:int,numCols:int,colPtrs:array<int>,rowIndices:array<int>,values:array<double>,"
        "isTransposed:boolean"
    ),
}
_CLASSES = {"vector": "VectorUDT", "matrix": "MatrixUDT"}
_VECTOR_NAME = re.compile(r"(?<![^<:,])(vector|matrix)(?![^>,])")
"""Matches `vector` or `matrix` where it is a type: alone, as an element or as the type of a field."""


def holds_vectors(type_name: str) -> bool:
    """Return whether a type is a vector or matrix, or contains one.

    >>> holds_vectors("array<vector>"), holds_vectors("struct<vector:int>")
    (True, False)
    """
    return _VECTOR_NAME.search(type_name) is not None


def stored_type(type_name: str) -> str:
    """Return the type with vectors and matrices replaced by the structs that they are stored as.

    >>> stored_type("array<vector>")
    'array<struct<type:tinyint,size:int,indices:array<int>,values:array<double>>>'
    """
    return _VECTOR_NAME.sub(lambda found: f"struct<{_FIELDS[found[1]]}>", type_name)


def with_vectors(session: SparkSession, reader: DataFrameReader, ddl: str, names: set[str]) -> DataFrameReader:
    """Return a reader that reads structs as vectors and matrices, in columns of these names."""
    types: Any = session._jvm.org.apache.spark.sql.types  # type: ignore[union-attr]
    schema = json.loads(types.StructType.fromDDL(ddl).json())
    for field in schema["fields"]:
        if field["name"] in names:
            field["type"] = _as_vectors(field["type"])
    reader._jreader = reader._jreader.schema(types.DataType.fromJson(json.dumps(schema)))
    return reader


def _as_vectors(data_type: Any) -> Any:  # noqa: ANN401 - Spark's JSON form of a type
    """Return the type with each struct that has the fields of a vector or matrix replaced by that type."""
    if isinstance(data_type, list):
        return [_as_vectors(each) for each in data_type]
    if not isinstance(data_type, dict):
        return data_type
    for name, fields in _FIELDS.items():
        if data_type.get("type") == "struct" and _names(data_type) == [
            each.split(":")[0] for each in _split_fields(fields)
        ]:
            of_ml = f"linalg.{_CLASSES[name]}"
            return {
                "type": "udt",
                "class": f"org.apache.spark.ml.{of_ml}",
                "pyClass": f"pyspark.ml.{of_ml}",
                "sqlType": data_type,
            }
    return {key: _as_vectors(value) for key, value in data_type.items()}


def _names(struct: Any) -> list[str]:  # noqa: ANN401
    return [field["name"] for field in struct["fields"]]


def _split_fields(fields: str) -> list[str]:
    return fields.split(",")
