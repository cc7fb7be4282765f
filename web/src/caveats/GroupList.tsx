import { useEffect, useRef } from "react";
import { number } from "../text/words";
import { Icon } from "../ui/Icon";
import styles from "./GroupList.module.css";
import type { Group, Section } from "./sections";

type Props = { sections: Section[]; chosen: Group | undefined; onChoose: (group: Group) => void };

/** All groups under what they share, with how many caveats each holds. */
export function GroupList({ sections, chosen, onChoose }: Props) {
  const current = useRef<HTMLButtonElement>(null);
  const isOpened = useRef(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the group that is chosen is brought into view and takes the focus
  useEffect(() => {
    current.current?.scrollIntoView({ block: "nearest" });
    if (isOpened.current) current.current?.focus();
    isOpened.current = true;
  }, [chosen?.id]);
  return (
    <nav className={styles.list} aria-label="Groups of caveats" data-region="caveats">
      {sections.map((section) => (
        <section key={section.title} aria-label={section.title}>
          <h2 className={styles.section}>
            <span>{section.title}</span>
            <span>{number(section.count)}</span>
          </h2>
          <ul>
            {section.groups.map((group) => (
              <li key={group.id}>
                <button
                  ref={group.id === chosen?.id ? current : undefined}
                  type="button"
                  className={styles.group}
                  aria-current={group.id === chosen?.id || undefined}
                  data-done={group.acknowledged || undefined}
                  onClick={() => onChoose(group)}
                >
                  <Icon name={group.acknowledged ? "check" : "warn"} size={13} />
                  <span className={styles.message}>{group.caveats.message}</span>
                  <span className={styles.count}>{number(group.caveats.count)}</span>
                  <span className={styles.place}>
                    {group.raised_in.name}
                    {group.caveats.column !== null && ` · ${group.caveats.column}`}
                    {group.acknowledged && " · acknowledged"}
                  </span>
                </button>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </nav>
  );
}
