import { defineConfig, mergeConfig } from "vitest/config";
import viteConfig from "./vite.config.ts";

const NEEDS_A_DOCUMENT = ["{src,admin}/**/*.test.tsx", "{src,admin}/**/*.dom.test.ts"];

export default mergeConfig(
  viteConfig,
  defineConfig({
    test: {
      restoreMocks: true,
      server: { deps: { inline: ["@paystack/inline-js"] } },
      testTimeout: 40_000,
      maxWorkers: 2, // the library leaves one processor to itself, which on two is half of them
      projects: [
        {
          extends: true,
          test: {
            name: "rules",
            include: ["{src,admin,build-plugins,scripts,worker}/**/*.test.ts"],
            exclude: NEEDS_A_DOCUMENT,
          },
        },
        {
          extends: true,
          test: {
            name: "screens",
            include: NEEDS_A_DOCUMENT,
            environment: "jsdom", // a second a file
            environmentOptions: { jsdom: { url: "http://localhost:3000/" } },
            setupFiles: ["src/test/setup.ts"],
          },
        },
      ],
    },
  }),
);
