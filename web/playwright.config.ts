import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { defineConfig } from "@playwright/test";
import { findChromium } from "./e2e/chromium.ts";
import { freePort } from "./e2e/free-port.ts";

const PYTHON = process.env["PYTHON"] ?? "python3";
const START_TIMEOUT_MS = 240_000;

// One port and one data folder per run: the workers inherit their names, and the process that
// created the folder removes it.
process.env["E2E_PORT"] ??= String(await freePort());
const PORT = process.env["E2E_PORT"];
if (process.env["E2E_VAR_DIR"] === undefined) {
  const folder = mkdtempSync(path.join(tmpdir(), "fans-e2e-"));
  chmodSync(folder, 0o711); // as root, the database's account has to pass
  process.env["E2E_VAR_DIR"] = folder;
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
}
const varDir = process.env["E2E_VAR_DIR"];

const executablePath = findChromium();

export default defineConfig({
  testDir: "e2e",
  outputDir: "test-results",
  reporter: [["list"]],
  workers: 2,
  // Only failures are written there.
  timeout: 600_000,
  expect: { timeout: 60_000 },
  use: {
    baseURL: `http://127.0.0.1:${PORT}`,
    locale: "en-NG",
    timezoneId: "Africa/Lagos",
    serviceWorkers: "block",
    trace: "off",
    screenshot: "only-on-failure",
    contextOptions: { reducedMotion: "reduce" },
    launchOptions: {
      ...(executablePath ? { executablePath } : {}),
      args: [
        "--no-sandbox",
        "--disable-gpu",
        "--disable-dev-shm-usage",
        "--disable-quic",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
        "--font-render-hinting=none",
        "--force-color-profile=srgb",
      ],
    },
  },
  projects: [
    {
      name: "phone",
      use: {
        viewport: { width: 360, height: 740 },
        isMobile: true,
        hasTouch: true,
        deviceScaleFactor: 2,
      },
    },
    // Between phone and desktop only tests that depend on the width run.
    {
      name: "tablet",
      grep: /scrolls sideways|on every width/,
      use: { viewport: { width: 820, height: 1180 } },
    },
    {
      name: "desktop",
      grepInvert: /@once|@drawer/,
      use: { viewport: { width: 1366, height: 768 } },
    },
  ],
  webServer: {
    command: `${PYTHON} ../run.py start`,
    url: `http://127.0.0.1:${PORT}/readyz`,
    env: { PORT, VAR_DIR: varDir, APP_ENV: "development" },
    timeout: START_TIMEOUT_MS,
    reuseExistingServer: false,
    stdout: "ignore",
    stderr: "pipe",
    gracefulShutdown: { signal: "SIGTERM", timeout: 20_000 },
  },
});
