"""Settings of Spark on a server: restricted SQL, and Spark Connect for isolated Python cells."""

from __future__ import annotations

import secrets
import socket
from dataclasses import dataclass, field
from typing import Literal

from pyspark import SparkContext

from whence.model.errors import UserError

Profile = Literal["library", "server", "confined"]
"""A library runs what its caller writes. A server runs what people type into cells. Confined, it is a server whose
Spark can read no more of the disk than the workspace's data and its libraries."""

PLUGIN = "org.apache.spark.sql.connect.SparkConnectPlugin"
_PORT, _TOKEN = "spark.connect.grpc.binding.port", "spark.connect.authenticate.token"

SETTINGS = {
    "spark.sql.restrictedMode.enabled": "true",
    # No class matches, so neither `reflect` nor `java_method` can call any Java code.
    "spark.sql.reflect.allowList": "^$",
    # A query such as select * from parquet.`/some/path` would read any file.
    "spark.sql.runSQLOnFiles": "false",
    # A query could read settings and the environment by ${...}. The guard refuses that, too.
    "spark.sql.variable.substitute": "false",
    "spark.sql.scripting.enabled": "false",
    "spark.driver.maxResultSize": "1g",
    "spark.plugins": PLUGIN,
    "spark.connect.grpc.binding.address": "127.0.0.1",
    # A cell that ended must not leave its queries running.
    "spark.connect.execute.manager.detachedTimeout": "30s",
}
# Documents named in XML data are not fetched, whichever way XML is read.
JAVA_OPTIONS = ("-Djavax.xml.accessExternalDTD=", "-Djavax.xml.accessExternalSchema=", "-XX:-UsePerfData")


@dataclass(frozen=True)
class Connect:
    """The port at which isolated cells reach Spark Connect, and the token that lets them in."""

    port: int
    token: str = field(repr=False)

    @classmethod
    def choose(cls) -> Connect:
        """Return port and token of the Spark in this process; before it starts, a free port and a new token."""
        context = SparkContext._active_spark_context
        if context is None:
            return cls(_free_port(), secrets.token_hex(32))
        conf = context.getConf()
        if conf.get("spark.plugins", "") != PLUGIN:
            raise UserError(
                "Spark already runs in this process, without the settings of a server.",
                "Open the workspace as a server first, or in a process of its own.",
            )
        return cls(int(conf.get(_PORT, "0")), conf.get(_TOKEN, ""))

    @property
    def settings(self) -> dict[str, str]:
        """The settings Spark must start with."""
        return {**SETTINGS, _PORT: str(self.port), _TOKEN: self.token}

    @property
    def address(self) -> str:
        """The address a client connects to. A token in it would switch TLS on, so it goes by the environment."""
        return f"sc://localhost:{self.port}"


def _free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port: int = server.getsockname()[1]
        return port
