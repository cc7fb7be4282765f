import type { ReactNode } from "react";
import styles from "./DropFile.module.css";
import { DropHint } from "./DropHint";
import { useFileDrop } from "./useFileDrop";

/** Takes a file that is dropped anywhere on it, and says so while one hovers. */
export function DropFile({ onFile, children }: { onFile: (file: File) => void; children: ReactNode }) {
  const { isOver, handlers } = useFileDrop((files) => files.forEach(onFile));
  return (
    <div className={styles.zone} {...handlers}>
      {children}
      {isOver && <DropHint />}
    </div>
  );
}
