"""A thread that waits for Spark is told from one that does anything else."""

from __future__ import annotations

import threading

import pytest

from whence.engine.waiting_thread import waits_for_spark


@pytest.mark.parametrize(
    ("file", "waits"), [("/lib/py4j/java_gateway.py", True), ("/lib/pyspark/sql/session.py", True), ("/a.py", False)]
)
def test_a_thread_waits_for_spark_while_it_is_in_its_client(file: str, waits: bool) -> None:
    is_in, may_go = threading.Event(), threading.Event()
    code = compile("is_in.set()\nmay_go.wait()", file, "exec")
    thread = threading.Thread(target=eval, args=(code, {"is_in": is_in, "may_go": may_go}))
    thread.start()
    is_in.wait()
    assert thread.ident is not None
    assert waits_for_spark(thread.ident) is waits
    may_go.set()
    thread.join()
    assert not waits_for_spark(thread.ident)
