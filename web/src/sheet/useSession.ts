import { useQuery } from "@tanstack/react-query";
import { useEffect, useMemo, useSyncExternalStore } from "react";
import { openSheet } from "./api";
import { SheetSession } from "./SheetSession";

/** Milliseconds after which a tab asks whether another one has edited the sheet. */
const LOOK_EVERY = 3000;

/** The sheet over a dataset as the server opens it: the one with pending edits, or a new one. */
export function useSheet(dataset: string) {
  return useQuery({
    queryKey: ["sheet", dataset],
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    queryFn: () => openSheet(dataset),
  });
}

/** The session of an open sheet; the component draws again when anything in it changes. */
export function useSession(sheet: Parameters<typeof openSession>[0]): SheetSession {
  // biome-ignore lint/correctness/useExhaustiveDependencies: a session outlives what is read about its sheet later
  const session = useMemo(() => openSession(sheet), [sheet.id]);
  useEffect(() => {
    session.open();
    const look = () => document.visibilityState === "visible" && void session.check();
    const timer = setInterval(look, LOOK_EVERY);
    window.addEventListener("focus", look);
    return () => {
      clearInterval(timer);
      window.removeEventListener("focus", look);
      session.dispose();
    };
  }, [session]);
  useSyncExternalStore(session.subscribe, session.snapshot);
  useSyncExternalStore(session.pages.subscribe, session.pages.snapshot);
  return session;
}

function openSession(sheet: ConstructorParameters<typeof SheetSession>[0]): SheetSession {
  return new SheetSession(sheet);
}
