import { fileURLToPath } from "node:url";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";
import { entryBudget } from "./build-plugins/entry-budget.ts";
import { precompress } from "./build-plugins/precompress.ts";
import { aliases } from "./vite.config.ts";

/** Libraries, what the members' app is made of, too, and first of all the order of the layers. */
const SHARED = /node_modules[\\/](?!uplot)|web[\\/]src[\\/]|admin[\\/]src[\\/]styles[\\/]/;

const SHARED_NAME = "shared";
/** What an operator's first screen may weigh over what is shared, compressed by gzip. */
const MAX_ENTRY_BYTES = 60 * 1024;

/** The back office: a build of its own, so that nothing of it can change the members' scripts. */
export default defineConfig({
  plugins: [
    react(),
    entryBudget({ except: SHARED_NAME, mostBytes: MAX_ENTRY_BYTES }),
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
