// @vitest-environment happy-dom
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { App } from "./App";

const json = (body: unknown, status = 200) =>
  new Response(JSON.stringify(body), { status, headers: { "content-type": "application/json" } });

const dataset = {
  name: "prices",
  version: 1,
  rows: 0,
  columns: [{ name: "price", type: "double" }],
  origin: "load",
  text: "prices.csv",
  doubt: { columns: [], rows: false, row_set: false },
  exact: true,
  parents: [],
  made_from: [],
};

/** Shows the page with a server that answers these paths. */
function open(answers: Record<string, () => Response>) {
  vi.stubGlobal(
    "fetch",
    vi.fn(async (request: Request) => {
      const answer = answers[new URL(request.url).pathname];
      if (answer === undefined) throw new TypeError("Failed to fetch");
      return answer();
    }),
  );
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  return render(
    <QueryClientProvider client={client}>
      <App />
    </QueryClientProvider>,
  );
}

const about = () => json({ version: "1", engine: "idle" });

beforeEach(() => window.history.replaceState(null, "", "/"));
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

it("says how to begin when the workspace is empty", async () => {
  open({ "/api/about": about, "/api/datasets": () => json([]) });
  expect(await screen.findByText("This workspace is empty.")).toBeTruthy();
});

it("shows an error in words and tries again on request", async () => {
  let isBroken = true;
  const error = { error: { kind: "DamagedFile", message: "A file is damaged.", hint: "" } };
  open({ "/api/about": about, "/api/datasets": () => (isBroken ? json(error, 500) : json([dataset])) });
  expect((await screen.findByRole("alert")).textContent).toContain("A file is damaged.");
  isBroken = false;
  fireEvent.click(screen.getByRole("button", { name: "Retry" }));
  expect(await screen.findByRole("heading", { name: "prices" })).toBeTruthy();
});

it("says that the server does not answer", async () => {
  open({ "/api/datasets": () => json([dataset]) });
  expect(await screen.findByText("The whence server does not answer.")).toBeTruthy();
  expect(await screen.findByText("prices has no rows.")).toBeTruthy();
});

it("says that the session has ended", async () => {
  const error = { error: { kind: "NotSignedIn", message: "", hint: "Open the link that whence printed." } };
  open({ "/api/about": () => json(error, 401), "/api/datasets": () => json(error, 401) });
  expect(await screen.findByText("This session has ended.")).toBeTruthy();
});

it("names a dataset that is not there and leads to the newest", async () => {
  window.history.replaceState(null, "", "/?dataset=gone");
  open({ "/api/about": about, "/api/datasets": () => json([dataset]) });
  expect(await screen.findByText("There is no dataset gone.")).toBeTruthy();
  fireEvent.click(screen.getByRole("button", { name: "Show the newest" }));
  expect(await screen.findByRole("heading", { name: "prices" })).toBeTruthy();
});

it("shows names as text, whatever they look like", async () => {
  const nasty = '<img src=x onerror="window.hit=1">';
  open({ "/api/about": about, "/api/datasets": () => json([{ ...dataset, name: nasty, text: nasty }]) });
  expect(await screen.findByRole("heading", { name: nasty })).toBeTruthy();
  expect(document.querySelector("img[src=x]")).toBeNull();
});

it("says for how long Spark has been starting", async () => {
  const starting = () => json({ version: "1", engine: "starting", seconds_starting: 5.6 });
  open({ "/api/about": starting, "/api/datasets": () => json([]) });
  expect(await screen.findByText("Starting Spark (6 s)…")).toBeTruthy();
});

it("opens the list of shortcuts with a question mark", async () => {
  open({ "/api/about": about, "/api/datasets": () => json([]) });
  await screen.findByText("This workspace is empty.");
  fireEvent.keyDown(window, { key: "?" });
  expect(document.querySelector("dialog")?.open).toBe(true);
});
