import { useHistory, useNotebook, useNotebooks } from "../api/notebooks";
import { useDatasets } from "../api/queries";
import { said, when } from "../notebook/versionWords";
import { setParams } from "../state/params";
import styles from "./SinceChoice.module.css";
import { formatSince, parseSince, type Since } from "./since";

const SHOWN = 100;

/** Only what was not doubtful yet in an earlier version: of a notebook with all it made, or of one dataset. */
export function SinceChoice({ since }: { since: string | undefined }) {
  const chosen = parseSince(since);
  const notebooks = useNotebooks().data ?? [];
  const datasets = (useDatasets().data ?? []).filter((dataset) => dataset.version > 1);
  const choose = (of: string) => {
    const next = parseSince(of);
    const current = datasets.find((dataset) => next?.kind === "dataset" && dataset.name === next.name)?.version;
    setParams({
      since: next && formatSince(current === undefined ? next : { ...next, version: current - 1 }),
      group: undefined,
    });
  };
  const option = (kind: Since["kind"], name: string) => (
    <option key={name} value={formatSince({ kind, name })}>
      {name}
    </option>
  );
  return (
    <span className={styles.since} data-chosen={chosen !== undefined || undefined}>
      <label>
        New since
        <select
          value={chosen ? formatSince({ kind: chosen.kind, name: chosen.name }) : ""}
          onChange={(event) => choose(event.target.value)}
        >
          <option value="">any time</option>
          {notebooks.length > 0 && (
            <optgroup label="A version of a notebook">{notebooks.map((name) => option("notebook", name))}</optgroup>
          )}
          {datasets.length > 0 && (
            <optgroup label="A version of a dataset">{datasets.map(({ name }) => option("dataset", name))}</optgroup>
          )}
        </select>
      </label>
      {chosen?.kind === "dataset" && (
        <Versions
          since={chosen}
          versions={numbersBefore(datasets.find(({ name }) => name === chosen.name)?.version ?? 0)}
        />
      )}
      {chosen?.kind === "notebook" && <NotebookVersions key={chosen.name} since={chosen} />}
    </span>
  );
}

type Version = { version: number; words: string };

function NotebookVersions({ since }: { since: Since }) {
  const notebook = useNotebook(since.name).data;
  const history = useHistory(since.name, notebook?.version ?? 0).data ?? [];
  const versions = history
    .filter(({ version }) => version !== notebook?.version)
    .reverse()
    .slice(0, SHOWN)
    .map((each) => ({
      version: each.version,
      words: `${each.version} · ${notebook ? said(each, notebook) : each.action} · ${when(each.time)}`,
    }));
  return <Versions since={since} versions={versions} />;
}

function Versions({ since, versions }: { since: Since; versions: Version[] }) {
  const isKnown = versions.some(({ version }) => version === since.version);
  return (
    <select
      aria-label="Version"
      value={since.version ?? ""}
      onChange={(event) =>
        setParams({ since: formatSince({ ...since, version: Number(event.target.value) }), group: undefined })
      }
    >
      {since.version === undefined && <option value="">choose a version…</option>}
      {since.version !== undefined && !isKnown && <option value={since.version}>{since.version}</option>}
      {versions.map(({ version, words }) => (
        <option key={version} value={version}>
          {words}
        </option>
      ))}
    </select>
  );
}

function numbersBefore(current: number): Version[] {
  return Array.from({ length: Math.min(SHOWN, Math.max(0, current - 1)) }, (_, back) => ({
    version: current - 1 - back,
    words: `version ${current - 1 - back}`,
  }));
}
