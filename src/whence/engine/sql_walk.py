"""Lists every node of a parsed query in one call to the Java process.

It walks all constructor fields of each node (plans, expressions, lists, options, pairs), not only children and
expressions: a named WINDOW clause, for example, is neither.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any
from urllib.parse import unquote_plus

from pyspark.sql import SparkSession

from whence.engine.java_code import load_java_class

_WALKER = """
package whence;

import org.apache.spark.sql.catalyst.analysis.UnresolvedAttribute;
import org.apache.spark.sql.catalyst.analysis.UnresolvedFunction;
import org.apache.spark.sql.catalyst.analysis.UnresolvedRelation;
import org.apache.spark.sql.catalyst.analysis.UnresolvedTableValuedFunction;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.plans.logical.UnresolvedWith;
import org.apache.spark.sql.catalyst.trees.TreeNode;

public class Walker {
  private static final int MOST = 200000;

  public static String walk(Object root) throws Exception {
    StringBuilder found = new StringBuilder();
    java.util.ArrayDeque waiting = new java.util.ArrayDeque();
    waiting.push(new Object[] {root, Integer.valueOf(0)});
    int count = 0;
    while (!waiting.isEmpty()) {
      if (count++ > MOST) return "many\\n";
      Object[] next = (Object[]) waiting.pop();
      Object node = next[0];
      int depth = ((Integer) next[1]).intValue();
      if (node instanceof TreeNode) {
        depth++;
        found.append(described(node, depth)).append('\\n');
      }
      Integer below = Integer.valueOf(depth);
      if (node instanceof scala.collection.Iterable) {
        scala.collection.Iterator each = ((scala.collection.Iterable) node).iterator();
        while (each.hasNext()) push(waiting, each.next(), below);
      } else if (node instanceof scala.Product) {
        scala.collection.Iterator each = ((scala.Product) node).productIterator();
        while (each.hasNext()) push(waiting, each.next(), below);
      } else if (node instanceof Object[]) {
        Object[] all = (Object[]) node;
        for (int place = 0; place < all.length; place++) push(waiting, all[place], below);
      }
    }
    return found.toString();
  }

  private static void push(java.util.ArrayDeque waiting, Object node, Integer depth) {
    if (node != null) waiting.push(new Object[] {node, depth});
  }

  private static String described(Object node, int depth) throws Exception {
    String kind = node instanceof LogicalPlan ? "plan" : node instanceof Expression ? "expression" : "other";
    StringBuilder text = new StringBuilder(kind + " " + depth + " " + node.getClass().getName());
    if (node instanceof UnresolvedRelation) {
      UnresolvedRelation relation = (UnresolvedRelation) node;
      text.append(" ").append(relation.isStreaming() || relation.options().size() > 0 ? "special" : "plain");
      one(text, relation.origin().line().isEmpty() ? "" : relation.origin().line().get());
      one(text, relation.origin().startPosition().isEmpty() ? "" : relation.origin().startPosition().get());
      add(text, relation.multipartIdentifier());
    } else if (node instanceof UnresolvedFunction) add(text, ((UnresolvedFunction) node).nameParts());
    else if (node instanceof UnresolvedTableValuedFunction) add(text, ((UnresolvedTableValuedFunction) node).name());
    else if (node instanceof UnresolvedAttribute) add(text, ((UnresolvedAttribute) node).nameParts());
    else if (node instanceof UnresolvedWith) {
      scala.collection.Iterator each = ((UnresolvedWith) node).cteRelations().iterator();
      while (each.hasNext()) one(text, ((scala.Product) each.next()).productElement(0));
    }
    return text.toString();
  }

  private static void add(StringBuilder text, Object names) throws Exception {
    scala.collection.Iterator each = ((scala.collection.Iterable) names).iterator();
    while (each.hasNext()) one(text, each.next());
  }

  private static void one(StringBuilder text, Object name) throws Exception {
    text.append(" ").append(java.net.URLEncoder.encode(String.valueOf(name), "UTF-8"));
  }
}
"""


@dataclass(frozen=True)
class Node:
    """One node of a parsed query."""

    kind: str
    depth: int
    class_name: str
    names: tuple[str, ...]
    """The parts of the name it mentions. For a relation, three entries come first: `plain` or `special` (with options),
    line and position."""

    @property
    def short(self) -> str:
        """The class name without its package."""
        return self.class_name.rpartition(".")[2].replace("$", "")


class Walker:
    """Walks parsed queries. Its Java code is loaded once for each session."""

    def __init__(self, session: SparkSession) -> None:
        java: Any = session._jvm
        found = load_java_class(session, "Walker", _WALKER).getMethods()
        self._walk = next(each for each in found if each.getName() == "walk")
        self._arguments = session.sparkContext._gateway.new_array(java.java.lang.Object, 1)  # type: ignore[union-attr]

    def nodes(self, plan: Any) -> Iterator[Node] | None:  # noqa: ANN401 - a JVM object
        """Return every node of a plan or expression; None if there are more than 200,000."""
        self._arguments[0] = plan
        text = str(self._walk.invoke(None, self._arguments))
        self._arguments[0] = None  # so that Java may free the plan
        return None if text.startswith("many") else map(_node, text.splitlines())


def _node(line: str) -> Node:
    kind, depth, class_name, *names = line.split(" ")
    return Node(kind, int(depth), class_name, tuple(unquote_plus(name) for name in names))
