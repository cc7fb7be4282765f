import type { Dataset } from "../api/client";
import type { Json } from "../chart/themed";
import { Skeleton } from "../ui/Skeleton";
import { useGrammar } from "./api";
import { ColumnShelf } from "./ColumnShelf";
import { FieldList } from "./FieldList";
import { FilterShelf } from "./FilterShelf";
import { type Channel, channelsOf, type Grammar, type Operator } from "./grammar";
import { JsonField } from "./JsonField";
import { LayersShelf } from "./LayersShelf";
import { MeasuresShelf } from "./MeasuresShelf";
import { OperatorShelf } from "./OperatorShelf";
import { OrderShelf } from "./OrderShelf";
import { measuresOf } from "./parts";
import styles from "./Shelves.module.css";
import { withShelf } from "./shelves";
import { Toggles } from "./Toggles";

type Props = { dataset: Dataset; spec: Json; problem: string | undefined; onChange: (spec: Json) => void };

/** The chart as shelves with a column or an operator each, and as the JSON that says the same and more. */
export function Shelves({ dataset, spec, problem, onChange }: Props) {
  const grammar = useGrammar();
  return (
    <>
      <fieldset className={styles.shelves}>
        <legend>Shelves</legend>
        {grammar.data ? (
          <AllShelves dataset={dataset} spec={spec} grammar={grammar.data} onChange={onChange} />
        ) : grammar.isError ? (
          <p role="alert" className={styles.problem}>
            {grammar.error.message} Write the specification below.
          </p>
        ) : (
          <Skeleton label="Loading what charts are made of" lines={6} />
        )}
      </fieldset>
      <JsonField spec={spec} problem={problem} onChange={onChange} />
    </>
  );
}

type AllProps = { dataset: Dataset; spec: Json; grammar: Grammar; onChange: (spec: Json) => void };

function AllShelves({ dataset, spec, grammar, onChange }: AllProps) {
  const fields = dataset.columns;
  const folded = measuresOf(spec);
  const columns = [...fields.map(({ name }) => name), ...(folded ? [folded.name, folded.value] : [])];
  const { first, more } = channelsOf(grammar, spec);
  const scaled = first.filter(({ name, is_scaled }) => is_scaled && name in ((spec.aes ?? {}) as Json));
  const column = (path: readonly [string, string], label: string) => (
    <ColumnShelf key={path.join()} path={path} label={label} columns={columns} spec={spec} onChange={onChange} />
  );
  const channel = ({ name, label }: Channel) => column(["aes", name], label);
  const operator = (path: readonly [string] | readonly [string, string], label: string, operators: Operator[]) => (
    <OperatorShelf key={path.join()} path={path} label={label} operators={operators} spec={spec} onChange={onChange} />
  );
  return (
    <>
      <FieldList fields={fields} onTakeBack={(from) => onChange(withShelf(spec, from, ""))} />
      {first.map(channel)}
      <MeasuresShelf fields={fields} spec={spec} onChange={onChange} />
      {more.length > 0 && (
        <details className={styles.fold}>
          <summary>More channels</summary>
          <div className={styles.folded}>{more.map(channel)}</div>
        </details>
      )}
      {column(["facet", "wrap"], "Panels by")}
      {operator(["stat"], "Aggregate", grammar.stats)}
      {operator(["geom"], "Mark", grammar.geoms)}
      {operator(["pos"], "Position", grammar.positions)}
      <Toggles spec={spec} grammar={grammar} onChange={onChange} />
      <OrderShelf fields={fields} spec={spec} onChange={onChange} />
      <FilterShelf dataset={dataset} fields={fields} spec={spec} onChange={onChange} />
      <LayersShelf fields={fields} spec={spec} grammar={grammar} onChange={onChange} />
      {scaled.length > 0 && (
        <details className={styles.fold}>
          <summary>Scales</summary>
          <div className={styles.folded}>
            {scaled.map(({ name, label }) => operator(["scale", name], `${label} scale`, grammar.scales))}
          </div>
        </details>
      )}
    </>
  );
}
