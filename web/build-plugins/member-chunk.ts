import { fileURLToPath } from "node:url";

/** What the bundler tells about a module. */
interface Modules {
  getModuleInfo: (id: string) => {
    code: string | null;
    importedIds: readonly string[];
    dynamicallyImportedIds: readonly string[];
  } | null;
}

const ENTRY = fileURLToPath(new URL("../src/main.tsx", import.meta.url));
const SHARED_BY_MEMBERS =
  /src[\\/](?:components|lib|api)[\\/]|src[\\/]app[\\/](?:shell|member-scope|query-client)|src[\\/]features[\\/]shop[\\/]cart-context|node_modules[\\/](?:lucide-react|@tanstack)[\\/]/;

/** What every member opens first. */
const OPENED_FIRST =
  /src[\\/](?:app[\\/](?:shell|member-scope|query-client)|pages[\\/]dashboard-page)/;

/** The library of icons: one file names them all, each of a file of its own. */
const ALL_ICONS = /node_modules[\\/]lucide-react[\\/]dist[\\/]esm[\\/]lucide-react\.mjs$/;
const IMPORTED_ICONS = /import\s*\{([^}]*)\}\s*from\s*["']lucide-react["']/g;
const NAMED_ICONS = /export \{([^}]*)\} from '\.\/(icons\/[^']+)'/g;

type Name = "first" | "shell" | "screens";

let chunks: [Name, Set<string>][] | null = null;

/**
 * Name the chunk of a module: `first` for what the first screen needs, `shell` for the shell and
 * Home, `screens` for the small parts that other screens share; null for the rest.
 *
 * Without it every shared icon becomes a file of its own, and each file costs a round trip on a
 * slow connection. What a chunk imports is part of it or of one before it: with two chunks that
 * import each other, one runs before the other's values are there.
 */
export function memberChunk(id: string, modules: Modules): Name | null {
  chunks ??= divide(modules);
  return chunks.find(([, ids]) => ids.has(id))?.[0] ?? null;
}

function divide(modules: Modules): [Name, Set<string>][] {
  const codeOf = (id: string) => modules.getModuleInfo(id)?.code ?? "";
  const all = (id: string) => modules.getModuleInfo(id)?.importedIds ?? [];
  const importsOf = (id: string) =>
    all(id).flatMap((each) =>
      ALL_ICONS.test(each) ? iconsOf(codeOf(id), codeOf(each), all(each)) : each,
    );
  const laterOf = (id: string) => modules.getModuleInfo(id)?.dynamicallyImportedIds ?? [];
  const everything = [...reach([ENTRY], (id) => [...importsOf(id), ...laterOf(id)])];
  // What begins a chunk of its own is fetched under its own name.
  const begins = new Set(everything.flatMap(laterOf));
  const shared = everything.filter((id) => SHARED_BY_MEMBERS.test(id) && !begins.has(id));
  const opened = reach(
    everything.filter((id) => OPENED_FIRST.test(id)),
    importsOf,
  );
  return [
    ["first", reach([ENTRY], importsOf)],
    ["shell", new Set([...opened].filter((id) => !begins.has(id)))],
    ["screens", reach(shared, importsOf)],
  ];
}

/** The files of the icons that a module names, instead of the file that names them all. */
function iconsOf(code: string, library: string, files: readonly string[]): string[] {
  const fileOf = new Map(
    [...library.matchAll(NAMED_ICONS)].flatMap(([, names = "", file = ""]) =>
      [...names.matchAll(/default as (\w+)/g)].map(([, name = ""]) => [name, file] as const),
    ),
  );
  const named = [...code.matchAll(IMPORTED_ICONS)].flatMap(([, names = ""]) =>
    names.split(",").map((name) => name.trim().split(/\s+as\s+/)[0] ?? ""),
  );
  return named.flatMap((name) => {
    const file = fileOf.get(name);
    return file === undefined ? [] : files.filter((id) => id.replaceAll("\\", "/").endsWith(file));
  });
}

function reach(from: Iterable<string>, next: (id: string) => readonly string[]): Set<string> {
  const found = new Set(from);
  for (const id of found) {
    for (const each of next(id)) {
      found.add(each);
    }
  }
  return found;
}
