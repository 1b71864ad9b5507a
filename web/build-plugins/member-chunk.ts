import { fileURLToPath } from "node:url";

/** What the bundler tells about a module. */
interface Modules {
  getModuleInfo: (id: string) => { importedIds: readonly string[] } | null;
}

const ENTRY = fileURLToPath(new URL("../src/main.tsx", import.meta.url));
const SHARED_BY_MEMBERS =
  /src[\\/](?:components|lib|api)[\\/]|src[\\/]app[\\/](?:shell|member-scope|query-client|opening-bar|last-data[\\/]last-data)|src[\\/]features[\\/]shop[\\/]cart-context|node_modules[\\/](?:lucide-react|@tanstack)[\\/]/;

let neededAtOnce: Set<string> | null = null;

/**
 * Name the chunk of a module: `first` for what the first screen needs, `shell` for all small parts
 * that members' screens share, null for the rest.
 *
 * Without it every shared icon becomes a file of its own, and each file costs a round trip on a
 * slow connection.
 */
export function memberChunk(id: string, modules: Modules): string | null {
  neededAtOnce ??= staticImports(ENTRY, modules);
  if (neededAtOnce.has(id)) {
    return "first";
  }
  return SHARED_BY_MEMBERS.test(id) ? "shell" : null;
}

function staticImports(entry: string, modules: Modules): Set<string> {
  const found = new Set([entry]);
  for (const id of found) {
    for (const imported of modules.getModuleInfo(id)?.importedIds ?? []) {
      found.add(imported);
    }
  }
  return found;
}
