import type { Schemas } from "../api/client";
import styles from "./Display.module.css";

/** One output of a cell. Whatever could run or restyle the page is shown in a sandboxed frame only. */
export function Display({ display }: { display: Schemas["DisplayView"] }) {
  if (display.stream)
    return (
      <pre className={styles.text} data-stream={display.stream}>
        {display.text}
      </pre>
    );
  const data = display.data ?? {};
  for (const kind of ["image/png", "image/jpeg", "image/gif"]) {
    const image = data[kind];
    if (typeof image === "string")
      return <img className={styles.image} src={`data:${kind};base64,${image.replace(/\s/g, "")}`} alt="Output" />;
  }
  if (display.frame)
    return <iframe className={styles.frame} src={display.frame} sandbox="allow-scripts" title="Output of the cell" />;
  return <pre className={styles.text}>{String(data["text/plain"] ?? JSON.stringify(data))}</pre>;
}
