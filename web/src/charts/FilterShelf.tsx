import { useQuery } from "@tanstack/react-query";
import type { Dataset } from "../api/client";
import type { Json } from "../chart/themed";
import { fetchProfile } from "../sheet/api";
import { dropOf } from "./drag";
import { type Field, type Filter, filtersOf, isRanged, newFilter, withFilters } from "./parts";
import { RangeField } from "./RangeField";
import styles from "./Shelves.module.css";

type Props = { dataset: Dataset; fields: Field[]; spec: Json; onChange: (spec: Json) => void };

/** Which rows are drawn: for each column chosen values, or a range. */
export function FilterShelf({ dataset, fields, spec, onChange }: Props) {
  const { filters, others } = filtersOf(spec);
  const add = (name: string) => {
    const field = fields.find((each) => each.name === name);
    if (field && !filters.some(({ column }) => column === name))
      onChange(withFilters(spec, [...filters, newFilter(field)]));
  };
  const replace = (place: number, filter: Filter | undefined) =>
    onChange(
      withFilters(
        spec,
        filters.flatMap((each, at) => (at !== place ? [each] : filter ? [filter] : [])),
      ),
    );
  return (
    <div className={styles.group} data-shelf="filters" {...dropOf(({ column }) => add(column))}>
      <label className={styles.shelf}>
        Filters
        <select value="" onChange={(event) => add(event.target.value)}>
          <option value="">Add one…</option>
          {fields.map(({ name }) => (
            <option key={name}>{name}</option>
          ))}
        </select>
      </label>
      {others.length > 0 && <p className={styles.title}>and what the JSON says</p>}
      {filters.map((filter, place) => (
        <fieldset key={filter.column} className={styles.part}>
          <legend>
            {filter.column}
            <button
              type="button"
              aria-label={`Remove the filter on ${filter.column}`}
              onClick={() => replace(place, undefined)}
            >
              ×
            </button>
          </legend>
          <FilterField
            dataset={dataset}
            field={fields.find(({ name }) => name === filter.column)}
            filter={filter}
            onChange={(next) => replace(place, next)}
          />
        </fieldset>
      ))}
    </div>
  );
}

type FieldProps = { dataset: Dataset; field: Field | undefined; filter: Filter; onChange: (filter: Filter) => void };

function FilterField({ dataset, field, filter, onChange }: FieldProps) {
  if (filter.between || (field && isRanged(field)))
    return <RangeField field={field} filter={filter} onChange={onChange} />;
  return <ValuesField dataset={dataset} filter={filter} onChange={onChange} />;
}

/** The most frequent values of a column; those that are not ticked are left out. */
function ValuesField({ dataset, filter, onChange }: Omit<FieldProps, "field">) {
  const { column } = filter;
  const profile = useQuery({
    queryKey: ["profile", dataset.name, dataset.version, column],
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: ({ signal }) => fetchProfile(dataset.name, dataset.version, column, signal),
  });
  const isKept = (value: unknown) => (filter.in ? filter.in.includes(value) : !filter.not_in?.includes(value));
  const toggle = (value: unknown) => {
    const listed = filter.in ?? filter.not_in ?? [];
    const next = listed.includes(value) ? listed.filter((each) => each !== value) : [...listed, value];
    onChange(filter.in ? { column, in: next } : { column, not_in: next });
  };
  const top = profile.data?.top.map(({ value }) => value) ?? [];
  const values = [...new Set([...(filter.in ?? filter.not_in ?? []), ...top, ...(profile.data?.nulls ? [null] : [])])];
  return (
    <ul className={styles.values}>
      {values.map((value) => (
        <li key={String(value)}>
          <label>
            <input type="checkbox" checked={isKept(value)} onChange={() => toggle(value)} />
            {value === null ? "no value" : String(value)}
          </label>
        </li>
      ))}
      <li>
        <button type="button" onClick={() => onChange({ column, in: [] })}>
          None
        </button>
        <button type="button" onClick={() => onChange({ column, not_in: [] })}>
          All
        </button>
      </li>
    </ul>
  );
}
