import { fileURLToPath } from "node:url";

/** What the bundler tells about a module. */
interface Modules {
  getModuleInfo: (
    id: string,
  ) => { importedIds: readonly string[]; dynamicallyImportedIds: readonly string[] } | null;
}

const ENTRY = fileURLToPath(new URL("../src/main.tsx", import.meta.url));
const SHARED_BY_MEMBERS =
  /src[\\/](?:components|lib|api)[\\/]|src[\\/]app[\\/](?:shell|member-scope|query-client)|src[\\/]features[\\/]shop[\\/]cart-context|node_modules[\\/](?:lucide-react|@tanstack)[\\/]/;

let chunks: { first: Set<string>; shell: Set<string> } | null = null;

/**
 * Name the chunk of a module: `first` for what the first screen needs, `shell` for all small parts
 * that members' screens share, null for the rest.
 *
 * Without it every shared icon becomes a file of its own, and each file costs a round trip on a
 * slow connection. What the shell imports is part of it: with two chunks that import each other,
 * one runs before the other's values are there.
 */
export function memberChunk(id: string, modules: Modules): string | null {
  chunks ??= divide(modules);
  if (chunks.first.has(id)) {
    return "first";
  }
  return chunks.shell.has(id) ? "shell" : null;
}

function divide(modules: Modules) {
  const importsOf = (id: string) => modules.getModuleInfo(id)?.importedIds ?? [];
  const laterOf = (id: string) => modules.getModuleInfo(id)?.dynamicallyImportedIds ?? [];
  const everything = reach([ENTRY], (id) => [...importsOf(id), ...laterOf(id)]);
  // What begins a chunk of its own is fetched under its own name.
  const begins = new Set([...everything].flatMap(laterOf));
  const shared = [...everything].filter((id) => SHARED_BY_MEMBERS.test(id) && !begins.has(id));
  return { first: reach([ENTRY], importsOf), shell: reach(shared, importsOf) };
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
