import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect } from "@playwright/test";
import { createServer, type ViteDevServer } from "vite";
import { test } from "./fixtures.ts";
import { freePort } from "./free-port.ts";
import { complaintsOf, expectNoSidewaysScroll, expectNoViolations } from "./world.ts";

const WIDTHS = [360, 820, 1366];

let gallery = "";
let server: ViteDevServer;
const cacheDir = mkdtempSync(path.join(tmpdir(), "fans-kit-"));

// The gallery is not part of the build: only the development server serves it.
test.beforeAll(async () => {
  const port = await freePort();
  server = await createServer({ cacheDir, server: { port, watch: null }, logLevel: "error" });
  await server.listen();
  gallery = `http://127.0.0.1:${port}/kit/?parts`;
});
test.afterAll(async () => {
  await server.close();
  rmSync(cacheDir, { recursive: true, force: true });
});

for (const colorScheme of ["light", "dark"] as const) {
  test(`every part is accessible and fits every width, ${colorScheme} @once`, async ({ page }) => {
    const complaints = complaintsOf(page);
    await page.emulateMedia({ colorScheme });
    await page.goto(gallery);
    await expect(page.getByRole("region", { name: "Dialogs and toasts" })).toBeVisible();
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 740 });
      await expectNoSidewaysScroll(page);
    }
    await page.setViewportSize({ width: 360, height: 740 });
    await expectNoViolations(page);

    await page.getByRole("button", { name: "Dialog: form" }).click();
    await expect(page.getByRole("dialog", { name: "A dialog" })).toBeVisible();
    await expectNoViolations(page);
    expect(complaints).toEqual([]);
  });
}
