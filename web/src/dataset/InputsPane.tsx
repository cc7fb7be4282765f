import { useMemo, useState } from "react";
import type { Dataset } from "../api/client";
import { useAbout, useCell } from "../api/queries";
import { Grid } from "../grid/Grid";
import { litBy } from "../grid/lit";
import type { Cursor } from "../grid/moves";
import { goTo, type Place } from "../state/place";
import { count } from "../text/words";
import { Notice } from "../ui/Notice";
import styles from "./InputsPane.module.css";

type Props = { dataset: Dataset; datasets: Dataset[]; place: Place };

/** The datasets this one was made from, with the rows and cells behind the selected cell lit up. */
export function InputsPane({ dataset, datasets, place }: Props) {
  const [position, setPosition] = useState(0);
  const [cursor, setCursor] = useState<Cursor>();
  const report = useCell(dataset, place.row, place.column);
  const isShared = Boolean(useAbout().data?.shared);
  const chosen = dataset.made_from[position] ?? dataset.made_from[0];
  const input = datasets.find((d) => d.name === chosen?.name && d.version === chosen.version);
  const step = report.data?.steps.find((s) => s.dataset === chosen?.name && s.version === chosen.version);
  const lit = useMemo(() => step && litBy(step), [step]);
  const open = ({ row, column }: Cursor) => {
    if (input) goTo({ dataset: input.name, row, column: input.columns[column]?.name ?? "" });
  };
  return (
    <section className={styles.pane} aria-label="Made from">
      <div className={styles.bar}>
        <h2 className={styles.title}>Made from</h2>
        <div className={styles.tabs}>
          {dataset.made_from.map((parent, i) => (
            <button
              key={parent.name}
              type="button"
              aria-pressed={i === position}
              className={styles.tab}
              onClick={() => setPosition(i)}
            >
              {parent.name}
            </button>
          ))}
        </div>
        <p className={styles.told} aria-live="polite">
          {step
            ? `${count(step.rows.count, "row")} behind the selected cell`
            : !isShared && "Select a cell above to see its rows here"}
        </p>
      </div>
      {input ? (
        <Grid
          key={`${input.name}@${input.version}`}
          dataset={input}
          label={`${input.name}, input`}
          selected={cursor}
          lit={lit}
          onMove={setCursor}
          onPick={open}
          onOpen={open}
        />
      ) : (
        <Notice title={`Made from version ${chosen?.version} of ${chosen?.name}.`}>
          That version has been replaced since; the inspector shows its rows.
        </Notice>
      )}
    </section>
  );
}
