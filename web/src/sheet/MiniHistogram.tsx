import type { Schemas } from "../api/client";
import { show } from "../text/value";
import { number } from "../text/words";
import styles from "./SheetHeader.module.css";

type Profile = Schemas["ColumnProfile"];

/** How the values of a column are spread: bars for numbers and dates, the share of the commonest value for texts. */
export function MiniHistogram({ profile }: { profile: Profile }) {
  const bars = profile.histogram.length > 0 ? profile.histogram : profile.top.slice(0, 12);
  const tallest = Math.max(1, ...bars.map((bar) => bar.count));
  const width = 100 / Math.max(bars.length, 8);
  return (
    <svg
      className={styles.histogram}
      viewBox="0 0 100 18"
      preserveAspectRatio="none"
      role="img"
      aria-label={told(profile)}
    >
      {bars.map((bar, i) => {
        const height = Math.max(bar.count > 0 ? 1 : 0, (bar.count / tallest) * 18);
        // biome-ignore lint/suspicious/noArrayIndexKey: the place of a bar is what it is
        return <rect key={i} x={i * width} y={18 - height} width={Math.max(1, width - 1)} height={height} />;
      })}
    </svg>
  );
}

/** The same in words. */
export function told(profile: Profile): string {
  const about = profile.distinct_error > 0 ? "about " : "";
  const distinct = profile.distinct === null ? "values" : `${about}${number(profile.distinct)} different values`;
  if (profile.min === null) return distinct;
  return `${distinct}, from ${show(profile.min).text} to ${show(profile.max).text}`;
}

/** The part of the rows that say nothing here: 0 %, below 1 %, 37 %. */
export function nullShare({ nulls, count }: Profile): string {
  const share = count === 0 ? 0 : nulls / count;
  return share > 0 && share < 0.01 ? "<1 %" : `${Math.round(share * 100)} %`;
}
