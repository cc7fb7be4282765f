import { useState } from "react";
import { useDatasets } from "../api/queries";
import { CaveatActions } from "../inspector/CaveatActions";
import { keysFor } from "../state/keymap";
import { say } from "../state/toast";
import { count } from "../text/words";
import { AcknowledgeForm } from "./AcknowledgeForm";
import styles from "./GroupCard.module.css";
import { Impact } from "./Impact";
import { Places } from "./Places";
import { familyWords, type Group } from "./sections";

type Props = {
  group: Group;
  /** All groups of the same family that are open. */
  family: Group[];
  /** Only what came after this version is looked at. */
  since: string | undefined;
  isBusy: boolean;
  problem: string | undefined;
  onAcknowledge: (groups: Group[], places: number[] | null, note: string) => void;
  onRevoke: () => void;
};

/** One group of caveats: the sentence, where it sits, what depends on it, and the form to accept it. */
export function GroupCard({ group, family, since, isBusy, problem, onAcknowledge, onRevoke }: Props) {
  const [ticked, setTicked] = useState<ReadonlySet<number>>(new Set());
  const { caveats, acknowledged, note } = group;
  const datasets = useDatasets().data ?? [];
  const copy = () =>
    navigator.clipboard.writeText(window.location.href).then(
      () => say({ text: "The link is copied." }),
      () => say({ text: "The browser does not let this page copy; the address is the link." }),
    );
  return (
    <article className={styles.card} aria-label="Group of caveats">
      <p className={styles.facts}>
        <span className={styles.family}>{familyWords(caveats.family)}</span>
        <span>{`raised by ${caveats.made_by}`}</span>
        <span>{count(caveats.count, "place")}</span>
        <button type="button" className={styles.link} onClick={copy}>
          Copy link
        </button>
      </p>
      <h2 className={styles.message}>{caveats.message}</h2>
      {acknowledged && (
        <div className={styles.done}>
          <p>{note ? `Acknowledged: “${note}”` : "Acknowledged, without a note."}</p>
          <button type="button" className="button" disabled={isBusy} onClick={onRevoke}>
            Doubt again <kbd>{keysFor("doubtAgain")}</kbd>
          </button>
        </div>
      )}
      {!acknowledged && <CaveatActions group={caveats} datasets={datasets} isBesideForm />}
      <Places
        group={group}
        ticked={ticked}
        {...(!acknowledged && {
          onTick: (place: number) =>
            setTicked((now) => new Set(now.has(place) ? without(now, place) : [...now, place])),
        })}
      />
      <Impact group={group} since={since} />
      {!acknowledged && (
        <AcknowledgeForm group={group} family={family} ticked={ticked} isBusy={isBusy} onAcknowledge={onAcknowledge} />
      )}
      {problem && (
        <p className={styles.problem} role="alert">
          {problem}
        </p>
      )}
    </article>
  );
}

function without(set: ReadonlySet<number>, gone: number): number[] {
  return [...set].filter((each) => each !== gone);
}
