import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { client, unwrap } from "../api/client";
import { goTo } from "../state/place";
import styles from "./NewNotebook.module.css";

/** A place to begin another notebook. */
export function NewNotebook() {
  const queries = useQueryClient();
  const [problem, setProblem] = useState("");
  const make = async (name: string) => {
    try {
      await unwrap(client.POST("/api/notebooks", { body: { name } }));
      await queries.refetchQueries({ queryKey: ["notebooks"] });
      goTo({ notebook: name });
      setProblem("");
    } catch (error) {
      setProblem(error instanceof Error ? error.message : "The notebook could not be made.");
    }
  };
  return (
    <>
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
      {problem && <p role="alert">{problem}</p>}
    </>
  );
}
