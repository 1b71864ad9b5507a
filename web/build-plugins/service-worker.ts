import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { gzipSync } from "node:zlib";
import type { Plugin, Rolldown } from "vite";

const SOURCE = "worker/sw.ts";
const SCRIPT = "sw.js";
const PAGE = "index.html";
const PLACEHOLDER = "__PRECACHE__";

/** Everything available offline at once beside the entry: the shell, Home and its data. */
const FIRST_SCREENS = [
  "src/app/shell/member-shell.tsx",
  "src/app/screens/dashboard-screen.tsx",
  "src/app/last-data/keeper.ts",
];
const PUBLIC_FILES = /^(?:favicon\.svg|manifest\.json|icons\/.+\.png)$/;

/** The maximum size of the precache (contract F-18). */
const MAX_COMPRESSED_BYTES = 250 * 1024;

type Bundle = Rolldown.OutputBundle;
type Content = string | Uint8Array;

/** Build `/sw.js` from `worker/sw.ts`, with the exact list of files to precache. */
export function serviceWorker(): Plugin {
  let publicFolder = "public";
  return {
    name: "service-worker",
    apply: "build",
    enforce: "post", // after the page was written
    configResolved(config) {
      publicFolder = config.publicDir;
    },
    buildStart() {
      this.emitFile({ type: "chunk", id: SOURCE, fileName: SCRIPT });
    },
    async generateBundle(_, bundle) {
      const worker = workerOf(bundle);
      const page = contentOf(bundle, PAGE);
      const files = new Map([...filesOf(bundle)].map((name) => [name, contentOf(bundle, name)]));
      for (const name of await publicFiles(publicFolder)) {
        files.set(name, await readFile(path.join(publicFolder, name)));
      }
      const bytes = [page, ...files.values()].reduce((sum, each) => sum + onWire(each), 0);
      if (bytes > MAX_COMPRESSED_BYTES) {
        throw new Error(`${SCRIPT} would load ${bytes} bytes ahead of use`);
      }
      const list = {
        version: versionOf([[PAGE, page], ...files]),
        pageIntegrity: `sha256-${createHash("sha256").update(page).digest("base64")}`,
        files: [...files.keys()].map((name) => `/${name}`),
      };
      worker.code = worker.code.replace(PLACEHOLDER, () => JSON.stringify(list));
    },
  };
}

function workerOf(bundle: Bundle): Rolldown.OutputChunk {
  const worker = bundle[SCRIPT];
  if (worker?.type !== "chunk" || worker.imports.length > 0) {
    throw new Error(`${SCRIPT} has to be one script of its own`);
  }
  if (!worker.code.includes(PLACEHOLDER)) {
    throw new Error(`${SCRIPT} names no ${PLACEHOLDER}`);
  }
  return worker;
}

/** The entry and the first screens with their static imports: scripts, styles and fonts. */
function filesOf(bundle: Bundle): Set<string> {
  const found = new Set(FIRST_SCREENS.map((source) => chunkOf(bundle, source)));
  for (const each of Object.values(bundle)) {
    if (each.type === "chunk" && each.isEntry && each.fileName !== SCRIPT) {
      found.add(each.fileName);
    }
  }
  // Iterating a Set includes items added meanwhile.
  for (const name of found) {
    const each = bundle[name];
    const needed =
      each?.type === "chunk" ? [...each.imports, ...stylesOf(each)] : fontsIn(bundle, name);
    for (const other of needed) {
      found.add(other);
    }
  }
  return found;
}

function chunkOf(bundle: Bundle, source: string): string {
  for (const each of Object.values(bundle)) {
    if (each.type === "chunk" && each.facadeModuleId?.replaceAll("\\", "/").endsWith(source)) {
      return each.fileName;
    }
  }
  throw new Error(`no script of the build begins with ${source}`);
}

function stylesOf(chunk: Rolldown.OutputChunk): Iterable<string> {
  return chunk.viteMetadata?.importedCss ?? [];
}

function fontsIn(bundle: Bundle, style: string): string[] {
  const content = style.endsWith(".css") ? String(contentOf(bundle, style)) : "";
  return [...content.matchAll(/url\(["']?\/(assets\/[^"')]+\.woff2)/g)].flatMap(
    ([, font]) => font ?? [],
  );
}

function contentOf(bundle: Bundle, name: string): Content {
  const each = bundle[name];
  if (each === undefined) {
    throw new Error(`${name} is named by the build but not in it`);
  }
  return each.type === "chunk" ? each.code : each.source;
}

async function publicFiles(folder: string): Promise<string[]> {
  const names = await readdir(folder, { recursive: true });
  return names
    .map((name) => name.replaceAll("\\", "/"))
    .filter((name) => PUBLIC_FILES.test(name))
    .sort();
}

/** An upper bound of the transfer: the server sends brotli to browsers, and fonts as they are. */
function onWire(content: Content): number {
  return Math.min(gzipSync(content).length, content.length);
}

function versionOf(files: Iterable<[string, Content]>): string {
  const hash = createHash("sha256");
  for (const [name, content] of files) {
    hash.update(name).update("\0").update(content).update("\0");
  }
  return hash.digest("hex").slice(0, 16);
}
