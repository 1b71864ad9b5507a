import { build, type Rolldown } from "vite";
import { expect, test } from "vitest";
import office from "../vite.admin.config.ts";
import members from "../vite.config.ts";
import { entryBudget } from "./entry-budget.ts";

const FILES: Record<string, string> = {
  "entry.js": 'import { long } from "shared.js"; import("later.js"); console.log(long);',
  "shared.js": `export const long = ${JSON.stringify(random(4000))};`,
  "worker.js": `console.log(${JSON.stringify(random(4000))});`,
  "later.js": `console.log(${JSON.stringify(random(4000))});`,
};

function buildWithin(
  maxBytes: number,
  except: string,
  input: string | string[] = "entry.js",
): Promise<unknown> {
  const files: Rolldown.Plugin = {
    name: "files",
    resolveId: (id) => (id in FILES ? id : null),
    load: (id) => FILES[id] ?? null,
  };
  return build({
    configFile: false,
    logLevel: "silent",
    plugins: [files, entryBudget({ except, maxBytes: maxBytes })],
    build: {
      write: false,
      rolldownOptions: {
        input,
        output: { codeSplitting: { groups: [{ name: "shared", test: /shared/ }] } },
      },
    },
  });
}

test("what is shared and what is fetched later do not count", async () => {
  await expect(buildWithin(2500, "shared")).resolves.toBeDefined();
});

test("a second entry counts unless it is the excepted one", async () => {
  await expect(buildWithin(5000, "worker", ["entry.js", "worker.js"])).resolves.toBeDefined();
  await expect(buildWithin(5000, "nothing", ["entry.js", "worker.js"])).rejects.toThrow("at most");
});

test("an entry that is heavier with what it imports is refused", async () => {
  await expect(buildWithin(2500, "nothing")).rejects.toThrow("of at most 2500");
});

test("both builds have a budget", () => {
  for (const { plugins = [] } of [members, office]) {
    expect(plugins.flat()).toContainEqual(expect.objectContaining({ name: "entry-budget" }));
  }
});

/** Deterministic text that compresses badly. */
function random(length: number): string {
  let state = 7;
  return Array.from({ length }, () => {
    state = (state * 48271) % 2147483647;
    return String.fromCharCode(33 + (state % 90));
  }).join("");
}
