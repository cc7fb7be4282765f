import { useEffect } from "react";
import { goTo } from "../state/place";

/** Keeps in the address which cell of the sheet is selected and what is filtered. */
export function useAddress(
  dataset: string,
  row: number | undefined,
  column: string | undefined,
  filter: string | undefined,
): void {
  useEffect(() => {
    goTo({
      dataset,
      view: "sheet",
      ...(row !== undefined && column !== undefined && { row, column }),
      ...(filter !== undefined && { filter }),
    });
  }, [dataset, row, column, filter]);
}
