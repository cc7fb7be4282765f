import type { Place } from "../state/place";
import { Icon, type IconName } from "./Icon";
import { PlaceLink } from "./PlaceLink";
import styles from "./Tool.module.css";

type Props = {
  icon: IconName;
  /** One word, read beside the picture where there is room. */
  text: string;
  /** What it does, as a tooltip and for those who do not see the picture. */
  label: string;
} & ({ run: () => void; isOn?: boolean | undefined } | { place: Place });

/** One tool of a toolbar: a small button, or a link where it leads to another place. */
export function Tool(props: Props) {
  const { icon, text, label } = props;
  const shared = { className: styles.tool, title: label, "aria-label": label, "data-tool": "" };
  const look = <ToolLook icon={icon} text={text} />;
  if ("place" in props)
    return (
      <PlaceLink {...shared} place={props.place}>
        {look}
      </PlaceLink>
    );
  return (
    <button type="button" {...shared} aria-pressed={props.isOn} onClick={props.run}>
      {look}
    </button>
  );
}

/** The picture of a tool, and its word where there is room. */
export function ToolLook({ icon, text }: { icon: IconName; text: string }) {
  return (
    <>
      <Icon name={icon} size={14} />
      <span className={styles.text}>{text}</span>
    </>
  );
}
