import { client, unwrap } from "../api/client";
import { say } from "../state/toast";

/** Ends the session of this browser, or of every browser; the page then says how to sign in again. */
export function signOut(all: boolean): void {
  unwrap(client.POST("/api/sessions/end", { body: { all } }))
    .then(() => window.location.assign("/"))
    .catch((error: Error) => say({ text: error.message }));
}
