import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { retryLater } from "./api/queries";
import "./shell/tokens.css";
import "./shell/base.css";
import { App } from "./shell/App";
import { applyTheme } from "./state/theme";

applyTheme();
// Requests go to this machine, so the browser's own idea of being offline does not matter.
const queries = new QueryClient({
  defaultOptions: { queries: { networkMode: "always", retry: retryLater, refetchOnWindowFocus: false } },
});
const root = document.getElementById("root");
if (root === null) throw new Error("The page has no root element.");
createRoot(root).render(
  <StrictMode>
    <QueryClientProvider client={queries}>
      <App />
    </QueryClientProvider>
  </StrictMode>,
);
