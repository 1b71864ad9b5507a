import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdtemp, readdir, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";

const MAX_BYTES = 250 * 1024;

let folder = "";
let worker = "";
let listed: string[] = [];

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "build-"));
  // The production build of React; the test process has the development build.
  const command = ["node_modules/vite/bin/vite.js", "build", "--outDir", folder, "--emptyOutDir"];
  const env = { ...process.env, NODE_ENV: "production" };
  await promisify(execFile)(process.execPath, command, { env });
  worker = await readFile(path.join(folder, "sw.js"), "utf8");
  listed = JSON.parse(/"files":(\[[^\]]*\])/.exec(worker)?.[1] ?? "[]");
}, 120_000);
afterAll(() => rm(folder, { recursive: true, force: true }));

/** The bytes that the server sends for a file: brotli if the build made one. */
async function bytesOnTheWire(name: string): Promise<number> {
  const file = path.join(folder, name);
  const compressed = await stat(`${file}.br`).catch(() => stat(file));
  return compressed.size;
}

test("everything that Home needs without a network is loaded ahead, each once", async () => {
  const page = await readFile(path.join(folder, "index.html"), "utf8");
  const inPage = [...page.matchAll(/(?:src|href)="(\/[^"]+)"/g)].map((found) => found[1] ?? "");
  const fonts = (await readdir(path.join(folder, "assets"))).filter((name) =>
    name.endsWith(".woff2"),
  );

  expect(inPage.length).toBeGreaterThan(3);
  expect(listed).toEqual(expect.arrayContaining(inPage));
  expect(listed).toEqual(expect.arrayContaining(fonts.map((name) => `/assets/${name}`)));
  expect(listed).toContainEqual(expect.stringMatching(/^\/assets\/dashboard-screen-.+\.js$/));
  expect(listed).toContainEqual(expect.stringMatching(/^\/assets\/keeper-.+\.js$/));
  expect(listed).toContainEqual(expect.stringMatching(/^\/assets\/shell-.+\.css$/));
  expect(listed).toContain("/icons/192.png");
  expect(new Set(listed).size).toBe(listed.length);
});

test("what a listed script imports is listed too", async () => {
  for (const name of listed.filter((each) => each.endsWith(".js"))) {
    const code = await readFile(path.join(folder, name), "utf8");
    for (const [, imported] of code.matchAll(/(?:from|import)\s*["'`]\.\/([^"'`]+)["'`]/g)) {
      expect(listed, `${name} imports it`).toContain(`/assets/${imported}`);
    }
  }
});

test("other screens wait until they are used, and all of it stays within its bound", async () => {
  expect(listed.filter((name) => /chats-screen|battle-screen|inline-/.test(name))).toEqual([]);
  const sizes = await Promise.all([...listed, "/index.html"].map(bytesOnTheWire));
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(MAX_BYTES);
});

test("the page is known by its content, so that no other version's is taken for it", async () => {
  const page = await readFile(path.join(folder, "index.html"));
  const hash = createHash("sha256").update(page).digest("base64");

  expect(worker).toContain(`"pageIntegrity":"sha256-${hash}"`);
  expect(worker).toMatch(/"version":"[0-9a-f]{16}"/);
});

test("the gallery of parts is not built", async () => {
  const names = await readdir(folder, { recursive: true });

  expect(names.filter((name) => /kit|parts/.test(name))).toEqual([]);
});

test("scripts do not import each other in a circle: one of them would run before what it needs", async () => {
  const assets = path.join(folder, "assets");
  const scripts = (await readdir(assets)).filter((name) => name.endsWith(".js"));
  const imports = new Map<string, Set<string>>();
  for (const name of scripts) {
    const code = await readFile(path.join(assets, name), "utf8");
    // An import without bindings is safe in any order.
    const found = [...code.matchAll(/from\s*["'`]\.\/([^"'`]+)["'`]/g)];
    imports.set(name, new Set(found.map(([, imported]) => imported ?? "")));
  }
  const reachedFrom = (name: string) => {
    const reached = new Set(imports.get(name));
    // Iterating a Set includes items added meanwhile.
    for (const each of reached) {
      for (const next of imports.get(each) ?? []) {
        reached.add(next);
      }
    }
    return reached;
  };

  expect(scripts.length).toBeGreaterThan(20);
  expect(scripts.filter((name) => reachedFrom(name).has(name))).toEqual([]);
});
