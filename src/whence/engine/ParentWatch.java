package whence;

public class ParentWatch extends Thread {
  private static final long PAUSE = 500;
  private final ProcessHandle parent;

  public ParentWatch(Object parent) {
    super("whence-parent-watch");
    setDaemon(true);
    this.parent = (ProcessHandle) parent;
  }

  public void run() {
    try {
      while (parent.isAlive()) Thread.sleep(PAUSE);
    } catch (InterruptedException error) {
      return;
    }
    // Not exit: its hooks wait for tasks, and some tasks do not end for minutes.
    Runtime.getRuntime().halt(1);
  }
}
