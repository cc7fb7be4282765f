import type { Notebook } from "../api/notebooks";
import { PlaceLink } from "../ui/PlaceLink";

export type Face = "notebook" | "page";

const WORDS = { notebook: "Notebook", page: "Page" } as const;

/** Which of its two faces a notebook shows: its cells, or the page on which their outputs are arranged. */
export function FaceSwitch({ notebook, face }: { notebook: Notebook; face: Face }) {
  return (
    <nav className="segments" aria-label="How the notebook is shown">
      {(["notebook", "page"] as const).map((each) => (
        <PlaceLink key={each} place={{ notebook: notebook.name, face: each }} isCurrent={each === face}>
          {WORDS[each]}
        </PlaceLink>
      ))}
    </nav>
  );
}

/** A reader of a link sees the page first, if there is one; who works on the notebook its cells. */
export function faceOf(notebook: Notebook, asked: Face | undefined): Face {
  const isForReading = notebook.is_read_only === true && (notebook.page?.length ?? 0) > 0;
  return asked ?? (isForReading ? "page" : "notebook");
}
