import { type KeyboardEvent, useEffect, useId, useRef, useState } from "react";
import type { Kind } from "../api/notebooks";
import styles from "./AddMenu.module.css";
import { type Choice, FILE } from "./choice";
import { findKinds } from "./findKinds";
import { groupKinds } from "./groupKinds";
import { plain } from "./hints";
import { KindPicture } from "./KindPicture";

const UPLOAD: Choice = {
  name: FILE,
  title: "Upload a file",
  group: "Load",
  summary: "Choose a file of this computer; it becomes a dataset.",
};

type Props = {
  kinds: Kind[];
  /** Where the button stands that opened it; without one it opens in the middle. */
  anchor: DOMRect | undefined;
  onChoose: (kind: string) => void;
  onClose: () => void;
};

const HEIGHT = 460;

/** Every kind of cell in groups, each with a picture and a sentence; what is typed searches them. */
export default function AddMenu({ kinds, anchor, onChoose, onClose }: Props) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [typed, setTyped] = useState("");
  const [active, setActive] = useState(0);
  const id = useId();
  const all: Choice[] = [UPLOAD, ...kinds];
  const groups = typed.trim() === "" ? groupKinds(all) : [{ group: "", members: findKinds(typed, all) }];
  const shown = groups.flatMap(({ members }) => members);
  useEffect(() => dialog.current?.showModal(), []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: whichever kind is active is brought into view
  useEffect(() => {
    dialog.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: "nearest" });
  }, [active, typed]);
  const choose = (kind: Choice | undefined) => {
    if (!kind) return;
    dialog.current?.close();
    onChoose(kind.name);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    event.stopPropagation();
    const last = Math.max(0, shown.length - 1);
    if (event.key === "ArrowDown") setActive(active < last ? active + 1 : 0);
    else if (event.key === "ArrowUp") setActive(active > 0 ? active - 1 : last);
    else if (event.key === "PageDown") setActive(Math.min(last, active + 6));
    else if (event.key === "PageUp") setActive(Math.max(0, active - 6));
    else if (event.key === "Enter") choose(shown[active]);
    else return;
    event.preventDefault();
  };
  return (
    <dialog
      ref={dialog}
      className={styles.menu}
      style={placeAt(anchor)}
      aria-label="Add a cell"
      onClose={onClose}
      onClick={(event) => {
        if (event.target === dialog.current) dialog.current.close();
      }}
      onKeyDown={onKeyDown}
    >
      <input
        className={styles.search}
        role="combobox"
        aria-expanded="true"
        aria-controls={id}
        aria-activedescendant={shown.length > 0 ? `${id}-${active}` : undefined}
        aria-label="Search what to add"
        placeholder="What would you like to add? Type to search"
        value={typed}
        onChange={(event) => {
          setTyped(event.target.value);
          setActive(0);
        }}
      />
      <div id={id} role="listbox" aria-label="Kinds of cells" className={styles.list} tabIndex={-1}>
        {groups.map(({ group, members }) => (
          // biome-ignore lint/a11y/useSemanticElements: a fieldset cannot stand in a list of options
          <div key={group} role="group" aria-label={group || "Found"}>
            {group !== "" && (
              <div className={styles.group} aria-hidden="true">
                {group}
              </div>
            )}
            {members.map((kind) => {
              const place = shown.indexOf(kind);
              return (
                // biome-ignore lint/a11y/useFocusableInteractive: the field keeps the focus and names the active option
                <div
                  key={kind.name}
                  id={`${id}-${place}`}
                  role="option"
                  aria-selected={place === active}
                  className={styles.kind}
                  data-kind={kind.name}
                  onClick={() => choose(kind)}
                  onPointerMove={() => setActive(place)}
                  onKeyDown={onKeyDown}
                >
                  <KindPicture kind={kind.name} />
                  <span className={styles.words}>
                    <span className={styles.title}>{kind.title}</span>
                    <span className={styles.summary}>{plain(kind.summary)}</span>
                  </span>
                  {kind.name !== FILE && <code className={styles.name}>{kind.name}</code>}
                </div>
              );
            })}
          </div>
        ))}
      </div>
      {shown.length === 0 && <p className={styles.none}>No results.</p>}
    </dialog>
  );
}

/** Below the button if there is room, else as low as it fits. */
function placeAt(anchor: DOMRect | undefined): { top: number } | undefined {
  if (anchor === undefined) return undefined;
  const height = Math.min(HEIGHT, window.innerHeight * 0.8);
  return { top: Math.max(8, Math.min(anchor.bottom + 4, window.innerHeight - height - 12)) };
}
