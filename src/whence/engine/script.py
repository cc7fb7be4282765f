"""Gestures written down in Python and done in the Java process all at once: a call across costs more than what it does.

A script stands in for `Jvm` while a plan is written. What it gives back are promises of objects; calling a method of a
promise is written down as well. `value` has everything done that was written down so far.
"""

from __future__ import annotations

import hashlib
import json
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from pyspark.sql import DataFrame

from whence.engine.jvm import Jvm
from whence.model.schema import Schema

_RUNNER = """
package whence;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.catalyst.expressions.AttributeReference;
import org.apache.spark.sql.catalyst.expressions.ExprId;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.parser.ParserInterface;
import org.apache.spark.sql.catalyst.plans.logical.Filter;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.plans.logical.Project;
import org.apache.spark.sql.classic.Dataset;
import org.apache.spark.sql.classic.SparkSession;
import org.apache.spark.sql.execution.datasources.HadoopFsRelation;
import org.apache.spark.sql.execution.datasources.LogicalRelation;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.Metadata;

public class Script {
  private static final py4j.reflection.ReflectionEngine ENGINE = new py4j.reflection.ReflectionEngine();
  private static final Object[] NOTHING = new Object[0];
  private final com.fasterxml.jackson.databind.ObjectMapper json = new com.fasterxml.jackson.databind.ObjectMapper();
  private final ArrayList kept = new ArrayList();
  private final Object session;

  public Script(Object session) {
    this.session = session;
  }

  public void keep(Object given) {
    kept.add(given);
  }

  public Object run(String program, int wanted) throws Throwable {
    List gestures = (List) json.readValue(program, List.class);
    for (int each = 0; each < gestures.size(); each++) kept.add(done((List) gestures.get(each)));
    return kept.get(wanted);
  }

  private Object done(List gesture) throws Throwable {
    String kind = (String) gesture.get(0);
    if (kind.equals("seq")) return org.apache.spark.api.python.PythonUtils.toSeq(list(gesture, 1));
    if (kind.equals("module")) return module((String) gesture.get(1));
    if (kind.equals("opened")) {
      Object found = value(gesture.get(1));
      return found instanceof scala.Some ? ((scala.Some) found).get() : found;
    }
    if (kind.equals("resolved")) return resolved((LogicalPlan) value(gesture.get(1)));
    if (kind.equals("new")) {
      Object[] given = list(gesture, 2).toArray();
      try {
        return ENGINE.invoke(null, ENGINE.getConstructor((String) gesture.get(1), given), given);
      } catch (py4j.Py4JException error) {
        throw error.getCause() == null ? error : error.getCause();
      }
    }
    Object target = kind.equals("static") ? module((String) gesture.get(1)) : value(gesture.get(1));
    return called(target, (String) gesture.get(2), list(gesture, 3).toArray());
  }

  private Object called(Object target, String name, Object[] given) throws Throwable {
    try {
      return ENGINE.invoke(target, ENGINE.getMethod(target, name, given), given);
    } catch (py4j.Py4JException error) {
      throw error.getCause() == null ? error : error.getCause();
    }
  }

  public Object stacked(Object frame, String said) throws Throwable {
    LogicalPlan plan = analyzed(frame);
    List levels = (List) json.readValue(said, List.class);
    for (int each = 0; each < levels.size(); each++) {
      Map level = (Map) levels.get(each);
      if (level.get("where") != null) plan = new Filter(parsed(level.get("where")), plan);
      plan = new Project(selected((List) level.get("columns")), plan);
    }
    return rows(plan);
  }

  public byte[] reads(Object given, String said) throws Throwable {
    Map asked = (Map) json.readValue(said, Map.class);
    Object columns = given == null ? told((List) asked.get("given")) : analyzed(given).output();
    if (columns == null) return null;
    // Nothing is to be run, so an empty relation of these columns does, however much lies below them.
    Object below = called(module("org.apache.spark.sql.catalyst.plans.logical.LocalRelation"), "apply",
      new Object[] {columns});
    LogicalPlan asking = new Project(selected((List) asked.get("columns")), (LogicalPlan) below);
    Dataset made = (Dataset) rows(asking);
    LogicalPlan plan = made.queryExecution().analyzed();
    ArrayList trees = new ArrayList();
    scala.collection.Iterator found = plan.expressions().iterator();
    while (found.hasNext()) trees.add(((Expression) found.next()).toJSON());
    LinkedHashMap answer = new LinkedHashMap();
    // A window function, an aggregate or a generator puts more than one projection on top.
    boolean isPlain = plan.nodeName().equals("Project") && plan.children().head().equals(below);
    answer.put("plain", new Boolean(isPlain));
    if (!isPlain) answer.put("plan", plan.toJSON());
    answer.put("schema", made.schema().json());
    answer.put("trees", trees);
    return packed(json.writeValueAsString(answer));
  }

  private Object told(List columns) throws Throwable {
    ArrayList made = new ArrayList();
    for (int each = 0; each < columns.size(); each++) {
      List column = (List) columns.get(each);
      DataType type;
      try {
        type = parser().parseDataType((String) column.get(1));
      } catch (Exception error) {
        return null; // such as a vector: no text says what it is
      }
      Object id = called(module("org.apache.spark.sql.catalyst.expressions.NamedExpression"), "newExprId", NOTHING);
      made.add(new AttributeReference((String) column.get(0), type, true, Metadata.empty(), (ExprId) id,
        seq(new ArrayList())));
    }
    return seq(made);
  }

  private scala.collection.immutable.Seq selected(List columns) throws Throwable {
    ArrayList made = new ArrayList();
    for (int each = 0; each < columns.size(); each++) made.add(parsed(columns.get(each)));
    return seq(made);
  }

  private Expression parsed(Object text) throws Throwable {
    return parser().parseExpression((String) text);
  }

  private ParserInterface parser() {
    return ((SparkSession) session).sessionState().sqlParser();
  }

  private scala.collection.immutable.Seq seq(List items) {
    return org.apache.spark.api.python.PythonUtils.toSeq(items);
  }

  private Object rows(LogicalPlan plan) throws Throwable {
    return called(module("org.apache.spark.sql.classic.Dataset"), "ofRows", new Object[] {session, plan});
  }

  public LogicalPlan analyzed(Object frame) {
    return ((Dataset) frame).queryExecution().analyzed();
  }

  public LogicalPlan collapsed(Object frame) throws Throwable {
    Object rule = module("org.apache.spark.sql.catalyst.optimizer.CollapseProject");
    return (LogicalPlan) called(rule, "apply", new Object[] {analyzed(frame)});
  }

  public byte[] told(LogicalPlan plan) throws Throwable {
    ArrayList roots = new ArrayList();
    scala.collection.Iterator leaves = plan.collectLeaves().iterator();
    while (leaves.hasNext()) {
      Object leaf = leaves.next();
      if (leaf instanceof LogicalRelation) roots.add(paths(((LogicalRelation) leaf).relation()));
    }
    String parts = json.writeValueAsString(roots);
    return packed(parts + "\\n" + plan.subqueriesAll().isEmpty() + "\\n" + plan.toJSON());
  }

  public byte[] json(LogicalPlan plan) throws Throwable {
    return packed(plan.toJSON());
  }

  private byte[] packed(String text) throws Throwable {
    java.util.zip.Deflater quick = new java.util.zip.Deflater(1);
    java.io.ByteArrayOutputStream bytes = new java.io.ByteArrayOutputStream();
    java.util.zip.DeflaterOutputStream out = new java.util.zip.DeflaterOutputStream(bytes, quick);
    out.write(text.getBytes("UTF-8"));
    out.close();
    quick.end();
    return bytes.toByteArray();
  }

  private ArrayList paths(Object relation) {
    ArrayList found = new ArrayList();
    if (relation instanceof HadoopFsRelation) {
      scala.collection.Iterator paths = ((HadoopFsRelation) relation).location().rootPaths().iterator();
      while (paths.hasNext()) found.add(paths.next().toString());
    }
    return found;
  }

  private Object resolved(LogicalPlan plan) throws Throwable {
    if (plan.resolved()) return plan;
    return ((Dataset) rows(plan)).queryExecution().analyzed();
  }

  private Object module(String name) throws Throwable {
    return Class.forName(name + "$").getField("MODULE$").get(null);
  }

  private ArrayList list(List gesture, int first) {
    ArrayList values = new ArrayList();
    for (int place = first; place < gesture.size(); place++) values.add(value(gesture.get(place)));
    return values;
  }

  private Object value(Object said) {
    return said instanceof List ? kept.get(((Integer) ((List) said).get(0)).intValue()) : said;
  }
}
"""


@dataclass(frozen=True)
class Level:
    """A selection: SQL expressions over the rows that meet a condition."""

    columns: tuple[str, ...]
    where: str | None = None


@dataclass(frozen=True)
class Told:
    """A plan, its JSON form, and the folders that each file relation in it reads, from the left."""

    plan: Any
    text: str
    roots: tuple[tuple[str, ...], ...]


class Runner:
    """The class above, compiled once for a Java process: py4j remembers methods by the name of their class."""

    def __init__(self, jvm: Jvm) -> None:
        self._jvm = jvm
        shelf, key = jvm.properties(), f"whence.{hashlib.sha256(_RUNNER.encode()).hexdigest()}"
        self._constructor = shelf.get(key)
        if self._constructor is None:
            compiler = jvm.make("org.codehaus.janino.SimpleCompiler")
            compiler.cook(_RUNNER)
            (self._constructor,) = compiler.getClassLoader().loadClass("whence.Script").getDeclaredConstructors()
            shelf.put(key, self._constructor)

        self._hands = self._new()

    def script(self) -> Script:
        """An empty script."""
        return Script(self._jvm, self._new())

    def stacked(self, frame: DataFrame, levels: Sequence[Level]) -> DataFrame:
        """Selections put over a frame one after the other: one call and one analysis for all of them."""
        said = [{"columns": list(level.columns), "where": level.where} for level in levels]
        return DataFrame(self._hands.stacked(frame._jdf, json.dumps(said)), frame.sparkSession)

    def reads(self, given: DataFrame | Schema, columns: Sequence[str]) -> dict[str, Any] | None:
        """The schema of a selection, its expressions, and whether a plain projection is all it puts on top.

        None where the types of a schema are not all to be told in words.
        """
        told = [[field.name, field.type] for field in given] if isinstance(given, Schema) else []
        frame = None if isinstance(given, Schema) else given._jdf
        answer = self._hands.reads(frame, json.dumps({"given": told, "columns": list(columns)}))
        found: dict[str, Any] | None = None if answer is None else json.loads(_unpacked(answer))
        return found

    def told(self, frame: DataFrame, *, is_collapsed: bool = False) -> Told | None:
        """A plan without subqueries, told in one call; None for one with, which has to be rewritten first.

        Collapsed, projections on projections are one, as Spark's optimizer would make them anyway.
        """
        plan = self._hands.collapsed(frame._jdf) if is_collapsed else self._hands.analyzed(frame._jdf)
        roots, is_flat, text = _unpacked(self._hands.told(plan)).split("\n", 2)
        if is_flat != "true" or "CTE" in text:
            return None
        return Told(plan, text, tuple(tuple(each) for each in json.loads(roots)))

    def json(self, plan: Any) -> str:  # noqa: ANN401 - a JVM object
        """A plan in its JSON form."""
        return _unpacked(self._hands.json(plan))

    def _new(self) -> Any:  # noqa: ANN401 - a JVM object
        values = self._jvm.array("java.lang.Object", 1)
        values[0] = self._jvm.spark
        return self._constructor.newInstance(values)


def _unpacked(sent: bytes) -> str:
    """A text that is sent packed: a long one is sent in pieces, and between two pieces the system waits 40 ms for a
    sign of life of the receiver (Nagle's algorithm against delayed acknowledgements). Nor is anything to be escaped."""
    return zlib.decompress(sent).decode()


class Script(Jvm):
    """One script."""

    def __init__(self, jvm: Jvm, runner: Any) -> None:  # noqa: ANN401 - a JVM object
        self.direct = jvm
        """For what must be done at once."""
        self._runner = runner
        self._count = 0
        self._waiting: list[list[object]] = []
        self._known = {}
        self._parser, self._functions = self.promise(jvm._parser), self.promise(jvm._functions)
        self._empty = self._seq([])
        self._none = self._class("scala.Option").empty()

    def promise(self, given: Any) -> Promise:  # noqa: ANN401 - a JVM object
        """An object that is there already."""
        self._flush()
        self._runner.keep(given)
        return self._next()

    def value(self, promise: Promise) -> Any:  # noqa: ANN401
        """Do what is written down, and give the object that was promised."""
        program, self._waiting = json.dumps(self._waiting), []
        return self._runner.run(program, promise.number)

    def singleton(self, name: str) -> Promise:
        """A Scala object."""
        if name not in self._known:
            self._known[name] = self.note("module", name)
        found: Promise = self._known[name]
        return found

    def opened(self, option: Promise) -> Promise:
        """What is in a Some; anything else as it is."""
        return self.note("opened", option)

    def resolved(self, plan: Any) -> Any:  # noqa: ANN401
        """The plan, completed by Spark's analyzer if need be."""
        return self.note("resolved", plan)

    def joined(self, seqs: list[Any]) -> Any:  # noqa: ANN401
        """Several Seqs one after the other."""
        all_of_them = self._empty
        for seq in seqs:
            all_of_them = all_of_them.appendedAll(seq)
        return all_of_them

    def frame(self, plan: Any) -> DataFrame:  # noqa: ANN401
        """A DataFrame over a logical plan."""
        return self.direct.frame(self.value(plan) if isinstance(plan, Promise) else plan)

    def note(self, kind: str, *args: object) -> Promise:
        """Write a gesture down."""
        said = [kind, *map(self._said, args)]  # an object that is there already is kept first
        self._waiting.append(said)
        return self._next()

    def _said(self, arg: object) -> object:
        if arg is None or isinstance(arg, bool | int | str):
            return arg
        return [(arg if isinstance(arg, Promise) else self.promise(arg)).number]

    def _next(self) -> Promise:
        self._count += 1
        return Promise(self, self._count - 1)

    def _flush(self) -> None:
        if self._waiting:
            self.value(Promise(self, 0))

    def _seq(self, items: list[Any]) -> Any:  # noqa: ANN401
        return self.note("seq", *items)

    def _class(self, name: str) -> Any:  # noqa: ANN401
        return _Class(self, name)


class Promise:
    """An object that will be there when the script has run; its methods are written down."""

    def __init__(self, script: Script, number: int) -> None:
        self.script = script
        self.number = number

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401
        if name.startswith("__"):
            raise AttributeError(name)
        return lambda *args: self.script.note("call", self, name, *args)


class _Class:
    """A class of Scala's by its name: called, it makes an object; its methods are those of its companion."""

    def __init__(self, script: Script, name: str) -> None:
        self._script = script
        self._name = name

    def __call__(self, *args: object) -> Promise:
        return self._script.note("new", self._name, *args)

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401
        return lambda *args: self._script.note("static", self._name, name, *args)
