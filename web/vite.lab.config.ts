import { readFileSync } from "node:fs";
import { defineConfig, type Plugin } from "vite";

// JupyterLab reads from package.json which file to load; its name changes with its content, as browsers keep files.
function description(): Plugin {
  return {
    name: "whence-lab-description",
    generateBundle(_, bundle) {
      const entry = Object.values(bundle).find((file) => file.type === "chunk" && file.isEntry);
      const { version, license } = JSON.parse(readFileSync("package.json", "utf8"));
      const source = {
        name: "whence-safety",
        version,
        license,
        description: "Marks stale, fresh and refresher cells, and shows where a clicked value came from.",
        jupyterlab: { extension: true, _build: { load: entry?.fileName, extension: "./extension" } },
      };
      this.emitFile({ type: "asset", fileName: "package.json", source: `${JSON.stringify(source, null, 2)}\n` });
    },
  };
}

export default defineConfig({
  plugins: [description()],
  publicDir: false,
  build: {
    outDir: "../src/whence/staleness/jupyter/labextension",
    emptyOutDir: true,
    rollupOptions: {
      input: "lab/entry.ts",
      output: { format: "iife", entryFileNames: "static/remoteEntry.[hash].js" },
    },
  },
});
