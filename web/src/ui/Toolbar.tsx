import { type FocusEvent, type KeyboardEvent, type ReactNode, useEffect, useRef } from "react";

const TOOLS = "[data-tool]";

/** A row of tools as one stop of the Tab key; the arrow keys go from tool to tool. */
export function Toolbar({ label, className, children }: { label: string; className?: string; children: ReactNode }) {
  const root = useRef<HTMLDivElement>(null);
  const current = useRef<Element>(undefined);
  const tools = () => [...(root.current?.querySelectorAll<HTMLElement>(TOOLS) ?? [])];
  const keepOneStop = () => {
    const all = tools();
    const stop = all.find((tool) => tool === current.current) ?? all[0];
    for (const tool of all) tool.tabIndex = tool === stop ? 0 : -1;
  };
  // Tools come and go with what they act on, so that every drawing may need another stop.
  useEffect(keepOneStop);
  const onFocus = (event: FocusEvent) => {
    current.current = event.target.closest(TOOLS) ?? current.current;
    keepOneStop();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const all = tools();
    const here = all.indexOf(document.activeElement as HTMLElement);
    const target = { ArrowRight: here + 1, ArrowLeft: here - 1, Home: 0, End: all.length - 1 }[event.key];
    if (here < 0 || target === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    event.stopPropagation();
    all[(target + all.length) % all.length]?.focus();
  };
  return (
    <div ref={root} role="toolbar" aria-label={label} className={className} onFocus={onFocus} onKeyDown={onKeyDown}>
      {children}
    </div>
  );
}
