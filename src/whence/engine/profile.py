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
    # The gate reads plans, which it cannot if they are compressed. They stay on this machine anyway.
    "spark.connect.session.planCompression.threshold": "-1",
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
    gate_port: int | None = None
    """The port at which cells are checked before they reach Spark; None if they reach it themselves."""

    @classmethod
    def choose(cls, *, is_gated: bool = False) -> Connect:
        """Return port and token of the Spark in this process; before it starts, a free port and a new token."""
        context = SparkContext._active_spark_context
        port, other = _free_ports()
        gate = other if is_gated else None
        if context is None:
            return cls(port, secrets.token_hex(32), gate)
        conf = context.getConf()
        if conf.get("spark.plugins", "") != PLUGIN:
            raise UserError(
                "Spark already runs in this process, without the settings of a server.",
                "Open the workspace as a server first, or in a process of its own.",
            )
        return cls(int(conf.get(_PORT, "0")), conf.get(_TOKEN, ""), gate)

    @property
    def settings(self) -> dict[str, str]:
        """The settings Spark must start with."""
        return {**SETTINGS, _PORT: str(self.port), _TOKEN: self.token}

    @property
    def address(self) -> str:
        """The address a client connects to. A token in it would switch TLS on, so it goes by the environment."""
        return f"sc://localhost:{self.cell_port}"

    @property
    def cell_port(self) -> int:
        """The one port that cells may connect to."""
        return self.port if self.gate_port is None else self.gate_port


def _free_ports() -> tuple[int, int]:
    """Return two free ports. Both are held until both are known, as one that was given back may be given again."""
    with socket.create_server(("127.0.0.1", 0)) as one, socket.create_server(("127.0.0.1", 0)) as other:
        return one.getsockname()[1], other.getsockname()[1]
