import { fileURLToPath } from "node:url";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";
import { precompress } from "./build-plugins/precompress.ts";
import { aliases } from "./vite.config.ts";

/** Libraries, what the members' app is made of, too, and first of all the order of the layers. */
const SHARED = /node_modules[\\/]|web[\\/]src[\\/]|admin[\\/]src[\\/]styles[\\/]/;

/** The back office: a build of its own, so that nothing of it can change the members' scripts. */
export default defineConfig({
  plugins: [react(), precompress("admin")],
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
          groups: [{ name: "shared", test: SHARED }],
        },
      },
    },
  },
});
