import { fileURLToPath } from "node:url";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";
import { entryBudget } from "./build-plugins/entry-budget.ts";
import { precompress } from "./build-plugins/precompress.ts";
import { aliases } from "./vite.config.ts";

/** Libraries, including those of the members' app, preceded by the order of the layers. */
const SHARED = /node_modules[\\/](?!uplot)|web[\\/]src[\\/]|admin[\\/]src[\\/]styles[\\/]/;

const SHARED_NAME = "shared";
/** The maximum size of the operator's first screen beyond shared chunks, gzipped. */
const MAX_ENTRY_BYTES = 60 * 1024;

/** The back office: a separate build, so that it cannot change the members' scripts. */
export default defineConfig({
  plugins: [
    react(),
    entryBudget({ except: SHARED_NAME, maxBytes: MAX_ENTRY_BYTES }),
    precompress("admin"),
  ],
  resolve: { alias: aliases },
  publicDir: false,
  build: {
    target: "es2022",
    emptyOutDir: false,
    assetsDir: "admin/assets",
    sourcemap: false,
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      input: fileURLToPath(new URL("./admin/index.html", import.meta.url)),
      output: {
        codeSplitting: {
          includeDependenciesRecursively: false,
          groups: [{ name: SHARED_NAME, test: SHARED }],
        },
      },
    },
  },
});
