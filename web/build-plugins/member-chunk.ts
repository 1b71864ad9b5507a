import { fileURLToPath } from "node:url";

/** The bundler's information about a module. */
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

/** The screens that every member opens first. */
const OPENED_FIRST =
  /src[\\/]app[\\/](?:shell|member-scope|query-client|screens[\\/]dashboard-screen)/;

/** The icon library: an index module, and one module per icon. */
const ALL_ICONS = /node_modules[\\/]lucide-react[\\/]dist[\\/]esm[\\/]lucide-react\.mjs$/;
const IMPORTED_ICONS = /import\s*\{([^}]*)\}\s*from\s*["']lucide-react["']/g;
const NAMED_ICONS = /export \{([^}]*)\} from '\.\/(icons\/[^']+)'/g;

type Name = "first" | "shell" | "screens";

let chunks: [Name, Set<string>][] | null = null;

/**
 * Return the chunk of a module: `first` for what the first screen needs, `shell` for the shell and
 * Home, `screens` for small modules shared by other screens; null for the rest.
 *
 * Without it every shared icon becomes a separate file, which costs a round trip on a slow
 * connection. The imports of a chunk belong to it or to an earlier one: of two chunks that import
 * each other, one runs before the other's values exist.
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
  // A dynamic entry keeps the chunk named after it.
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

/** The modules of the icons that a module imports, instead of the index module. */
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
