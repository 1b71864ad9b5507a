import { defineConfig, mergeConfig } from "vitest/config";
import viteConfig from "./vite.config.ts";

export default mergeConfig(
  viteConfig,
  defineConfig({
    test: {
      environment: "jsdom",
      environmentOptions: { jsdom: { url: "http://localhost:3000/" } },
      setupFiles: ["src/test/setup.ts"],
      include: ["src/**/*.test.{ts,tsx}", "{build-plugins,scripts,worker}/**/*.test.ts"],
      restoreMocks: true,
      server: { deps: { inline: ["@paystack/inline-js"] } },
      testTimeout: 40_000,
      maxWorkers: 2, // the library leaves one processor to itself, which on two is half of them
    },
  }),
);
