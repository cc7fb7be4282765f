import { useQuery } from "@tanstack/react-query";
import { client, unwrap } from "../api/client";
import { useAbout } from "../api/queries";
import styles from "./ResultNotes.module.css";

type Props = { name: string; version: number };

/** What one should know about a result, with numbers; a result without notes, or behind a share link, shows nothing. */
export function ResultNotes({ name, version }: Props) {
  const about = useAbout();
  const notes = useQuery({
    queryKey: ["notes", name, version],
    enabled: about.data !== undefined && !about.data.shared,
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: ({ signal }) =>
      unwrap(client.GET("/api/datasets/{name}/notes", { params: { path: { name }, query: { version } }, signal })),
  });
  if (!notes.data || notes.data.notes.length === 0) return null;
  return (
    <ul className={styles.notes} aria-label={`Notes on ${name}`}>
      {notes.data.notes.map((note) => (
        <li key={note}>{note}</li>
      ))}
    </ul>
  );
}
