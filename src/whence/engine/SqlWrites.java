package whence;

import java.lang.reflect.Method;
import java.util.ArrayList;
import org.apache.spark.sql.catalyst.analysis.UnresolvedIdentifier;
import org.apache.spark.sql.catalyst.analysis.UnresolvedRelation;
import org.apache.spark.sql.catalyst.plans.logical.CreateTableAsSelect;
import org.apache.spark.sql.catalyst.plans.logical.InsertIntoDir;
import org.apache.spark.sql.catalyst.plans.logical.InsertIntoStatement;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.plans.logical.ReplaceTableAsSelect;
import org.apache.spark.sql.catalyst.plans.logical.UnresolvedWith;
import org.apache.spark.sql.classic.Dataset;
import org.apache.spark.sql.classic.SparkSession;
import org.apache.spark.sql.execution.command.ExplainCommand;

public class SqlWrites {
  private final SparkSession session;

  public SqlWrites(Object session) {
    this.session = (SparkSession) session;
  }

  public LogicalPlan parsed(String text) throws Throwable {
    return session.sessionState().sqlParser().parsePlan(text);
  }

  public LogicalPlan explained(Object frame) {
    return ((ExplainCommand) ((Dataset) frame).queryExecution().logical()).logicalPlan();
  }

  // What each part of a statement writes: "table" or "path", and its name. A part that writes neither gives nothing.
  public ArrayList targets(Object parsed) {
    ArrayList found = new ArrayList();
    collect((LogicalPlan) parsed, found);
    return found;
  }

  private static void collect(LogicalPlan node, ArrayList found) {
    if (node instanceof UnresolvedWith) collect(((UnresolvedWith) node).child(), found);
    else if (node instanceof InsertIntoStatement) addTable(((InsertIntoStatement) node).table(), found);
    else if (node instanceof CreateTableAsSelect) addTable(((CreateTableAsSelect) node).name(), found);
    else if (node instanceof ReplaceTableAsSelect) addTable(((ReplaceTableAsSelect) node).name(), found);
    else if (node instanceof InsertIntoDir) addPath((InsertIntoDir) node, found);
    else if (node.getClass().getSimpleName().equals("Union")) {
      scala.collection.Iterator children = node.children().iterator();
      while (children.hasNext()) collect((LogicalPlan) children.next(), found);
    }
  }

  private static void addTable(LogicalPlan name, ArrayList found) {
    if (name instanceof UnresolvedRelation) add("table", ((UnresolvedRelation) name).multipartIdentifier().mkString("."), found);
    if (name instanceof UnresolvedIdentifier) add("table", ((UnresolvedIdentifier) name).nameParts().mkString("."), found);
  }

  private static void addPath(InsertIntoDir node, ArrayList found) {
    if (node.storage().locationUri().isDefined()) add("path", node.storage().locationUri().get().toString(), found);
  }

  private static void add(String kind, String name, ArrayList found) {
    ArrayList target = new ArrayList();
    target.add(kind);
    target.add(name);
    found.add(target);
  }

  // The statement with columns and casts as Spark writes them. Nothing of it runs.
  public LogicalPlan analyzed(Object parsed) {
    return session.sessionState().executePlan((LogicalPlan) parsed,
      org.apache.spark.sql.execution.CommandExecutionMode$.MODULE$.SKIP()).analyzed();
  }

  // The rows that each part of an analyzed statement writes.
  public ArrayList queries(Object analyzed) throws Throwable {
    ArrayList found = new ArrayList();
    if (analyzed.getClass().getSimpleName().equals("Union")) {
      scala.collection.Iterator children = ((LogicalPlan) analyzed).children().iterator();
      while (children.hasNext()) found.add(query(children.next()));
    } else found.add(query(analyzed));
    return found;
  }

  // Commands share no class that has this method.
  private static Object query(Object command) throws Throwable {
    Method method = command.getClass().getMethod("query", new Class[0]);
    return method.invoke(command, new Object[0]);
  }

  public Object run(Object plan) throws Throwable {
    Object companion = Class.forName("org.apache.spark.sql.classic.Dataset$").getField("MODULE$").get(null);
    return ((org.apache.spark.sql.classic.Dataset$) companion).ofRows(session, (LogicalPlan) plan);
  }
}
