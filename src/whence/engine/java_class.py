"""Makes objects of the classes in the Java files of this package."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any

from pyspark.sql import SparkSession

from whence.engine.java_code import load_java_class


def java_constructor(session: SparkSession, name: str) -> Any:  # noqa: ANN401 - a JVM object
    """Return the one constructor of the class in `NAME.java`, loaded once for a Java process.

    py4j knows methods by the name of a class, so a second class of the same name would be taken for the first.
    """
    java: Any = session._jvm
    source = Path(__file__).with_name(f"{name}.java").read_text(encoding="utf-8")
    # System properties live as long as the Java process, and all its sessions see them.
    shelf, key = java.java.lang.System.getProperties(), f"whence.{hashlib.sha256(source.encode()).hexdigest()}"
    constructor = shelf.get(key)
    if constructor is None:
        (constructor,) = load_java_class(session, name, source).getDeclaredConstructors()
        shelf.put(key, constructor)
    return constructor


def new_java_object(session: SparkSession, constructor: Any, given: object) -> Any:  # noqa: ANN401
    """Call a constructor that takes one object."""
    gateway: Any = session.sparkContext._gateway
    values = gateway.new_array(session._jvm.java.lang.Object, 1)  # type: ignore[union-attr]
    values[0] = given
    return constructor.newInstance(values)
