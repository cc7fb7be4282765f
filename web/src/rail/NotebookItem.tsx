import type { Dataset } from "../api/client";
import { foldNotebook } from "../state/rail";
import { Icon } from "../ui/Icon";
import { PlaceLink } from "../ui/PlaceLink";
import items from "./DatasetItem.module.css";
import styles from "./NotebookItem.module.css";
import { RailEntry } from "./RailEntry";
import type { RailCommands } from "./useRailCommands";

type Props = {
  name: string;
  datasets: Dataset[];
  isChosen: boolean;
  isFolded: boolean;
  commands: RailCommands | undefined;
  children: React.ReactNode;
};

/** A notebook of the rail with the datasets that its cells make, which fold. */
export function NotebookItem({ name, datasets, isChosen, isFolded, commands, children }: Props) {
  return (
    <li>
      <div className={styles.head}>
        <button
          type="button"
          className={styles.fold}
          aria-label={`Datasets of the notebook ${name}`}
          aria-expanded={!isFolded}
          disabled={datasets.length === 0}
          onClick={() => foldNotebook(name, !isFolded)}
        >
          <Icon name={isFolded ? "chevron" : "down"} size={12} />
        </button>
        <RailEntry
          label={`notebook ${name}`}
          items={commands?.forNotebook(name) ?? []}
          onRename={commands && (() => commands.ask({ what: "rename", notebook: name }))}
          onDelete={commands && (() => commands.ask({ what: "delete", notebook: name }))}
        >
          <PlaceLink className={items.item} place={{ notebook: name }} isCurrent={isChosen}>
            <Icon name="code" />
            <span className={items.name}>{name}</span>
          </PlaceLink>
        </RailEntry>
      </div>
      {!isFolded && datasets.length > 0 && (
        <ul className={styles.made} aria-label={`Made by ${name}`}>
          {children}
        </ul>
      )}
    </li>
  );
}
