import { useAbout } from "../api/queries";
import type { Place } from "../state/place";
import { PlaceLink } from "../ui/PlaceLink";

type Props = { isEditing: boolean; place: Place };

/** Reads a dataset, or edits it as a sheet; what is selected stays selected. */
export function ViewSwitch({ isEditing, place }: Props) {
  const isShared = useAbout().data?.shared;
  const { view: _, ...there } = place;
  if (isShared) return null; // a link to one version is for reading
  return (
    <nav className="segments" aria-label="View or edit">
      <PlaceLink place={there} isCurrent={!isEditing}>
        View
      </PlaceLink>
      <PlaceLink place={{ ...there, view: "sheet" }} isCurrent={isEditing}>
        Edit
      </PlaceLink>
    </nav>
  );
}
