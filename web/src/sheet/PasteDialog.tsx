import { count } from "../text/words";
import type { SheetColumn } from "./api";
import { FormDialog } from "./FormDialog";
import { misfit } from "./fits";
import { letters } from "./letters";
import styles from "./PasteDialog.module.css";

export type Paste = {
  cells: string[][];
  /** The first cell it goes to. */
  row: number;
  column: number;
  /** What does not fit below or beside the sheet, and is left out. */
  cutRows: number;
  cutColumns: number;
};

type Props = {
  paste: Paste;
  numberOf: (place: number) => number | undefined;
  columns: readonly SheetColumn[];
  onPaste: () => void;
  onClose: () => void;
};

const SHOWN = 8;

/** What will go where, and what does not fit, before anything is changed. */
export function PasteDialog({ paste, numberOf, columns, onPaste, onClose }: Props) {
  const { cells, row, column, cutRows, cutColumns } = paste;
  const targets = columns.slice(column, column + (cells[0]?.length ?? 0));
  const wrong = cells.flatMap((line) => line.filter((text, i) => misfit(text, targets[i]?.base_type ?? null))).length;
  const left = [cutRows > 0 && count(cutRows, "row"), cutColumns > 0 && count(cutColumns, "column")].filter(Boolean);
  return (
    <FormDialog
      title={`Paste ${count(cells.length, "row")} × ${count(targets.length, "column")}`}
      submit="Paste"
      onSubmit={onPaste}
      onClose={onClose}
    >
      <div className={styles.frame}>
        <table className={styles.table}>
          <thead>
            <tr>
              <th scope="col">row</th>
              {targets.map((target, i) => (
                <th key={target.name} scope="col">
                  {letters(column + i)} · {target.name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {cells.slice(0, SHOWN).map((line, i) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: rows are known by their place
              <tr key={i}>
                <th scope="row">{numberOf(row + i)}</th>
                {targets.map((target, j) => (
                  <td key={target.name} data-wrong={misfit(line[j] ?? "", target.base_type) !== undefined || undefined}>
                    {line[j]}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {cells.length > SHOWN && <p>and {count(cells.length - SHOWN, "more row", "more rows")}.</p>}
      {wrong > 0 && (
        <p role="alert">
          {count(wrong, "value does", "values do")} not fit the type of the column, which will then hold text. Nothing
          is lost, and it can be taken back.
        </p>
      )}
      {left.length > 0 && <p>{left.join(" and ")} beyond the end of the sheet are left out.</p>}
    </FormDialog>
  );
}
