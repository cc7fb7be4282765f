import { useState } from "react";
import { client, unwrap } from "../api/client";
import { useNotebooks } from "../api/notebooks";
import { goTo } from "../state/place";
import { Icon } from "../ui/Icon";
import { PlaceLink } from "../ui/PlaceLink";
import items from "./DatasetItem.module.css";
import styles from "./NotebookList.module.css";
import rail from "./Rail.module.css";

/** The notebooks of the workspace, and a place to begin another. */
export function NotebookList({ chosen, isShared }: { chosen: string | undefined; isShared: boolean }) {
  const query = useNotebooks();
  const [problem, setProblem] = useState("");
  const make = async (name: string) => {
    try {
      await unwrap(client.POST("/api/notebooks", { body: { name } }));
      await query.refetch();
      goTo({ notebook: name });
      setProblem("");
    } catch (error) {
      setProblem(error instanceof Error ? error.message : "The notebook could not be made.");
    }
  };
  return (
    <>
      <h2 className={rail.title}>Notebooks</h2>
      <ul className={rail.list}>
        {query.data?.map((name) => (
          <li key={name}>
            <PlaceLink className={items.item} place={{ notebook: name }} isCurrent={name === chosen}>
              <Icon name="code" />
              <span className={items.name}>{name}</span>
            </PlaceLink>
          </li>
        ))}
      </ul>
      {!isShared && (
        <form
          className={styles.make}
          onSubmit={(event) => {
            event.preventDefault();
            const name = String(new FormData(event.currentTarget).get("name") ?? "").trim();
            event.currentTarget.reset();
            if (name) void make(name);
          }}
        >
          <input name="name" aria-label="Name of a new notebook" placeholder="New notebook…" />
        </form>
      )}
      {problem && <p role="alert">{problem}</p>}
    </>
  );
}
