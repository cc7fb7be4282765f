import type { Schemas } from "../api/client";
import { keysFor, useKeymap } from "../state/keymap";
import { toggleRail, useRail } from "../state/rail";
import type { Theme } from "../state/theme";
import { Icon } from "../ui/Icon";
import { PlaceLink } from "../ui/PlaceLink";
import logo from "./logo.svg";
import styles from "./TopBar.module.css";

type Props = {
  about: Schemas["About"] | undefined;
  /** The name of what is open. */
  open: string | undefined;
  theme: Theme;
  isInspecting: boolean;
  onInspect: () => void;
  onTheme: () => void;
  onSearch: () => void;
  onHelp: () => void;
};

/** Whether Spark is there, in words; a first query waits for its start. */
function sparkWords({ engine, seconds_starting }: Schemas["About"]): string {
  if (engine !== "starting") return engine === "running" ? "Spark running" : "Spark idle";
  return `Starting Spark (${Math.round(seconds_starting ?? 0)} s)…`;
}

/** Name of the product, what is open, and the switches that concern the whole page. */
export function TopBar({ about, open, theme, isInspecting, onInspect, onTheme, onSearch, onHelp }: Props) {
  useKeymap();
  const { isShown } = useRail();
  return (
    <header className={styles.bar}>
      <button
        type="button"
        className="icon-button"
        onClick={toggleRail}
        aria-pressed={isShown}
        aria-label="Rail"
        title={`${isShown ? "Hide" : "Show"} the rail (${keysFor("rail")})`}
      >
        <Icon name="rail" />
      </button>
      <PlaceLink className={styles.brand} place={{ view: "start" }}>
        <img src={logo} width={20} height={20} alt="" />
        whence
      </PlaceLink>
      {open && (
        <>
          <span className={styles.slash} aria-hidden="true">
            /
          </span>
          <span className={styles.open}>{open}</span>
        </>
      )}
      <span className={styles.space} />
      <button type="button" className={styles.search} onClick={onSearch}>
        <Icon name="search" size={14} />
        Search
        <kbd>{keysFor("search")}</kbd>
      </button>
      {about && (
        <span className={styles.engine} data-engine={about.engine}>
          {sparkWords(about)}
        </span>
      )}
      <button
        type="button"
        className="icon-button"
        onClick={onHelp}
        aria-label="Keyboard shortcuts"
        title={`Shortcuts (${keysFor("help")})`}
      >
        <Icon name="keyboard" />
      </button>
      <button
        type="button"
        className="icon-button"
        onClick={onTheme}
        aria-label={`Theme: ${theme}`}
        title={`Theme: ${theme}`}
      >
        <Icon name={theme} />
      </button>
      <button
        type="button"
        className="icon-button"
        onClick={onInspect}
        aria-pressed={isInspecting}
        aria-label="Inspector"
        title={`Inspector (${keysFor("inspector")})`}
      >
        <Icon name="panel" />
      </button>
    </header>
  );
}
