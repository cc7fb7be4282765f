package whence;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.catalyst.expressions.AttributeReference;
import org.apache.spark.sql.catalyst.expressions.ExprId;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.parser.ParserInterface;
import org.apache.spark.sql.catalyst.plans.logical.Command;
import org.apache.spark.sql.catalyst.plans.logical.Filter;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.plans.logical.ParsedStatement;
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
  private static final int MANY_LEVELS = 50;
  private final com.fasterxml.jackson.databind.ObjectMapper json = new com.fasterxml.jackson.databind.ObjectMapper();
  private final HashMap kept = new HashMap();
  private final Map serving = new java.util.concurrent.ConcurrentHashMap();
  private final Object session;
  private SparkSession interpreter;

  public Script(Object session) {
    this.session = session;
  }

  // An empty script, and the four objects that every script begins with.
  public Script empty() throws Throwable {
    Script made = new Script(session);
    made.keep(0, parser());
    made.keep(1, called(module("org.apache.spark.sql.catalyst.analysis.FunctionRegistry"), "builtin", NOTHING));
    made.keep(2, seq(new ArrayList()));
    made.keep(3, called(module("scala.Option"), "empty", NOTHING));
    return made;
  }

  public void keep(int number, Object given) {
    kept.put(new Integer(number), given);
  }

  public Object run(String program, int wanted) throws Throwable {
    List gestures = (List) json.readValue(program, List.class);
    for (int each = 0; each < gestures.size(); each++) {
      List gesture = (List) gestures.get(each);
      kept.put(gesture.get(0), done(gesture.subList(1, gesture.size())));
    }
    return kept.get(new Integer(wanted));
  }

  private Object done(List gesture) throws Throwable {
    String kind = (String) gesture.get(0);
    if (kind.equals("seq")) return org.apache.spark.api.python.PythonUtils.toSeq(list(gesture, 1));
    if (kind.equals("module")) return module((String) gesture.get(1));
    if (kind.equals("opened")) {
      Object found = value(gesture.get(1));
      return found instanceof scala.Some ? ((scala.Some) found).get() : found;
    }
    if (kind.equals("rows")) return rows((LogicalPlan) value(gesture.get(1)));
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

  // What a query gives; the name of its class if the text is a command, of which none has run.
  public Object query(String text) throws Throwable {
    String command = command(text);
    return command == null ? ((SparkSession) session).sql(text) : command;
  }

  // A command can stand after WITH, or be the first branch of a union: FROM t INSERT ... INSERT ... parses to one.
  public String command(String text) throws Throwable {
    LogicalPlan plan = parser().parsePlan(text);
    while (plan.getClass().getSimpleName().equals("UnresolvedWith")) {
      if (isCommand(plan)) return plan.getClass().getSimpleName();
      plan = (LogicalPlan) called(plan, "child", NOTHING);
    }
    if (!isCommand(plan) && plan.getClass().getSimpleName().equals("Union")) {
      plan = (LogicalPlan) plan.children().head();
    }
    return isCommand(plan) ? plan.getClass().getSimpleName() : null;
  }

  private boolean isCommand(LogicalPlan plan) {
    String kind = plan.getClass().getSimpleName();
    // The last two are no commands by their class, but Spark runs the statements in them while it analyses.
    return plan instanceof Command || plan instanceof ParsedStatement || kind.indexOf("ExecuteImmediate") >= 0
      || kind.indexOf("CompoundBody") >= 0;
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

  // Settings may have changed since the last call. They are never missing meanwhile: another thread may just read them.
  public synchronized Object interpreted(Object frame) throws Throwable {
    if (interpreter == null) interpreter = ((SparkSession) session).cloneSession();
    Map wanted = new LinkedHashMap(((SparkSession) session).sessionState().conf().settings());
    wanted.put("spark.sql.codegen.wholeStage", "false");
    wanted.put("spark.sql.codegen.factoryMode", "NO_CODEGEN");
    Map settings = interpreter.sessionState().conf().settings();
    settings.putAll(wanted);
    settings.keySet().retainAll(wanted.keySet());
    return called(module("org.apache.spark.sql.classic.Dataset"), "ofRows", new Object[] {interpreter, analyzed(frame)});
  }

  public LogicalPlan analyzed(Object frame) {
    return ((Dataset) frame).queryExecution().analyzed();
  }

  public boolean isDeterministic(Object frame) {
    return analyzed(frame).deterministic();
  }

  // The settings of the session as text: as a map they would cost three calls for each entry.
  public byte[] settings() throws Throwable {
    Map settings = ((SparkSession) session).sessionState().conf().settings();
    synchronized (settings) {
      return packed(json.writeValueAsString(new java.util.TreeMap(settings)));
    }
  }

  // Where the rows of a frame can be fetched, and the secret that opens the place.
  public String served(Object frame) throws Throwable {
    Object[] served = (Object[]) called(frame, "collectAsArrowToPython", NOTHING);
    String place = String.valueOf(served[0]);
    serving.put(place, served[2]);
    return place + "\n" + served[1];
  }

  // Waits for the end of what `served` began, and raises the error that ended it.
  public void finish(String place) throws Throwable {
    called(serving.remove(place), "getResult", NOTHING);
  }

  public LogicalPlan collapsed(Object frame) throws Throwable {
    return ruled("CollapseProject", analyzed(frame));
  }

  // Rules walk a plan by recursion. Chains of UNION and of SELECT over SELECT are as deep as they are long.
  public LogicalPlan flattened(LogicalPlan plan) throws Throwable {
    return levels(plan) < MANY_LEVELS ? plan : ruled("CollapseProject", ruled("CombineUnions", plan));
  }

  private static int levels(LogicalPlan plan) {
    int levels = 0;
    ArrayList here = new ArrayList();
    here.add(plan);
    while (!here.isEmpty()) {
      ArrayList below = new ArrayList();
      for (int each = 0; each < here.size(); each++) {
        scala.collection.Iterator children = ((LogicalPlan) here.get(each)).children().iterator();
        while (children.hasNext()) {
          below.add(children.next());
        }
      }
      levels++;
      here = below;
    }
    return levels;
  }

  private LogicalPlan ruled(String rule, LogicalPlan plan) throws Throwable {
    Object applied = module("org.apache.spark.sql.catalyst.optimizer." + rule);
    return (LogicalPlan) called(applied, "apply", new Object[] {plan});
  }

  public byte[] told(LogicalPlan plan) throws Throwable {
    ArrayList roots = new ArrayList();
    scala.collection.Iterator leaves = plan.collectLeaves().iterator();
    while (leaves.hasNext()) {
      Object leaf = leaves.next();
      if (leaf instanceof LogicalRelation) roots.add(paths(((LogicalRelation) leaf).relation()));
    }
    String parts = json.writeValueAsString(roots);
    return packed(parts + "\n" + plan.subqueriesAll().isEmpty() + "\n" + plan.schema().json() + "\n" + plan.toJSON());
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
    return said instanceof List ? kept.get(((List) said).get(0)) : said;
  }
}
