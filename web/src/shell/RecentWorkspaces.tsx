import { useQuery } from "@tanstack/react-query";
import { client, type Schemas, unwrap } from "../api/client";
import { say } from "../state/toast";
import styles from "./RecentWorkspaces.module.css";
import start from "./Start.module.css";

type Recent = Schemas["RecentWorkspaceView"];

/** Other workspaces that were open on this machine: a link where a server runs, else the command that starts one. */
export function RecentWorkspaces() {
  const recent = useQuery({
    queryKey: ["recent"],
    queryFn: ({ signal }) => unwrap(client.GET("/api/recent", { signal })),
  });
  if (!recent.data?.length) return null;
  return (
    <section aria-label="Recent workspaces">
      <h2 className={start.subtitle}>Recent workspaces</h2>
      <ul className={start.list}>
        {recent.data.map((each) => (
          <li key={each.path} className={styles.item}>
            <span className={styles.name}>
              {each.address ? (
                <a href={each.address} target="_blank" rel="noreferrer">
                  {each.name}
                </a>
              ) : (
                each.name
              )}
            </span>
            <span className={styles.path} title={each.path}>
              {each.path}
            </span>
            <code className={styles.command}>{each.command}</code>
            <button
              type="button"
              className="button"
              onClick={() => void copy(each)}
              aria-label={`Copy the command that opens ${each.name}`}
            >
              Copy
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Where the clipboard is closed, the command is shown instead. */
async function copy({ command }: Recent): Promise<void> {
  try {
    await navigator.clipboard.writeText(command);
    say({ text: "The command is in the clipboard. Run it in a terminal." });
  } catch {
    say({ text: `Run this in a terminal: ${command}` });
  }
}
