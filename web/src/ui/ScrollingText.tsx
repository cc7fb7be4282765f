import { type ReactNode, useEffect, useRef } from "react";
import { useScrolls } from "./useScrolls";

type Props = { label: string; className?: string | undefined; stream?: string | undefined; children: ReactNode };

/** Text as it was written; keys reach it, by its name, while there is more of it than fits. */
export function ScrollingText({ label, className, stream, children }: Props) {
  const host = useRef<HTMLPreElement>(null);
  const { scrolls, measure } = useScrolls(host);
  // biome-ignore lint/correctness/useExhaustiveDependencies: other text may fit, or no longer
  useEffect(measure, [children]);
  const reached = scrolls ? { role: "region", "aria-label": label, tabIndex: 0 } : {};
  return (
    <pre ref={host} className={className} data-stream={stream} {...reached}>
      {children}
    </pre>
  );
}
