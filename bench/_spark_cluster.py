"""A standalone cluster of Spark on this machine: a master and workers as processes of their own, all on 127.0.0.1."""

from __future__ import annotations

import ctypes
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pyspark

from whence.engine.java import java_home

HERE = "127.0.0.1"
SETTINGS = {"spark.driver.host": HERE, "spark.driver.bindAddress": HERE}
"""Settings of a driver on the same machine."""
_PR_SET_PDEATHSIG = 1
_START_SECONDS = 120.0
_END_SECONDS = 30.0


class SparkCluster:
    """One master and workers of one core each. Everything that they write lies in one folder."""

    def __init__(self, folder: Path, java_options: str = "", *, remembers: bool = False) -> None:
        """With `remembers`, a master that was restarted knows the applications from before."""
        self._folder = folder
        self._port = _free_port()
        kept = f"-Dspark.deploy.recoveryMode=FILESYSTEM -Dspark.deploy.recoveryDirectory={folder}" if remembers else ""
        self.environment = {
            **os.environ,
            "JAVA_HOME": str(java_home()),
            "PYSPARK_PYTHON": sys.executable,
            "SPARK_LOCAL_IP": HERE,
            "SPARK_DAEMON_MEMORY": "300m",
            "SPARK_DAEMON_JAVA_OPTS": f"{java_options} {kept}",
        }
        # Executors have whence's code from the driver or not at all.
        self.environment.pop("PYTHONPATH", None)
        self._master: subprocess.Popen[bytes] | None = None
        self.workers: list[subprocess.Popen[bytes]] = []

    @property
    def address(self) -> str:
        """What `whence.open` takes as `master`."""
        return f"spark://{HERE}:{self._port}"

    def start_master(self) -> None:
        """Start the master, and return when it listens."""
        self._master = self._start("master.Master", "--port", str(self._port))
        _wait_for_port(self._port, self._master)

    def start_worker(self) -> None:
        """Start one more worker. It registers with the master by itself."""
        own = ("--cores", "1", "--memory", "1g", "--work-dir", str(self._folder / f"work{len(self.workers)}"))
        self.workers.append(self._start("worker.Worker", *own, self.address))

    def restart_master(self) -> None:
        """Kill the master and start it anew at the same address."""
        _kill(self._master)
        self.start_master()

    def kill_worker(self, number: int) -> None:
        """Kill a worker with its executors, as if its machine had gone."""
        _kill(self.workers[number])

    def end(self) -> None:
        """Kill all processes."""
        for process in (*self.workers, self._master):
            _kill(process)

    def _start(self, role: str, *options: str) -> subprocess.Popen[bytes]:
        program = str(Path(pyspark.__file__).parent / "bin" / "spark-class")
        command = [program, f"org.apache.spark.deploy.{role}", "--host", HERE, "--webui-port", "0", *options]
        with (self._folder / f"{role}.log").open("ab") as log:
            # A session of its own is a process group, too: executors are in that of their worker.
            return subprocess.Popen(
                command,
                env=self.environment,
                stdout=log,
                stderr=log,
                start_new_session=True,
                preexec_fn=_end_with_parent,
            )


@contextmanager
def spark_cluster(
    folder: Path, java_options: str = "", *, workers: int = 2, remembers: bool = False
) -> Iterator[SparkCluster]:
    """Start a cluster and end it with the block."""
    cluster = SparkCluster(folder, java_options, remembers=remembers)
    try:
        cluster.start_master()
        for _ in range(workers):
            cluster.start_worker()
        yield cluster
    finally:
        cluster.end()


def _end_with_parent() -> None:
    """Let the kernel kill this process when its parent dies, which may not come to ending it."""
    ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)


def _kill(process: subprocess.Popen[bytes] | None) -> None:
    if process is None:
        return
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait(_END_SECONDS)


def _free_port() -> int:
    with socket.create_server((HERE, 0)) as chosen:
        port: int = chosen.getsockname()[1]
    return port


def _wait_for_port(port: int, process: subprocess.Popen[bytes]) -> None:
    end = time.monotonic() + _START_SECONDS
    while process.poll() is None and time.monotonic() < end:
        with suppress(OSError), socket.create_connection((HERE, port), timeout=1):
            return
        time.sleep(0.1)
    raise RuntimeError(f"the master does not listen on port {port}")
