package whence;

import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.catalyst.expressions.Exists;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.ListQuery;
import org.apache.spark.sql.catalyst.expressions.SubqueryExpression;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;

// Finds the plans of EXISTS and IN that hold an EXISTS or IN themselves, and puts others in their place.
public class InnerSubqueries {
  private final LogicalPlan plan;

  public InnerSubqueries(Object plan) {
    this.plan = (LogicalPlan) plan;
  }

  public ArrayList found() {
    Found found = new Found();
    plan.transformAllExpressions(found);
    return found.plans;
  }

  public LogicalPlan replaced(List others) {
    return (LogicalPlan) plan.transformAllExpressions(new Replaced(found(), others));
  }

  private static boolean isAsked(Object node) {
    return node instanceof Exists || node instanceof ListQuery;
  }

  private static boolean holdsAnother(Object node) {
    if (!isAsked(node)) {
      return false;
    }
    Asked asked = new Asked();
    ((LogicalPlan) ((SubqueryExpression) node).plan()).transformAllExpressions(asked);
    return asked.isFound;
  }

  public static class Asked extends scala.runtime.AbstractPartialFunction {
    boolean isFound = false;

    public boolean isDefinedAt(Object node) {
      isFound = isFound || isAsked(node);
      return false;
    }
  }

  public static class Found extends scala.runtime.AbstractPartialFunction {
    final ArrayList plans = new ArrayList();

    public boolean isDefinedAt(Object node) {
      return holdsAnother(node);
    }

    public Object applyOrElse(Object node, scala.Function1 otherwise) {
      if (!holdsAnother(node)) {
        return otherwise.apply(node);
      }
      plans.add(((SubqueryExpression) node).plan());
      return node;
    }
  }

  public static class Replaced extends scala.runtime.AbstractPartialFunction {
    private final List plans;
    private final List others;

    Replaced(List plans, List others) {
      this.plans = plans;
      this.others = others;
    }

    public boolean isDefinedAt(Object node) {
      return holdsAnother(node);
    }

    public Object applyOrElse(Object node, scala.Function1 otherwise) {
      if (node instanceof SubqueryExpression) {
        for (int place = 0; place < plans.size(); place++) {
          if (plans.get(place) == ((SubqueryExpression) node).plan()) {
            return ((SubqueryExpression) node).withNewPlan((LogicalPlan) others.get(place));
          }
        }
      }
      return otherwise.apply(node);
    }
  }
}
