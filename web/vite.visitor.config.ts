import { fileURLToPath } from "node:url";
import { defineConfig } from "vite";
import { entryBudget } from "./build-plugins/entry-budget.ts";
import { precompress } from "./build-plugins/precompress.ts";

/** The maximum size of the visitors' script, gzipped. */
const MAX_ENTRY_BYTES = 3 * 1024;

const FOLDER = "assets/visitor";

/** The pages for visitors: a build of their own, filled in by the server (`api/home/public`). */
export default defineConfig({
  plugins: [entryBudget({ except: "", maxBytes: MAX_ENTRY_BYTES }), precompress(FOLDER)],
  publicDir: false,
  build: {
    target: "es2022",
    emptyOutDir: false,
    sourcemap: false,
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      input: fileURLToPath(new URL("./visitor/page.html", import.meta.url)),
      output: {
        entryFileNames: `${FOLDER}/[name]-[hash].js`,
        // The fonts are those of the app: whoever joins has them already.
        assetFileNames: ({ names }) =>
          names.some((name) => name.endsWith(".woff2"))
            ? "assets/[name]-[hash][extname]"
            : `${FOLDER}/[name]-[hash][extname]`,
      },
    },
  },
});
