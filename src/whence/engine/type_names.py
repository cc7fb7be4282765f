"""Names of types that Spark can parse again: field names of structs are quoted where they need it."""

from __future__ import annotations

from pyspark.sql.types import ArrayType, DataType, MapType, StructType, UserDefinedType

from whence.model.schema import field_name


def type_name(data_type: DataType) -> str:
    """Return the name of a type. PySpark's `simpleString` does not quote a field name with a blank in it.

    >>> type_name(StructType().add("a b", "integer").add("c", ArrayType(StructType().add("d", "date"))))
    'struct<`a b`:int,c:array<struct<d:date>>>'
    """
    if isinstance(data_type, UserDefinedType):
        return data_type.simpleString()
    if isinstance(data_type, StructType):
        fields = (f"{field_name(each.name)}:{type_name(each.dataType)}" for each in data_type.fields)
        return f"struct<{','.join(fields)}>"
    if isinstance(data_type, ArrayType):
        return f"array<{type_name(data_type.elementType)}>"
    if isinstance(data_type, MapType):
        return f"map<{type_name(data_type.keyType)},{type_name(data_type.valueType)}>"
    return data_type.simpleString()
