import type { Edits, Session } from "../api/notebooks";
import { say } from "../state/toast";
import { Menu } from "../ui/Menu";
import styles from "./SessionBar.module.css";

type Props = { session: Session | undefined; edits: Edits };

/** How the interpreter stands that Python cells share, and what can be done about it. */
export function SessionBar({ session, edits }: Props) {
  const restart = () =>
    edits.restart.mutate(undefined, {
      onSuccess: () => say({ text: "The session begins anew: all variables are gone." }),
      onError: (error) => say({ text: error.message }),
    });
  const isolate = () =>
    edits.toWorkflow.mutate(undefined, {
      onSuccess: ({ ok, conflicts }) => say({ text: ok ? "Every cell stands for itself now." : quarrel(conflicts) }),
      onError: (error) => say({ text: error.message }),
    });
  return (
    <>
      <Menu
        label={session?.is_running ? "Variables in memory" : "No variables yet"}
        text={session?.is_running ? "Variables in memory" : "No variables yet"}
        items={[
          { label: "Restart: forget all variables", run: restart },
          { label: "Make every cell stand for itself", run: isolate },
        ]}
      />
      {session?.lost && !session.is_running && (
        <p className={styles.lost} role="status">
          {`The variables are gone: ${session.lost}`}
        </p>
      )}
    </>
  );
}

type Conflicts = { symbol: string; cells: string[]; reason: string }[];

function quarrel([first]: Conflicts): string {
  if (first === undefined) return "No order of the cells gives what the session gave.";
  return `Not possible: cells ${first.cells.join(" and ")} quarrel over ${first.symbol}, ${first.reason}.`;
}
