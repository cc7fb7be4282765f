import { useRef } from "react";
import { useNotebooks } from "../api/notebooks";
import { useDatasets } from "../api/queries";
import { count } from "../text/words";
import { Icon } from "../ui/Icon";
import { PlaceLink } from "../ui/PlaceLink";
import { RecentWorkspaces } from "./RecentWorkspaces";
import styles from "./Start.module.css";
import { useBegin } from "./useBegin";
import { usePasteOffer } from "./usePasteOffer";

/** Where work begins: a place to drop a file, the ways to start, and what is in the workspace. */
export default function StartPage() {
  const { newNotebook, openTour, loadFiles } = useBegin();
  const datasets = useDatasets().data ?? [];
  const notebooks = useNotebooks().data ?? [];
  const input = useRef<HTMLInputElement>(null);
  const paste = usePasteOffer(loadFiles);
  const isEmpty = datasets.length === 0 && notebooks.length === 0;
  return (
    <div className={styles.page}>
      <h1 className={styles.title}>{isEmpty ? "This workspace is empty." : "Start"}</h1>
      <label className={styles.zone}>
        <Icon name="file" size={36} />
        <span className={styles.call}>Drop a file here, or click to choose one</span>
        <span className={styles.formats}>CSV, JSON, Excel, Parquet or SQLite, also compressed</span>
        <input
          ref={input}
          type="file"
          multiple
          className="visually-hidden"
          aria-label="File to load"
          onChange={(event) => {
            loadFiles([...(event.target.files ?? [])]);
            event.target.value = "";
          }}
        />
      </label>
      <div className={styles.ways}>
        <button type="button" className={styles.way} onClick={() => input.current?.click()}>
          <Icon name="file" size={20} />
          <span className={styles.name}>Load a file</span>
          <span className={styles.words}>It becomes a dataset. What does not fit is kept and marked.</span>
        </button>
        <button type="button" className={styles.way} onClick={paste.ask}>
          <Icon name="paste" size={20} />
          <span className={styles.name}>Paste data</span>
          <span className={styles.words}>Cells copied from a spreadsheet, or rows of text.</span>
        </button>
        <button type="button" className={styles.way} onClick={newNotebook}>
          <Icon name="code" size={20} />
          <span className={styles.name}>New notebook</span>
          <span className={styles.words}>Queries, Python, charts and notes, from top to bottom.</span>
        </button>
        <button type="button" className={styles.way} onClick={openTour}>
          <Icon name="arrow" size={20} />
          <span className={styles.name}>Open the tour</span>
          <span className={styles.words}>Three messy files, and where their numbers came from.</span>
        </button>
      </div>
      {!isEmpty && (
        <section aria-label="In this workspace">
          <h2 className={styles.subtitle}>In this workspace</h2>
          <ul className={styles.list}>
            {notebooks.map((name) => (
              <li key={`notebook ${name}`}>
                <PlaceLink className={styles.item} place={{ notebook: name }}>
                  <Icon name="code" /> {name} <span className={styles.words}>notebook</span>
                </PlaceLink>
              </li>
            ))}
            {datasets.map(({ name, version, rows, origin }) => (
              <li key={`dataset ${name}`}>
                {origin === "chart" ? (
                  <PlaceLink className={styles.item} place={{ view: "chart", chart: `${name}@${version}` }}>
                    <Icon name="chart" /> {name} <span className={styles.words}>chart</span>
                  </PlaceLink>
                ) : (
                  <PlaceLink className={styles.item} place={{ dataset: name }}>
                    <Icon name="cell" /> {name} <span className={styles.words}>{count(rows, "row")}</span>
                  </PlaceLink>
                )}
              </li>
            ))}
          </ul>
        </section>
      )}
      <RecentWorkspaces />
      {paste.dialog}
    </div>
  );
}
