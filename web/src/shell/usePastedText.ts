import { useEffect, useRef } from "react";

/** Hears what is pasted anywhere on the page but into a field: a table as text, or files. */
export function usePastedText(onText: (text: string) => void, onFiles: (files: File[]) => void): void {
  const latest = useRef({ onText, onFiles });
  latest.current = { onText, onFiles };
  useEffect(() => {
    const onPaste = (event: ClipboardEvent) => {
      if (event.target instanceof HTMLElement && event.target.matches("input, textarea, [data-editor]")) return;
      const files = [...(event.clipboardData?.files ?? [])];
      const text = event.clipboardData?.getData("text/plain") ?? "";
      if (text.trim() !== "") latest.current.onText(text);
      else if (files.length > 0) latest.current.onFiles(files);
    };
    window.addEventListener("paste", onPaste);
    return () => window.removeEventListener("paste", onPaste);
  }, []);
}
