import type { Json } from "../chart/themed";
import { ColumnShelf } from "./ColumnShelf";
import { CommitField } from "./CommitField";
import type { Grammar } from "./grammar";
import { OperatorShelf } from "./OperatorShelf";
import {
  type Field,
  isNumber,
  measureAxis,
  newLayer,
  newReference,
  overlaysOf,
  type Reference,
  referenceOf,
  withOverlays,
  withPart,
} from "./parts";
import styles from "./Shelves.module.css";

type Props = { fields: Field[]; spec: Json; grammar: Grammar; onChange: (spec: Json) => void };

/** What is drawn over the chart: reference lines, and layers with a measure of their own. */
export function LayersShelf({ fields, spec, grammar, onChange }: Props) {
  const axis = measureAxis(spec, fields);
  const overlays = overlaysOf(spec);
  const replace = (place: number, layer: Json | undefined) =>
    onChange(
      withOverlays(
        spec,
        overlays.flatMap((each, at) => (at !== place ? [each] : layer ? [layer] : [])),
      ),
    );
  const add = (layer: Json) => onChange(withOverlays(spec, [...overlays, layer]));
  const measures = fields.filter(isNumber).map(({ name }) => name);
  return (
    <div className={styles.group}>
      <div className={styles.adding}>
        <button
          type="button"
          onClick={() => add(newReference({ axis, function: grammar.reference.functions[0] ?? "" }, grammar))}
        >
          Add a reference line
        </button>
        <button type="button" disabled={measures.length === 0} onClick={() => add(newLayer(spec, fields, grammar))}>
          Add a layer
        </button>
      </div>
      {overlays.map((layer, place) => {
        const reference = referenceOf(layer, grammar);
        const name = reference ? `Reference line ${place + 1}` : `Layer ${place + 1}`;
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: layers have no names but their places
          <fieldset key={place} className={styles.part}>
            <legend>
              {name}
              <button
                type="button"
                aria-label={`Remove ${name.toLowerCase()}`}
                onClick={() => replace(place, undefined)}
              >
                ×
              </button>
            </legend>
            {reference ? (
              <ReferenceField
                reference={{ ...reference, axis }}
                grammar={grammar}
                onChange={(next) => replace(place, newReference(next, grammar))}
              />
            ) : (
              <LayerField
                axis={axis}
                layer={layer}
                grammar={grammar}
                columns={measures}
                onChange={(next) => replace(place, next)}
              />
            )}
          </fieldset>
        );
      })}
    </div>
  );
}

type ReferenceProps = { reference: Reference; grammar: Grammar; onChange: (reference: Reference) => void };

function ReferenceField({ reference, grammar, onChange }: ReferenceProps) {
  const { axis, value, function: fun } = reference;
  return (
    <>
      <label className={styles.shelf}>
        At
        <select
          value={fun ?? ""}
          onChange={({ target }) =>
            onChange(target.value === "" ? { axis, value: 0 } : { axis, function: target.value })
          }
        >
          <option value="">a number</option>
          {grammar.reference.functions.map((each) => (
            <option key={each} value={each}>{`the ${each} of what is drawn`}</option>
          ))}
        </select>
      </label>
      {fun === undefined && (
        <CommitField
          label="Value of the reference line"
          value={String(value ?? 0)}
          onCommit={(text) => Number.isFinite(Number(text)) && text !== "" && onChange({ axis, value: Number(text) })}
        />
      )}
    </>
  );
}

type LayerProps = { axis: string; layer: Json; grammar: Grammar; columns: string[]; onChange: (layer: Json) => void };

function LayerField({ axis, layer, grammar, columns, onChange }: LayerProps) {
  return (
    <>
      <ColumnShelf path={["aes", axis]} label="Measure" columns={columns} spec={layer} onChange={onChange} />
      <OperatorShelf path={["stat"]} label="Aggregate" operators={grammar.stats} spec={layer} onChange={onChange} />
      <OperatorShelf path={["geom"]} label="Mark" operators={grammar.geoms} spec={layer} onChange={onChange} />
      <label>
        <input
          type="checkbox"
          checked={layer.axis === "right"}
          onChange={(event) => onChange(withPart(layer, ["axis"], event.target.checked ? "right" : undefined))}
        />
        An axis of its own
      </label>
    </>
  );
}
