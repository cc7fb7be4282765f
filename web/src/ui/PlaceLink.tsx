import type { ReactNode } from "react";
import { formatPlace, goTo, type Place } from "../state/place";

type Props = { place: Place; children: ReactNode; className?: string | undefined; isCurrent?: boolean };

/** A link to a place of the page; with a modifier key the browser does what it always does with links. */
export function PlaceLink({ place, children, className, isCurrent = false }: Props) {
  return (
    <a
      className={className}
      href={`/${formatPlace(place)}`}
      aria-current={isCurrent || undefined}
      onClick={(event) => {
        if (event.ctrlKey || event.metaKey || event.shiftKey) return;
        event.preventDefault();
        goTo(place);
      }}
    >
      {children}
    </a>
  );
}
