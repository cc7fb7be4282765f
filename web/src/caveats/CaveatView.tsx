import { useEffect, useRef } from "react";
import { commandIn } from "../state/keymap";
import { setParams, useParam } from "../state/params";
import { goTo } from "../state/place";
import { say } from "../state/toast";
import { count } from "../text/words";
import { Notice } from "../ui/Notice";
import { Skeleton } from "../ui/Skeleton";
import { useAcknowledge, useOverview } from "./api";
import styles from "./CaveatView.module.css";
import { GroupCard } from "./GroupCard";
import { GroupList } from "./GroupList";
import { SinceChoice } from "./SinceChoice";
import { BY, type By, beside, type Group, isShown, reaching, SHOWN, type Shown, sections, total } from "./sections";
import { parseSince } from "./since";

const NOTE = "#caveat-note";

/** Everything doubtful in the workspace: what it is, how far it reaches, and who accepted it. */
export default function CaveatView() {
  const [since] = useParam("since");
  const isSince = parseSince(since)?.version !== undefined;
  const overview = useOverview(isSince ? since : undefined);
  const [by = "family"] = useParam("by") as [By | undefined, unknown];
  const [shown = "open"] = useParam("show") as [Shown | undefined, unknown];
  const [chosen] = useParam("group");
  const { acknowledge, revoke } = useAcknowledge(isSince ? since : undefined);
  const [dataset] = useParam("dataset");
  const groups = reaching(overview.data?.groups ?? [], dataset);
  const list = sections(groups, by, shown);
  const group = groups.find((each) => each.id === chosen && isShown(each, shown)) ?? list[0]?.groups[0];
  const choose = (next: Group | undefined) => next && setParams({ group: next.id });
  const take = (members: Group[], places: number[] | null, note: string) => {
    const after = beside(list, group?.id, 1);
    acknowledge.mutate(
      { groups: members, places, note },
      {
        onSuccess: () => {
          if (shown === "open" && after && after.id !== group?.id) choose(after);
          say({ text: "Acknowledged: it stays listed and marks nothing any more. Press U to doubt it again." });
        },
      },
    );
  };
  const doubt = (each: Group) =>
    revoke.mutate(each, { onSuccess: () => say({ text: "Doubted again; its marks are back." }) });

  useKeys((event) => {
    const command = commandIn(event, ["nextGroup", "previousGroup", "acknowledge", "doubtAgain"]);
    if (command === "nextGroup") choose(beside(list, group?.id, 1));
    else if (command === "previousGroup") choose(beside(list, group?.id, -1));
    else if (command === "acknowledge") document.querySelector<HTMLElement>(NOTE)?.focus();
    else if (command === "doubtAgain") group?.acknowledged ? doubt(group) : latestAcknowledged(groups, doubt);
    else if (event.key === "Enter" || event.key === "f") group && openFirst(group);
    else return false;
    return true;
  });

  const open = groups.filter((each) => !each.acknowledged);
  return (
    <div className={styles.view}>
      <header className={styles.header}>
        <h1 className={styles.title}>Caveats</h1>
        <p className={styles.told}>
          {overview.data &&
            `${count(total(open), isSince ? "new caveat" : "open caveat")} in ${count(open.length, "group")}, ${count(overview.data.datasets, "dataset")} looked at`}
        </p>
        {dataset !== undefined && (
          <button type="button" className={styles.only} onClick={() => setParams({ dataset: undefined })}>
            {`in ${dataset} ×`}
            <span className="visually-hidden"> Show all datasets</span>
          </button>
        )}
        <SinceChoice since={since} />
        <Choice label="Group by" name="by" options={BY} chosen={by} standard="family" />
        <Choice label="Show" name="show" options={SHOWN} chosen={shown} standard="open" />
      </header>
      {overview.isError ? (
        <Notice title={overview.error.message} isError action={{ label: "Retry", run: () => void overview.refetch() }}>
          What is doubtful could not be read.
        </Notice>
      ) : !overview.data ? (
        <Skeleton label="Counting what is doubtful" lines={8} />
      ) : list.length === 0 ? (
        <Notice
          title={nothing(shown, isSince ? since : undefined, dataset)}
          {...(groups.length > 0 && shown !== "all"
            ? { action: { label: "Show all", run: () => setParams({ show: "all" }) } }
            : isSince && { action: { label: "Show the old ones, too", run: () => setParams({ since: undefined }) } })}
        >
          Checked: values that do not fit their column, what lenses guessed, what was stated by hand, and all that was
          computed from these.
        </Notice>
      ) : (
        <div className={styles.columns}>
          <GroupList sections={list} chosen={group} onChoose={choose} />
          {group && (
            <GroupCard
              key={group.id}
              group={group}
              family={groups.filter((each) => each.caveats.family === group.caveats.family && !each.acknowledged)}
              since={isSince ? since : undefined}
              isBusy={acknowledge.isPending || revoke.isPending}
              problem={(acknowledge.error ?? revoke.error)?.message}
              onAcknowledge={take}
              onRevoke={() => doubt(group)}
            />
          )}
        </div>
      )}
    </div>
  );
}

function nothing(shown: Shown, since: string | undefined, dataset: string | undefined): string {
  if (dataset !== undefined) return `Nothing in ${dataset} is doubtful.`;
  if (shown === "acknowledged") return "Nothing has been acknowledged.";
  const from = parseSince(since);
  return from ? `Nothing new since version ${from.version} of ${from.name}.` : "No caveats in this workspace.";
}

type ChoiceProps = { label: string; name: string; options: string[]; chosen: string; standard: string };

/** A few options of which one holds; the one that always holds at first leaves no trace in the address. */
function Choice({ label, name, options, chosen, standard }: ChoiceProps) {
  return (
    <fieldset className="segments">
      <legend className="visually-hidden">{label}</legend>
      {options.map((option) => (
        <button
          key={option}
          type="button"
          aria-pressed={option === chosen}
          onClick={() => setParams({ [name]: option === standard ? undefined : option })}
        >
          {option}
        </button>
      ))}
    </fieldset>
  );
}

function latestAcknowledged(groups: Group[], doubt: (group: Group) => void): void {
  const last = groups.findLast((each) => each.acknowledged);
  if (last) doubt(last);
  else say({ text: "Nothing has been acknowledged." });
}

/** The first place a group sits in, in its dataset. */
function openFirst({ caveats }: Group): void {
  const place = caveats.references[0];
  if (!place) return;
  if (place.row === null) goTo({ dataset: place.dataset });
  else goTo({ dataset: place.dataset, row: place.row, ...(place.column !== null && { column: place.column }) });
}

/** Single letters act on the view, unless something is being written. */
function useKeys(act: (event: KeyboardEvent) => boolean): void {
  const latest = useRef(act);
  latest.current = act;
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.defaultPrevented) return;
      const target = event.target;
      if (document.querySelector("dialog[open]") !== null) return;
      if (target instanceof HTMLElement && target.matches("input, textarea, select, button, a")) {
        const isChosen = target.matches('[data-region="caveats"] [aria-current]');
        if ((event.key === "Enter" && !isChosen) || !target.matches("button, a")) return;
      }
      if (latest.current(event)) event.preventDefault();
    };
    window.addEventListener("keydown", onKeyDown);
    return () => window.removeEventListener("keydown", onKeyDown);
  }, []);
}
