import { gzipSync } from "node:zlib";
import type { Plugin, Rolldown } from "vite";

type Bundle = Rolldown.OutputBundle;

interface Budget {
  /** The name of the one chunk that does not count: shared, or another entry. */
  except: string;
  maxBytes: number;
}

/** Fail the build if the entry, with all of its static imports, exceeds its budget. */
export function entryBudget({ except, maxBytes }: Budget): Plugin {
  return {
    name: "entry-budget",
    apply: "build",
    generateBundle(_, bundle) {
      const bytes = scriptsOf(bundle, except).reduce(
        (sum, { code }) => sum + gzipSync(code).length,
        0,
      );
      if (bytes > maxBytes) {
        this.error(`the entry has ${bytes} bytes, of at most ${maxBytes}`);
      }
    },
  };
}

function scriptsOf(bundle: Bundle, except: string): Rolldown.OutputChunk[] {
  const chunks = Object.values(bundle).filter((each) => each.type === "chunk");
  const found = new Set(chunks.filter(({ isEntry }) => isEntry));
  // Iterating a Set includes items added meanwhile.
  for (const { imports } of found) {
    for (const chunk of chunks.filter(({ fileName }) => imports.includes(fileName))) {
      found.add(chunk);
    }
  }
  return [...found].filter(({ name }) => name !== except);
}
