import { useDatasets } from "../api/queries";
import styles from "./AddCheckDialog.module.css";
import { type CheckFields, COLUMN_KINDS, type ColumnKind } from "./columnChecks";

type Props = {
  column: string;
  kind: ColumnKind;
  fields: CheckFields;
  onChange: (kind: ColumnKind, fields: CheckFields) => void;
};

/** The kind of a check, and the fields that this kind needs. */
export function CheckForm({ column, kind, fields, onChange }: Props) {
  const fill = (part: Partial<CheckFields>) => onChange(kind, { ...fields, ...part });
  return (
    <>
      <label>
        Each value
        <select value={kind} onChange={(event) => onChange(event.target.value as ColumnKind, fields)}>
          {Object.entries(COLUMN_KINDS).map(([name, words]) => (
            <option key={name} value={name}>
              {words}
            </option>
          ))}
        </select>
      </label>
      {kind === "between" && (
        <div className={styles.pair}>
          <TextField label="Smallest" value={fields.low} onChange={(low) => fill({ low })} />
          <TextField label="Largest" value={fields.high} onChange={(high) => fill({ high })} />
        </div>
      )}
      {kind === "one_of" && (
        <label>
          Values, one on each line
          <textarea rows={5} value={fields.values} onChange={(event) => fill({ values: event.target.value })} />
        </label>
      )}
      {kind === "matches" && (
        <TextField
          label="Regular expression for the whole text"
          value={fields.pattern}
          onChange={(pattern) => fill({ pattern })}
        />
      )}
      {kind === "reference" && <Reference column={column} fields={fields} onFill={fill} />}
    </>
  );
}

type TextProps = { label: string; value: string; onChange: (text: string) => void };

function TextField({ label, value, onChange }: TextProps) {
  return (
    <label>
      {label}
      <input value={value} autoComplete="off" onChange={(event) => onChange(event.target.value)} />
    </label>
  );
}

type ReferenceProps = {
  column: string;
  fields: CheckFields;
  onFill: (part: Partial<CheckFields>) => void;
};

function Reference({ column, fields, onFill }: ReferenceProps) {
  const datasets = useDatasets().data ?? [];
  const columnsOf = (name: string) =>
    datasets.find((each) => each.name === name)?.columns.map((each) => each.name) ?? [];
  const choose = (dataset: string) => {
    const names = columnsOf(dataset);
    onFill({ dataset, other: names.includes(column) ? column : (names[0] ?? "") });
  };
  return (
    <div className={styles.pair}>
      <label>
        Dataset
        <select value={fields.dataset} onChange={(event) => choose(event.target.value)}>
          <option value="">Choose…</option>
          {datasets.map((each) => (
            <option key={each.name}>{each.name}</option>
          ))}
        </select>
      </label>
      <label>
        Column
        <select value={fields.other} onChange={(event) => onFill({ other: event.target.value })}>
          {columnsOf(fields.dataset).map((name) => (
            <option key={name}>{name}</option>
          ))}
        </select>
      </label>
    </div>
  );
}
