import { saveText } from "../text/save";
import { count } from "../text/words";
import { CopyButton } from "../ui/CopyButton";
import type { Forgotten } from "./api";
import styles from "./ForgetDialog.module.css";

type Facts = { id: string; rows: { version: string; rows_before: number; rows_after: number }[]; verified: string[] };

/** What was forgotten and how it was verified, with the certificate to save and its key to copy. */
export function CertificateView({ forgotten: { certificate, key, page } }: { forgotten: Forgotten }) {
  const { id, rows, verified } = certificate as Facts;
  const name = `certificate ${id}`;
  return (
    <div className={styles.plan}>
      <ul aria-label="What was forgotten">
        {rows.map((each) => (
          <li key={each.version}>
            {count(each.rows_before - each.rows_after, "row")} of {each.version}
          </li>
        ))}
        {verified.map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
      </ul>
      <div className={styles.line}>
        <button type="button" className="button" onClick={() => saveText(`${name}.html`, "text/html", page)}>
          Download the certificate
        </button>
        <button
          type="button"
          className="button"
          onClick={() => saveText(`${name}.json`, "application/json", JSON.stringify(certificate, null, 2))}
        >
          Download as JSON
        </button>
      </div>
      <p>
        Keep this key yourself: it is shown only now. With it you can prove later that a row went.
        <span className={styles.line}>
          <code>{key}</code>
          <CopyButton text={key} label="Copy the key" />
        </span>
      </p>
    </div>
  );
}
