import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

// `npm run dev` shows the page of a server that runs beside it; the guard wants its own host name.
const server = { target: "http://127.0.0.1:8321", changeOrigin: true };

export default defineConfig({
  plugins: [react()],
  build: {
    outDir: "../src/whence/server/static",
    emptyOutDir: true,
    // The page's policy forbids inline resources, so nothing may become a data: address.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
  server: { proxy: { "/api": server, "/login": server } },
});
