import { type DragEvent, type ReactNode, useState } from "react";
import styles from "./DropFile.module.css";

/** Takes a file that is dropped anywhere on it, and says so while one hovers. */
export function DropFile({ onFile, children }: { onFile: (file: File) => void; children: ReactNode }) {
  const [isOver, setOver] = useState(false);
  const hasFiles = (event: DragEvent) => event.dataTransfer.types.includes("Files");
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the button for files does the same by keyboard
    <div
      className={styles.zone}
      onDragOver={(event) => {
        if (!hasFiles(event)) return;
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={(event) => {
        if (event.currentTarget === event.target || event.relatedTarget === null) setOver(false);
      }}
      onDrop={(event) => {
        if (!hasFiles(event)) return;
        event.preventDefault();
        setOver(false);
        for (const file of event.dataTransfer.files) onFile(file);
      }}
    >
      {children}
      {isOver && (
        <div className={styles.over} role="status">
          Drop the file to load it
        </div>
      )}
    </div>
  );
}
