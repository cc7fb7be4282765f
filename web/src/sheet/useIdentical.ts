import { useCallback, useRef, useState } from "react";
import { countIdentical } from "./api";
import type { SheetRow } from "./SheetRow";
import type { SheetSession } from "./SheetSession";

export type Offer = { key: string; column: string; cells: number };

const PAUSE = 300;

/** After an edit of one cell: whether other cells of the column said the same. Asked when the edit has settled. */
export function useIdentical(session: SheetSession) {
  const [offer, setOffer] = useState<Offer>();
  const latest = useRef(0);
  const leave = useCallback(() => {
    latest.current++;
    setOffer(undefined);
  }, []);
  const ask = useCallback(
    async (row: SheetRow, column: string) => {
      leave();
      const mine = latest.current;
      await session.settled();
      await new Promise((resolve) => setTimeout(resolve, PAUSE));
      if (mine !== latest.current || row.rid === null) return;
      const { count } = await countIdentical(session.id, row.key, column).catch(() => ({ count: 0 }));
      if (mine === latest.current && count > 0) setOffer({ key: row.key, column, cells: count });
    },
    [session, leave],
  );
  return { offer, ask, leave };
}
