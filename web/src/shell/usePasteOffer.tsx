import { lazy, type ReactNode, Suspense, useState } from "react";
import { useDatasets } from "../api/queries";
import { usePastedText } from "./usePastedText";

const PasteData = lazy(() => import("./PasteData"));

/** Offers to load what is pasted anywhere but into a field. Returns the dialog, and how to open it without a paste. */
export function usePasteOffer(onFiles: (files: File[]) => void, isOn = true): { ask: () => void; dialog: ReactNode } {
  const datasets = useDatasets().data ?? [];
  const [pasted, setPasted] = useState<string>();
  usePastedText(
    (text) => isOn && setPasted(text),
    (files) => isOn && onFiles(files),
  );
  return {
    ask: () => setPasted(""),
    dialog: pasted !== undefined && (
      <Suspense>
        <PasteData
          text={pasted}
          taken={datasets.map(({ name }) => name)}
          onClose={() => setPasted(undefined)}
          onLoad={(file) => {
            setPasted(undefined);
            onFiles([file]);
          }}
        />
      </Suspense>
    ),
  };
}
