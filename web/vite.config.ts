import { readFileSync } from "node:fs";
import react from "@vitejs/plugin-react";
import { defineConfig, type Plugin } from "vite";

// `npm run dev` shows the page of a server that runs beside it; the guard wants its own host name.
const server = { target: "http://127.0.0.1:8321", changeOrigin: true };

// The page never loads Plotly: the server puts its script into the sandboxed document of a figure.
function plotly(): Plugin {
  return {
    name: "whence-plotly",
    apply: "build",
    generateBundle() {
      const source = readFileSync("node_modules/plotly.js-cartesian-dist-min/plotly-cartesian.min.js", "utf8");
      this.emitFile({ type: "asset", fileName: "figures/plotly.min.js", source });
    },
  };
}

export default defineConfig({
  plugins: [react(), plotly()],
  build: {
    outDir: "../src/whence/server/static",
    emptyOutDir: true,
    // The page's policy forbids inline resources, so nothing may become a data: address.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
  server: { proxy: { "/api": server, "/login": server } },
});
