import styles from "./Icon.module.css";

const PATHS = {
  file: "M4 1.500h5l3.500 3.500v9.500h-8.500zM9 1.500v3.500h3.500",
  sql: "M2.500 4c0-1.400 2.500-2.500 5.500-2.500s5.500 1.100 5.500 2.500-2.500 2.500-5.500 2.500-5.500-1.100-5.500-2.500zv8c0 1.400 2.500 2.500 5.500 2.500s5.500-1.100 5.500-2.500v-8M2.500 8c0 1.400 2.500 2.500 5.500 2.500s5.500-1.100 5.500-2.500",
  code: "M5.500 4.500 2 8l3.500 3.500M10.500 4.500 14 8l-3.500 3.500",
  close: "M4 4l8 8M12 4l-8 8",
  chevron: "M6 3.500 10.500 8 6 12.500",
  arrow: "M3 8h10M9 4l4 4-4 4",
  system: "M2 3h12v8h-12zM6 14h4",
  light:
    "M8 5a3 3 0 1 0 0 6 3 3 0 0 0 0-6zM8 1v1.500M8 13.500v1.500M1 8h1.500M13.500 8h1.500M3 3l1 1M12 12l1 1M3 13l1-1M12 4l1-1",
  dark: "M13.500 9.500a6 6 0 1 1-7-7 4.800 4.800 0 0 0 7 7z",
  rail: "M2 3h12v10h-12zM6 3v10",
  paste: "M5.500 3h-2v11h9v-11h-2M5.500 1.500h5v3h-5zM6 8h4M6 11h4",
  panel: "M2 3h12v10h-12zM10 3v10",
  keyboard: "M1.500 4h13v8h-13zM4 6.500h.01M6.700 6.500h.01M9.300 6.500h.01M12 6.500h.01M5 9.500h6",
  warn: "M8 2 14.500 13.500h-13zM8 6.500v3M8 11.500h.01",
  check: "M3 8.500 6.500 12 13 4.500",
  cell: "M2 3.500h12v9h-12zM2 8h12M8 3.500v9",
  more: "M3.500 8h.01M8 8h.01M12.500 8h.01",
  download: "M8 2v8.500M4.500 7 8 10.500 11.500 7M2.500 13.500h11",
  down: "M4 6l4 4 4-4",
  graph: "M3 3h4v3h-4zM9 10h4v3h-4zM9 3h4v3h-4zM5 6v5.500h4M7 4.500h2",
  chart: "M2 2v12h12M5 11.500v-4M8.500 11.500v-8M12 11.500v-6",
  search: "M7 2.500a4.500 4.500 0 1 0 0 9 4.500 4.500 0 0 0 0-9zM10.500 10.500l3.500 3.500",
  edit: "M3 13l.700-3 7.300-7.300 2.300 2.300-7.300 7.300zM9.500 4.200l2.300 2.300",
  filter: "M2 3h12l-4.700 5.500v4.500l-2.600-1.300v-3.200z",
  sort: "M4.500 3v10M2 10.500l2.500 2.500 2.500-2.500M11.500 13v-10M9 5.500l2.500-2.500 2.500 2.500",
  rows: "M2 3h12M2 6.500h12M8 9.500v4.500M5.500 11.700l2.500 2.500 2.500-2.500",
  copy: "M5.500 5.500h8v8h-8zM10.500 5.500v-3h-8v8h3",
  question:
    "M8 1.800a6.200 6.200 0 1 0 0 12.400 6.200 6.200 0 0 0 0-12.400zM6.200 6.300c0-1 .800-1.700 1.800-1.700s1.800.700 1.800 1.600c0 1.300-1.800 1.400-1.800 2.700M8 11.200h.01",
  grip: "M6 4h.01M10 4h.01M6 8h.01M10 8h.01M6 12h.01M10 12h.01",
  corner: "M13 5v8h-8M13 9.500v3.500h-3.500",
  undo: "M6 3 2.500 6.500 6 10M2.500 6.500h7a4 4 0 0 1 0 8h-3",
} as const;

export type IconName = keyof typeof PATHS;

/** A line icon; decoration only, so the text beside it or the button's label says what it means. */
export function Icon({ name, size = 16 }: { name: IconName; size?: number }) {
  return (
    <svg className={styles.icon} viewBox="0 0 16 16" width={size} height={size} aria-hidden="true">
      <path d={PATHS[name]} />
    </svg>
  );
}
