import { ApiError } from "../api/client";
import styles from "./Connection.module.css";

/** A strip that says when the server cannot be reached; what was read before stays on the page. */
export function Connection({ error }: { error: Error | null }) {
  if (!(error instanceof ApiError)) return null;
  if (error.kind === "NotSignedIn") return <Strip title="This session has ended." detail={error.hint} />;
  return error.isOffline ? (
    <Strip
      title={error.message}
      detail="What you see was read before, and what you type is kept in this browser. Trying again."
    />
  ) : null;
}

function Strip({ title, detail }: { title: string; detail: string }) {
  return (
    <div className={styles.strip} role="status">
      <strong>{title}</strong> {detail}
    </div>
  );
}
