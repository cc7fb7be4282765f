import react from "@vitejs/plugin-react";
import { defineConfig } from "vitest/config";

// Apart from vite.config.ts, because building the page must not need what tests need.
export default defineConfig({
  plugins: [react()],
  test: { environment: "happy-dom", include: ["{src,lab}/**/*.test.{ts,tsx}"] },
});
