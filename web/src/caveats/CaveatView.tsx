import { useEffect, useRef } from "react";
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
import { BY, type By, beside, type Group, isShown, SHOWN, type Shown, sections, total } from "./sections";

const NOTE = "#caveat-note";

/** Everything doubtful in the workspace: what it is, how far it reaches, and who took it upon themselves. */
export default function CaveatView() {
  const overview = useOverview();
  const [by = "family"] = useParam("by") as [By | undefined, unknown];
  const [shown = "open"] = useParam("show") as [Shown | undefined, unknown];
  const [chosen] = useParam("group");
  const { acknowledge, revoke } = useAcknowledge();
  const groups = overview.data?.groups ?? [];
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

  const keys: Record<string, () => void> = {
    j: () => choose(beside(list, group?.id, 1)),
    k: () => choose(beside(list, group?.id, -1)),
    e: () => document.querySelector<HTMLElement>(NOTE)?.focus(),
    u: () => (group?.acknowledged ? doubt(group) : latestAcknowledged(groups, doubt)),
    Enter: () => group && openFirst(group),
    f: () => group && openFirst(group),
  };
  useKeys(keys);

  if (overview.isError)
    return (
      <Notice title={overview.error.message} isError action={{ label: "Retry", run: () => void overview.refetch() }}>
        What is doubtful could not be read.
      </Notice>
    );
  if (!overview.data) return <Skeleton label="Counting what is doubtful" lines={8} />;
  const open = groups.filter((each) => !each.acknowledged);
  return (
    <div className={styles.view}>
      <header className={styles.header}>
        <h1 className={styles.title}>Caveats</h1>
        <p className={styles.told}>
          {`${count(total(open), "open caveat")} in ${count(open.length, "group")}, ${count(overview.data.datasets, "dataset")} looked at`}
        </p>
        <Choice label="Group by" name="by" options={BY} chosen={by} standard="family" />
        <Choice label="Show" name="show" options={SHOWN} chosen={shown} standard="open" />
      </header>
      {list.length === 0 ? (
        <Notice
          title={shown === "acknowledged" ? "Nothing has been acknowledged." : "No caveats in this workspace."}
          {...(groups.length > 0 &&
            shown !== "all" && { action: { label: "Show all", run: () => setParams({ show: "all" }) } })}
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

type ChoiceProps = { label: string; name: string; options: string[]; chosen: string; standard: string };

/** A few options of which one holds; the one that always holds at first leaves no trace in the address. */
function Choice({ label, name, options, chosen, standard }: ChoiceProps) {
  return (
    <fieldset className={styles.choice}>
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
function useKeys(keys: Record<string, () => void>): void {
  const latest = useRef(keys);
  latest.current = keys;
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
      const target = event.target;
      if (document.querySelector("dialog[open]") !== null) return;
      if (target instanceof HTMLElement && target.matches("input, textarea, select, button, a")) {
        const isChosen = target.matches('[data-region="caveats"] [aria-current]');
        if ((event.key === "Enter" && !isChosen) || !target.matches("button, a")) return;
      }
      const act = latest.current[event.key];
      if (act === undefined) return;
      event.preventDefault();
      act();
    };
    window.addEventListener("keydown", onKeyDown);
    return () => window.removeEventListener("keydown", onKeyDown);
  }, []);
}
