"""A rule for Spark's optimizer that takes its time, so that planning a query takes minutes unless it is stopped."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from pyspark.sql import SparkSession

PLANS = "whence.test.planning"
"""Java's system property that is there while the rule runs."""
_RULE = """
package whence.test;

public class %(name)s extends org.apache.spark.sql.catalyst.rules.Rule {
  public %(name)s() {}

  public org.apache.spark.sql.catalyst.trees.TreeNode apply(org.apache.spark.sql.catalyst.trees.TreeNode plan) {
    System.setProperty("whence.test.planning", "true");
    long end = System.nanoTime() + 300000000000L;
    try {
      while (System.nanoTime() < end) %(step)s
    } finally {
      System.clearProperty("whence.test.planning");
    }
    return plan;
  }
}
"""
# Spark's own rules ask for settings all the time; a single expression of theirs that is large may not for minutes.
_STEPS = {"AskingRule": "org.apache.spark.sql.internal.SQLConf.get();", "SilentRule": "Thread.onSpinWait();"}


@contextmanager
def slow_planning(session: SparkSession, name: str = "AskingRule") -> Iterator[Callable[[], None]]:
    """Let Spark plan each query of the session for five minutes; gives a function that waits until it has begun."""
    java: Any = session._jvm
    compiler = java.org.codehaus.janino.SimpleCompiler()
    compiler.cook(_RULE % {"name": name, "step": _STEPS[name]})
    rule = compiler.getClassLoader().loadClass(f"whence.test.{name}").getDeclaredConstructors()[0].newInstance(None)
    set_rules = getattr(session._jsparkSession.experimental(), "extraOptimizations_$eq")
    to_seq = java.org.apache.spark.api.python.PythonUtils.toSeq
    set_rules(to_seq(java.java.util.List.of(rule)))
    properties = java.java.lang.System.getProperties()

    def wait() -> None:
        deadline = time.monotonic() + 120
        while properties.get(PLANS) is None:
            assert time.monotonic() < deadline, "Spark never came to plan it"
            time.sleep(0.05)

    yield wait
    set_rules(to_seq(java.java.util.List.of()))
