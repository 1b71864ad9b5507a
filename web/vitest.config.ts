import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { defineConfig, mergeConfig } from "vitest/config";
import viteConfig from "./vite.config.ts";

const NEEDS_A_DOCUMENT = ["{src,admin}/**/*.test.tsx", "{src,admin}/**/*.dom.test.ts"];
const REPLACES_MODULES = ["src", "admin"]
  .flatMap((folder) =>
    readdirSync(path.join(import.meta.dirname, folder), { recursive: true, encoding: "utf8" })
      .filter((name) => /(\.test\.tsx|\.dom\.test\.ts)$/.test(name))
      .map((name) => path.posix.join(folder, name)),
  )
  .filter((name) =>
    readFileSync(path.join(import.meta.dirname, name), "utf8").includes("vi.mock("),
  );

const COSTS = "src/test/costs.ts";

const screens = {
  environment: "jsdom", // one second per file
  environmentOptions: { jsdom: { url: "http://localhost:3000/" } },
  setupFiles: [COSTS, "src/test/setup.ts"],
};

export default mergeConfig(
  viteConfig,
  defineConfig({
    test: {
      restoreMocks: true,
      server: { deps: { inline: ["@paystack/inline-js"] } },
      testTimeout: 300_000, // for four waits, on a busy machine
      expect: { poll: { timeout: 30_000 } },
      maxWorkers: 2, // the library leaves one processor free, which on two is half of them
      projects: [
        {
          extends: true,
          test: {
            name: "rules",
            setupFiles: [COSTS],
            include: ["{src,admin,build-plugins,scripts,visitor,worker}/**/*.test.ts"],
            exclude: NEEDS_A_DOCUMENT,
          },
        },
        {
          extends: true,
          test: {
            ...screens,
            name: "screens",
            include: NEEDS_A_DOCUMENT,
            exclude: REPLACES_MODULES,
            isolate: false, // loading the same modules for each file is half of the work
          },
        },
        {
          extends: true,
          test: {
            ...screens,
            name: "screens with replaced modules", // these need a process of their own
            include: REPLACES_MODULES,
          },
        },
      ],
    },
  }),
);
