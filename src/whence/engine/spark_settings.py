"""Reads the settings of a Spark session that may be told to others: none that could hold a secret or an address."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

from pyspark.sql import SparkSession

_TOLD = re.compile(
    r"spark\.(sql\.(?!catalog\.|warehouse\.)|master$|app\.name$|default\.parallelism$|submit\.deployMode$"
    r"|(driver|executor)\.(memory|cores|instances)$|dynamicAllocation\.|shuffle\.|serializer$|version$)"
)
"""Only these: a setting of a file system, a connector or an environment may be a key that no name gives away."""
_SECRET = re.compile(r"secret|passw|token|credential|access.?key|private|auth|user|jdbc|ur[il]\b|\.dir$", re.IGNORECASE)
_HIDDEN_VALUE = re.compile(r"://[^/\s]*@|AKIA[0-9A-Z]{12,}|-----BEGIN")
"""An address with a password, and keys that have a form of their own."""


def read_settings(session: SparkSession) -> dict[str, str]:
    """Return the settings of a session in which no secret can stand."""
    java: Any = session._jvm
    settings = java.scala.jdk.javaapi.CollectionConverters.asJava(session._jsparkSession.conf().getAll())
    # One text: as a Java map, each of a hundred settings would take three calls.
    return harmless(json.loads(java.com.fasterxml.jackson.databind.ObjectMapper().writeValueAsString(settings)))


def harmless(settings: Mapping[str, str]) -> dict[str, str]:
    """Return the settings that may be told.

    >>> harmless({"spark.sql.shuffle.partitions": "8", "spark.sql.my.token": "x", "spark.ssl.keyPassword": "x"})
    {'spark.sql.shuffle.partitions': '8'}
    """
    return {
        name: str(value)
        for name, value in sorted(settings.items())
        if _TOLD.match(name) and not _SECRET.search(name) and not _HIDDEN_VALUE.search(str(value))
    }
