import type { AnchorHTMLAttributes, ReactNode } from "react";
import { formatPlace, goTo, type Place } from "../state/place";

type Props = {
  place: Place;
  children: ReactNode;
  className?: string | undefined;
  isCurrent?: boolean;
} & Pick<AnchorHTMLAttributes<HTMLAnchorElement>, "title" | "aria-label">;

/** A link to a place of the page; with a modifier key the browser does what it always does with links. */
export function PlaceLink({ place, children, isCurrent = false, ...shown }: Props) {
  return (
    <a
      {...shown}
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
