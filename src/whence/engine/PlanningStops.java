package whence;

import org.apache.spark.SparkContext;
import org.apache.spark.unsafe.Platform;

public class PlanningStops extends scala.runtime.AbstractFunction0 implements Runnable {
  private static final long PAUSE = 500;
  private static final long MEMORY = 60000;
  private static final String CATALYST = "org.apache.spark.sql.catalyst.";
  private static final String RULES = CATALYST + "rules.RuleExecutor";
  private static final String STRATEGIES = CATALYST + "planning.QueryPlanner";
  private static final String PARSER = CATALYST + "parser.AbstractParser";

  private final java.util.concurrent.atomic.AtomicReference settings;
  private final java.util.Map stops = new java.util.concurrent.ConcurrentHashMap();
  private final java.util.Map began = new java.util.concurrent.ConcurrentHashMap();
  private final java.util.Map late = new java.util.concurrent.ConcurrentHashMap();
  private volatile scala.Function0 sparks;
  private volatile long limit;

  public PlanningStops(Object seconds) throws Exception {
    setLimit(((Number) seconds).longValue());
    java.lang.reflect.Field field = Class.forName("org.apache.spark.sql.internal.SQLConf$").getDeclaredField("confGetter");
    field.setAccessible(true);
    settings = (java.util.concurrent.atomic.AtomicReference) field.get(null);
  }

  public void setLimit(long seconds) {
    limit = 1000 * seconds;
  }

  public void stop(String name) {
    stops.put(name, new Long(now()));
    standIn();
  }

  // Spark calls this in the thread that plans, whenever it asks for the settings of its session.
  public Object apply() {
    Thread thread = Thread.currentThread();
    if (late.containsKey(thread)) {
      if (maySayNo(thread.getStackTrace())) {
        late.remove(thread);
        began.remove(thread);
        sayNo("more than " + limit / 1000);
      }
    } else if (isStopped() && maySayNo(thread.getStackTrace())) sayNo("stopped");
    return sparks.apply();
  }

  public void run() {
    try {
      while (true) {
        Thread.sleep(PAUSE);
        look();
      }
    } catch (InterruptedException error) {
      return;
    }
  }

  private void look() {
    java.util.Map stacks = Thread.getAllStackTraces();
    for (java.util.Iterator each = stacks.entrySet().iterator(); each.hasNext();) {
      java.util.Map.Entry entry = (java.util.Map.Entry) each.next();
      time((Thread) entry.getKey(), (StackTraceElement[]) entry.getValue());
    }
    began.keySet().retainAll(stacks.keySet());
    late.keySet().retainAll(began.keySet());
    for (java.util.Iterator each = stops.values().iterator(); each.hasNext();)
      if (now() - ((Long) each.next()).longValue() > MEMORY) each.remove();
    if (late.isEmpty() && stops.isEmpty()) stepBack();
    else standIn();
  }

  private void time(Thread thread, StackTraceElement[] stack) {
    if (!isPlanning(stack)) {
      began.remove(thread);
      return;
    }
    Long since = (Long) began.putIfAbsent(thread, new Long(now()));
    if (since != null && now() - since.longValue() > limit) late.put(thread, since);
  }

  private synchronized void standIn() {
    Object current = settings.get();
    if (current != this) {
      sparks = (scala.Function0) current;
      settings.set(this);
    }
  }

  private synchronized void stepBack() {
    settings.compareAndSet(this, sparks);
  }

  private boolean isStopped() {
    scala.Option active = org.apache.spark.SparkContext$.MODULE$.getActive();
    if (stops.isEmpty() || active.isEmpty()) return false;
    SparkContext context = (SparkContext) active.get();
    String group = context.getLocalProperty("spark.jobGroup.id"), tags = context.getLocalProperty("spark.job.tags");
    if (group != null && stops.containsKey(group)) return true;
    String[] each = tags == null ? new String[0] : tags.split(",");
    for (int place = 0; place < each.length; place++) if (stops.containsKey(each[place])) return true;
    return false;
  }

  // A class whose static fields fail to be set can never be used again, in any query.
  private static boolean maySayNo(StackTraceElement[] stack) {
    for (int place = 0; place < stack.length; place++) if (stack[place].getMethodName().equals("<clinit>")) return false;
    return isPlanning(stack);
  }

  private static boolean isPlanning(StackTraceElement[] stack) {
    for (int place = stack.length - 1; place >= 0; place--) {
      String name = stack[place].getClassName();
      if (name.startsWith(CATALYST) && (name.equals(RULES) || name.equals(STRATEGIES) || name.equals(PARSER))) return true;
    }
    return false;
  }

  // Spark takes some failures of its rules for "not possible this way" and goes on; an interrupt it lets pass. But where a
  // thread sends rows to Python, an interrupt is not told to Python, which would wait for ever.
  private static void sayNo(String reason) {
    String message = "[WHENCE_PLANNING] " + reason;
    if (isSending(Thread.currentThread().getStackTrace())) throw new IllegalStateException(message);
    Platform.throwException(new InterruptedException(message));
  }

  private static boolean isSending(StackTraceElement[] stack) {
    for (int place = stack.length - 1; place >= 0; place--)
      if (stack[place].getClassName().startsWith("org.apache.spark.security.Socket")) return true;
    return false;
  }

  private static long now() {
    return System.nanoTime() / 1000000;
  }
}
