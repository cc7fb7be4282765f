import { useState } from "react";
import type { Schemas } from "../api/client";
import type { Notebook } from "../api/notebooks";
import { titleOf } from "../notebook/title";
import { FormDialog } from "../sheet/FormDialog";
import { Menu } from "../ui/Menu";
import { type Item, keyOf, placeOfNew } from "./grid";
import { parametersIn } from "./parameters";

type Control = Schemas["ControlView"];
type Kind = Control["kind"];
type Offer = Pick<Item, "cell" | "shows" | "name"> & { label: string; value?: unknown };

const KINDS: [Kind, string][] = [
  ["slider", "Slider"],
  ["number", "Number"],
  ["select", "Select"],
  ["text", "Text"],
  ["dates", "Date range"],
  ["checkbox", "Check box"],
];
const SIZES: Record<Item["shows"], [number, number]> = { chart: [6, 8], table: [6, 8], text: [12, 2], input: [3, 2] };

/** What can be added to the page: whatever cells make and show, and an input for every parameter. */
export function AddToPage({
  notebook,
  items,
  onAdd,
}: {
  notebook: Notebook;
  items: Item[];
  onAdd: (item: Item) => void;
}) {
  const [asked, setAsked] = useState<Offer>();
  const taken = new Set(items.map(keyOf));
  const offers = notebook.cells.flatMap(offersOf).filter((offer) => !taken.has(keyOf(offer)));
  const add = ({ cell, shows, name }: Offer, control: Control | null = null, title = "") => {
    const [width, height] = SIZES[shows];
    onAdd({ cell, shows, name, title, control, ...placeOfNew(items, width, height), values: [] });
  };
  return (
    <>
      <Menu
        label="Add to the page"
        text="Add"
        items={
          offers.length === 0
            ? [{ label: "Everything is on the page", run: () => undefined, isOff: true }]
            : offers.map((offer) => ({
                label: offer.label,
                run: () => (offer.shows === "input" ? setAsked(offer) : add(offer)),
              }))
        }
      />
      {asked && (
        <InputDialog
          offer={asked}
          others={offers.filter(
            ({ cell, shows, name }) => shows === "input" && cell === asked.cell && name !== asked.name,
          )}
          onClose={() => setAsked(undefined)}
          onAdd={(control, title) => {
            setAsked(undefined);
            add(asked, control, title);
          }}
        />
      )}
    </>
  );
}

function offersOf(cell: Notebook["cells"][number]): Offer[] {
  if (cell.status === "draft") return [];
  if (cell.kind === "parameters")
    return Object.entries(parametersIn(cell.values.source)).map(([name, value]) => ({
      cell: cell.id,
      shows: "input",
      name,
      value,
      label: `Input for ${name}`,
    }));
  const of = (shows: Item["shows"], name: string, label: string): Offer => ({ cell: cell.id, shows, name, label });
  if (cell.kind === "markdown") return [of("text", "", `Text: ${titleOf(cell)}`)];
  const tables = cell.datasets.map(({ name }) => name);
  const isChart = cell.kind === "chart";
  return [
    ...(isChart ? [of("chart", "", `Chart ${titleOf(cell)}`)] : []),
    ...tables.map((name) => of("table", name, isChart ? `Marks of ${name} as a table` : `Table ${name}`)),
    ...(!isChart && cell.displays.length > 0 ? [of("text", "", `Output of ${titleOf(cell)}`)] : []),
  ];
}

type DialogProps = {
  offer: Offer;
  /** The other parameters of the cell, one of which may be the last day. */
  others: Offer[];
  onAdd: (control: Control, title: string) => void;
  onClose: () => void;
};

/** Which kind of input it is, and which values it offers. */
function InputDialog({ offer, others, onAdd, onClose }: DialogProps) {
  const [kind, setKind] = useState<Kind>(kindFor(offer.value));
  const submit = (form: FormData) => {
    const number = (name: string) => (form.get(name) ? Number(form.get(name)) : null);
    const choices = String(form.get("choices") ?? "")
      .split(",")
      .map((each) => each.trim())
      .filter((each) => each !== "")
      .map((each) => (typeof offer.value === "number" && Number.isFinite(Number(each)) ? Number(each) : each));
    const until = String(form.get("until") ?? "");
    const limits = { low: number("low"), high: number("high"), step: number("step") };
    onAdd({ kind, ...limits, choices, until }, String(form.get("title") ?? ""));
  };
  const field = (name: string, label: string, value: number | undefined, isNeeded: boolean) => (
    <label>
      {label}
      <input name={name} type="number" step="any" required={isNeeded} defaultValue={value} />
    </label>
  );
  const now = typeof offer.value === "number" ? offer.value : 0;
  const isSlider = kind === "slider";
  return (
    <FormDialog title={`An input for ${offer.name}`} submit="Add" onSubmit={submit} onClose={onClose}>
      <label>
        Kind
        <select value={kind} onChange={(event) => setKind(event.target.value as Kind)}>
          {KINDS.filter(([each]) => each !== "dates" || others.length > 0).map(([each, words]) => (
            <option key={each} value={each}>
              {words}
            </option>
          ))}
        </select>
      </label>
      {(isSlider || kind === "number") && (
        <>
          {field("low", "Least value", isSlider ? Math.min(0, now) : undefined, isSlider)}
          {field("high", "Greatest value", isSlider ? Math.max(10, now * 2) : undefined, isSlider)}
          {field("step", "Step", undefined, false)}
        </>
      )}
      {kind === "select" && (
        <label>
          Choices, with commas between them
          <input name="choices" required defaultValue={String(offer.value ?? "")} />
        </label>
      )}
      {kind === "dates" && (
        <label>
          Parameter with the last day
          <select name="until">
            {others.map(({ name }) => (
              <option key={name}>{name}</option>
            ))}
          </select>
        </label>
      )}
      <label>
        Title
        <input name="title" maxLength={200} placeholder={offer.name} />
      </label>
    </FormDialog>
  );
}

function kindFor(value: unknown): Kind {
  if (typeof value === "boolean") return "checkbox";
  return typeof value === "number" ? "slider" : "text";
}
