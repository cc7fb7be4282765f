import { count, number } from "../text/words";
import { PlaceLink } from "../ui/PlaceLink";
import { useImpacts } from "./api";
import styles from "./Impact.module.css";
import type { Group } from "./sections";

/** How much of every dataset depends on a group of caveats. */
export function Impact({ group, since }: { group: Group; since: string | undefined }) {
  const impacts = useImpacts(group, since);
  return (
    <section className={styles.impact} aria-label="Impact">
      <h3 className={styles.title}>What depends on it</h3>
      <ul>
        {group.reaches.map(({ name, version }, position) => {
          const query = impacts[position];
          const found = query?.data;
          const share =
            found && found.all_rows > 0 ? Math.max(0, ...found.columns.map((c) => c.cells)) / found.all_rows : 0;
          return (
            <li key={`${name}@${version}`} className={styles.dataset}>
              <PlaceLink className={styles.name} place={{ dataset: name }}>
                {name}
              </PlaceLink>
              <svg className={styles.bar} viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true">
                <rect width={100} height={6} rx={2} />
                <rect data-part width={Math.min(100, share * 100)} height={6} rx={2} />
              </svg>
              <span className={styles.words}>
                {found ? words(found) : query?.isError ? query.error.message : "counting…"}
              </span>
            </li>
          );
        })}
      </ul>
    </section>
  );
}

type Found = NonNullable<ReturnType<typeof useImpacts>[number]["data"]>;

/** "12 cells of price, 3 of stock; 2 rows may not belong here; rows may be missing". */
function words({ columns, rows, may_miss_rows, all_rows }: Found): string {
  const cells = columns.map(({ column, cells }, i) => `${i === 0 ? count(cells, "cell") : number(cells)} of ${column}`);
  const parts = [cells.slice(0, 4).join(", ") + (cells.length > 4 ? ` and ${cells.length - 4} more columns` : "")];
  if (rows > 0) parts.push(`${count(rows, "row")} may not belong there`);
  if (may_miss_rows) parts.push("rows may be missing");
  const said = parts.filter((part) => part !== "").join("; ");
  return `${said || "nothing is marked"}, of ${count(all_rows, "row")}`;
}
