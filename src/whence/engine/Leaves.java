package whence;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import org.apache.spark.sql.catalyst.expressions.Alias;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.plans.logical.Project;
import org.apache.spark.sql.catalyst.plans.logical.Sort;
import org.apache.spark.sql.classic.Dataset;
import org.apache.spark.sql.execution.datasources.HadoopFsRelation;
import org.apache.spark.sql.execution.datasources.LogicalRelation;

public class Leaves {
  private static final HashSet NO_DATA = names("OneRowRelation CTERelationRef UnionLoopRef");
  // Another partition of the rows, or another file, would give other values.
  private static final HashSet UNREPEATABLE = names("Rand Randn RandStr Uniform Uuid Shuffle MonotonicallyIncreasingID"
    + " SparkPartitionID InputFileName InputFileBlockStart InputFileBlockLength");
  private static final String NATURAL_ORDER = "__natural_order__";
  private static final HashSet CUTS = names("GlobalLimit Offset Tail");
  private static final HashSet PASSES = names("Sample LocalLimit GlobalLimit Offset Tail");
  private static final HashSet KEEPS_ORDER = names("LocalLimit GlobalLimit Offset Project SubqueryAlias View Filter");
  private final com.fasterxml.jackson.databind.ObjectMapper json = new com.fasterxml.jackson.databind.ObjectMapper();
  private final org.apache.spark.sql.classic.SparkSession session;

  public Leaves(Object session) {
    this.session = (org.apache.spark.sql.classic.SparkSession) session;
  }

  private static HashSet names(String text) {
    return new HashSet(java.util.Arrays.asList((Object[]) text.split(" ")));
  }

  private static String name(Object node) {
    return node.getClass().getSimpleName().replace("$", "");
  }

  // WITH clauses are written out where they are used, so that each part of the plan can be evaluated on its own.
  public LogicalPlan flat(Object frame) {
    return (LogicalPlan) new org.apache.spark.sql.catalyst.optimizer.InlineCTE(true, false, false).apply(plan(frame));
  }

  public ArrayList found(Object plan, boolean reusesCached) {
    ArrayList found = new ArrayList();
    collect((LogicalPlan) plan, found, true, reusesCached);
    return found;
  }

  public ArrayList foundBelow(Object node, boolean cuts) {
    ArrayList found = new ArrayList();
    collectBelow((LogicalPlan) node, found, cuts, cuts);
    return found;
  }

  public boolean cachesNothing() {
    return session.sharedState().cacheManager().isEmpty();
  }

  private static LogicalPlan plan(Object frame) {
    return ((Dataset) frame).queryExecution().analyzed();
  }

  private void collect(LogicalPlan node, ArrayList found, boolean cuts, boolean reusesCached) {
    if (cuts && isUnrepeatable(node) || reusesCached && isCached(node)) add(node, found);
    else if (node.children().isEmpty() && !NO_DATA.contains(name(node))) add(node, found);
    else collectBelow(node, found, cuts, reusesCached);
  }

  private void collectBelow(LogicalPlan node, ArrayList found, boolean cuts, boolean reusesCached) {
    scala.collection.Iterator children = node.children().iterator();
    while (children.hasNext()) collect((LogicalPlan) children.next(), found, cuts, reusesCached);
    // A subquery may read columns of the query around it, so no part of it is evaluated on its own.
    scala.collection.Iterator nested = node.subqueries().iterator();
    while (nested.hasNext()) collect((LogicalPlan) nested.next(), found, false, false);
  }

  private static void add(Object node, ArrayList found) {
    for (int each = 0; each < found.size(); each++) if (found.get(each) == node) return;
    found.add(node);
  }

  // A cached frame that can be a dataset of its own: its columns have different names.
  private boolean isCached(LogicalPlan node) {
    return !node.children().isEmpty() && cached(node).isDefined() && areDistinct(node.schema().fieldNames());
  }

  private scala.Option cached(LogicalPlan node) {
    return cachesNothing() ? scala.Option.empty() : session.sharedState().cacheManager().lookupCachedData(session, node);
  }

  private static boolean areDistinct(String[] names) {
    HashSet seen = new HashSet();
    for (int each = 0; each < names.length; each++) if (!seen.add(names[each].toLowerCase())) return false;
    return true;
  }

  private static boolean isUnrepeatable(LogicalPlan node) {
    if (name(node).equals("Sample")) return true;
    if (CUTS.contains(name(node)) && !isSorted(node)) return true;
    boolean onlyPasses = node instanceof Project || node instanceof Sort;
    scala.collection.Iterator expressions = node.expressions().iterator();
    while (expressions.hasNext()) {
      Expression each = (Expression) expressions.next();
      if (isUnrepeatable(each) || readsNaturalOrder(each) && !(onlyPasses && passesOn(each))) return true;
    }
    return false;
  }

  // pandas on Spark numbers all rows. The numbers order rows that are equal otherwise, and most plans read them no more.
  private static boolean isNaturalOrder(Expression expression) {
    return expression instanceof Alias && ((Alias) expression).name().equals(NATURAL_ORDER)
      && name(((Alias) expression).child()).equals("MonotonicallyIncreasingID");
  }

  private static boolean readsNaturalOrder(Expression expression) {
    scala.collection.Iterator columns = expression.references().iterator();
    while (columns.hasNext()) if (((Attribute) columns.next()).name().equals(NATURAL_ORDER)) return true;
    return false;
  }

  private static boolean passesOn(Expression expression) {
    return expression instanceof Attribute || name(expression).equals("SortOrder")
      || expression instanceof Alias && ((Alias) expression).name().equals(NATURAL_ORDER);
  }

  private static boolean isUnrepeatable(Expression expression) {
    String name = name(expression);
    if (isNaturalOrder(expression)) return false;
    // Functions of Spark ML say that they are not deterministic, so that Spark calls them once; they are.
    boolean isPython = name.equals("PythonUDF") && !expression.deterministic() && areRepeatable(expression);
    if (isPython || UNREPEATABLE.contains(name)) return true;
    scala.collection.Iterator children = expression.children().iterator();
    while (children.hasNext()) if (isUnrepeatable((Expression) children.next())) return true;
    return false;
  }

  private static boolean areRepeatable(Expression function) {
    scala.collection.Iterator children = function.children().iterator();
    while (children.hasNext()) if (!((Expression) children.next()).deterministic()) return false;
    return true;
  }

  // What a node passes on row by row: the rows below a sample, a limit or a projection; null for other nodes.
  public Object passedBelow(Object node) {
    LogicalPlan below = (LogicalPlan) node;
    if (below instanceof Project) return below.children().head();
    while (PASSES.contains(name(below))) below = (LogicalPlan) below.children().head();
    return below == node ? null : below;
  }

  // For each column of a node the position of the column below that it passes on; -1 if it passes on none.
  public ArrayList passedColumns(Object node, Object below) {
    ArrayList found = new ArrayList();
    scala.collection.Iterator columns = node instanceof Project
      ? ((Project) node).projectList().iterator() : ((LogicalPlan) node).output().iterator();
    while (columns.hasNext()) {
      Object column = columns.next();
      if (column instanceof Alias) column = ((Alias) column).child();
      found.add(new Integer(column instanceof Attribute ? position((Attribute) column, (LogicalPlan) below) : -1));
    }
    return found;
  }

  private static int position(Attribute column, LogicalPlan below) {
    for (int each = 0; each < below.output().size(); each++)
      if (((Attribute) below.output().apply(each)).exprId().equals(column.exprId())) return each;
    return -1;
  }

  private static boolean isSorted(LogicalPlan node) {
    while (KEEPS_ORDER.contains(name(node))) node = (LogicalPlan) node.children().head();
    return node instanceof Sort && ((Sort) node).global();
  }

  public String described(List nodes) throws Throwable {
    ArrayList answer = new ArrayList();
    for (int each = 0; each < nodes.size(); each++) answer.add(described((LogicalPlan) nodes.get(each)));
    return json.writeValueAsString(answer);
  }

  private LinkedHashMap described(LogicalPlan node) {
    LinkedHashMap facts = new LinkedHashMap();
    facts.put("node", name(node));
    facts.put("is_leaf", new Boolean(node.children().isEmpty()));
    facts.put("is_streaming", new Boolean(node.isStreaming()));
    facts.put("schema", node.schema().json());
    // What Spark caches anew is another object: the rows may be others.
    if (!isUnrepeatable(node) && isCached(node)) facts.put("cached", new Integer(System.identityHashCode(cached(node).get())));
    if (!(node instanceof LogicalRelation)) return facts;
    LogicalRelation leaf = (LogicalRelation) node;
    if (leaf.catalogTable().isDefined())
      facts.put("table", ((org.apache.spark.sql.catalyst.catalog.CatalogTable) leaf.catalogTable().get()).qualifiedName());
    if (!(leaf.relation() instanceof HadoopFsRelation)) return facts;
    HadoopFsRelation files = (HadoopFsRelation) leaf.relation();
    facts.put("format", name(files.fileFormat()));
    facts.put("roots", texts(files.location().rootPaths().iterator()));
    facts.put("files", new ArrayList(java.util.Arrays.asList((Object[]) files.location().inputFiles())));
    facts.put("options", texts(files.options().iterator()));
    facts.put("partitions", new ArrayList(java.util.Arrays.asList((Object[]) files.partitionSchema().fieldNames())));
    return facts;
  }

  private static ArrayList texts(scala.collection.Iterator items) {
    ArrayList made = new ArrayList();
    while (items.hasNext()) made.add(items.next().toString());
    return made;
  }

  public boolean areSame(Object one, Object other) {
    return ((LogicalPlan) one).sameResult((LogicalPlan) other);
  }

  public boolean areSamePlans(Object one, Object other) {
    return plan(one).sameResult(plan(other));
  }

  // The rows of a dataset under the column ids of a leaf, so that nothing above the leaf needs to change.
  public Object scan(Object node, Object rows, List positions) throws Throwable {
    LogicalPlan relation = (LogicalPlan) ((LogicalRelation) plan(rows).collectLeaves().head()).newInstance();
    scala.collection.immutable.Seq wanted = ((LogicalPlan) node).output();
    ArrayList columns = new ArrayList();
    for (int each = 0; each < wanted.size(); each++) {
      Attribute column = (Attribute) wanted.apply(each);
      int position = ((Integer) positions.get(each)).intValue();
      columns.add(new Alias((Expression) relation.output().apply(position), column.name(), column.exprId(),
        column.qualifier(), scala.Option.apply(column.metadata()), seq(new ArrayList())));
    }
    return new Project(seq(columns), relation);
  }

  public Object replaced(Object plan, List from, List to) throws Throwable {
    return rows(((LogicalPlan) plan).transformDownWithSubqueries(new Swap(from, to)));
  }

  public Object rows(Object plan) throws Throwable {
    Object companion = Class.forName("org.apache.spark.sql.classic.Dataset$").getField("MODULE$").get(null);
    return ((org.apache.spark.sql.classic.Dataset$) companion).ofRows(
      session, (LogicalPlan) plan);
  }

  private static scala.collection.immutable.Seq seq(List items) {
    return org.apache.spark.api.python.PythonUtils.toSeq(items);
  }

  public static class Swap extends scala.runtime.AbstractPartialFunction {
    private final List from;
    private final List to;

    public Swap(List from, List to) {
      this.from = from;
      this.to = to;
    }

    private int place(Object node) {
      for (int each = 0; each < from.size(); each++) if (from.get(each) == node) return each;
      return -1;
    }

    public boolean isDefinedAt(Object node) {
      return place(node) >= 0;
    }

    public Object applyOrElse(Object node, scala.Function1 other) {
      int place = place(node);
      return place >= 0 ? to.get(place) : other.apply(node);
    }
  }
}
