import type { Dataset, Schemas } from "../api/client";
import { useTheme } from "../state/theme";
import { Icon } from "../ui/Icon";
import logo from "./logo.svg";
import styles from "./TopBar.module.css";

type Props = {
  about: Schemas["About"] | undefined;
  dataset: Dataset | undefined;
  isInspecting: boolean;
  onInspect: () => void;
  onHelp: () => void;
};

/** Name of the product, what is open, and the switches that concern the whole page. */
export function TopBar({ about, dataset, isInspecting, onInspect, onHelp }: Props) {
  const [theme, advanceTheme] = useTheme();
  return (
    <header className={styles.bar}>
      <span className={styles.brand}>
        <img src={logo} width={20} height={20} alt="" />
        whence
      </span>
      {dataset && (
        <>
          <span className={styles.slash} aria-hidden="true">
            /
          </span>
          <span className={styles.open}>{dataset.name}</span>
        </>
      )}
      <span className={styles.space} />
      {about && (
        <span className={styles.engine} data-engine={about.engine}>
          Spark {about.engine}
        </span>
      )}
      <button
        type="button"
        className="icon-button"
        onClick={onHelp}
        aria-label="Keyboard shortcuts"
        title="Shortcuts (?)"
      >
        <Icon name="keyboard" />
      </button>
      <button
        type="button"
        className="icon-button"
        onClick={advanceTheme}
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
        title="Inspector (Ctrl .)"
      >
        <Icon name="panel" />
      </button>
    </header>
  );
}
