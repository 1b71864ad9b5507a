import { fileURLToPath } from "node:url";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";
import { adminPage } from "./build-plugins/admin-page.ts";
import { entryBudget } from "./build-plugins/entry-budget.ts";
import { memberChunk } from "./build-plugins/member-chunk.ts";
import { paystackEndpoints } from "./build-plugins/paystack-endpoints.ts";
import { precompress } from "./build-plugins/precompress.ts";
import { serviceWorker } from "./build-plugins/service-worker.ts";

/** Aliases of the source folders: the members' app, and the back office. */
export const aliases = {
  "@": fileURLToPath(new URL("./src", import.meta.url)),
  "~": fileURLToPath(new URL("./admin/src", import.meta.url)),
};

/** The worker, an entry beside the page's. */
const WORKER_NAME = "sw";
/** The maximum size of the first screen's scripts, gzipped: 2 % above their size when it was set. */
const MAX_ENTRY_BYTES = 96_480;

const SERVER = process.env["API_URL"] ?? "http://127.0.0.1:8000";
const forwarded = {
  "/api": SERVER,
  "/legal": SERVER,
  "/media": SERVER,
  "/u/": SERVER,
  "/sandbox": SERVER,
  "/socket.io": { target: SERVER, ws: true },
};

export default defineConfig({
  plugins: [
    paystackEndpoints(),
    react(),
    adminPage(),
    entryBudget({ except: WORKER_NAME, maxBytes: MAX_ENTRY_BYTES }),
    serviceWorker(),
    precompress(),
  ],
  resolve: { alias: aliases },
  optimizeDeps: { exclude: ["@paystack/inline-js"] },
  build: {
    target: "es2022",
    sourcemap: false,
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    // Every browser that runs es2022 supports modulepreload.
    modulePreload: { polyfill: false },
    rolldownOptions: {
      output: {
        codeSplitting: {
          includeDependenciesRecursively: false,
          groups: [{ name: memberChunk, debugName: "shell" }],
        },
      },
    },
  },
  server: { host: "127.0.0.1", port: 5173, strictPort: true, proxy: forwarded },
  preview: { proxy: forwarded },
});
