import { useQueryClient } from "@tanstack/react-query";
import { client, unwrap } from "../api/client";
import { addLoadCell, useNotebooks } from "../api/notebooks";
import { focusCellOnceThere } from "../notebook/focusCell";
import { lastNotebook } from "../state/lastNotebook";
import { goTo } from "../state/place";
import { say } from "../state/toast";
import { openGuide } from "../state/tour";
import { STEPS } from "../tour/steps";

/** A name that no notebook has yet: Untitled, Untitled 2. */
export function freshName(names: string[]): string {
  const taken = new Set(names.map((name) => name.toLowerCase()));
  let name = "Untitled";
  for (let number = 2; taken.has(name.toLowerCase()); number += 1) name = `Untitled ${number}`;
  return name;
}

/** What can be begun from anywhere: a notebook, the tour, or load cells for files, in the notebook last open. */
export function useBegin() {
  const queries = useQueryClient();
  const names = useNotebooks().data ?? [];
  const go = async (notebook: string) => {
    await queries.invalidateQueries({ queryKey: ["notebooks"] });
    await queries.invalidateQueries({ queryKey: ["notebook", notebook] });
    goTo({ notebook });
  };
  const attempt = (work: () => Promise<void>) =>
    void work().catch((error: Error & { hint?: string }) =>
      say({ text: [error.message, error.hint].filter(Boolean).join(" ") }),
    );
  const makeNotebook = async () => {
    const name = freshName(names);
    await unwrap(client.POST("/api/notebooks", { body: { name } }));
    return name;
  };
  return {
    newNotebook: () => attempt(async () => go(await makeNotebook())),
    openTour: () =>
      attempt(async () => {
        openGuide(STEPS.map((step) => step.id));
        await go((await unwrap(client.POST("/api/tour"))).name);
      }),
    loadFiles: (files: File[]) =>
      attempt(async () => {
        if (files.length === 0) return;
        say({ text: `Loading ${files.map((file) => file.name).join(", ")} …`, stays: true });
        const notebook = lastNotebook(names) ?? (await makeNotebook());
        let cell: string | undefined;
        for (const file of files) cell = (await addLoadCell(notebook, file)).cell?.id;
        await go(notebook);
        say(undefined);
        focusCellOnceThere(cell);
      }),
  };
}
