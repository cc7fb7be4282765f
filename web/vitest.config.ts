import react from "@vitejs/plugin-react";
import { defineConfig } from "vitest/config";

// Apart from vite.config.ts, because building the page must not need what tests need.
// Few tests need a page: they ask for one in their first line, because making one for each file takes most of the time.
export default defineConfig({
  plugins: [react()],
  test: { environment: "node", include: ["{src,lab}/**/*.test.{ts,tsx}"] },
});
