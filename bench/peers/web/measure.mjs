// Opens each page in turn in a fresh browser context and prints what it loaded and how it felt.
// Arguments as JSON on standard input: {web, browser, pages: [{name, url}], rounds, slow}.
import { createRequire } from "node:module";
import { text } from "node:stream/consumers";

const SLOW_NETWORK = {
  offline: false,
  latency: 150,
  downloadThroughput: (1.6 * 1024 * 1024) / 8,
  uploadThroughput: (750 * 1024) / 8,
};
const SLOW_PROCESSOR = { rate: 4 };
const QUIET_MS = 1500;
const PHONE = { viewport: { width: 360, height: 740 }, deviceScaleFactor: 2, isMobile: true };

const plan = JSON.parse(await text(process.stdin));
const { chromium } = createRequire(`${plan.web}/package.json`)("@playwright/test");
const browser = await chromium.launch({
  executablePath: plan.browser,
  args: ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--disable-quic"],
});

function watch() {
  globalThis.seen = { lcp: 0, cls: 0, tasks: [], fcp: 0 };
  const observe = (type, note) =>
    new PerformanceObserver((list) => list.getEntries().forEach(note)).observe({
      type,
      buffered: true,
    });
  observe("largest-contentful-paint", (entry) => {
    globalThis.seen.lcp = entry.startTime;
  });
  observe("layout-shift", (entry) => {
    if (!entry.hadRecentInput) globalThis.seen.cls += entry.value;
  });
  observe("longtask", (entry) => globalThis.seen.tasks.push([entry.startTime, entry.duration]));
  observe("paint", (entry) => {
    if (entry.name === "first-contentful-paint") globalThis.seen.fcp = entry.startTime;
  });
}

async function visit({ name, url, role, shown }) {
  const context = await browser.newContext(PHONE);
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  await session.send("Network.enable");
  if (plan.slow) {
    await session.send("Network.emulateNetworkConditions", SLOW_NETWORK);
    await session.send("Emulation.setCPUThrottlingRate", SLOW_PROCESSOR);
  }
  await page.addInitScript(watch);
  await page.goto(url, { waitUntil: "load" });
  await page.getByRole(role, { name: shown }).first().waitFor();
  const resources = await page.evaluate(() =>
    performance.getEntriesByType("resource").map((entry) => new URL(entry.name).pathname),
  );
  await page.waitForTimeout(QUIET_MS);
  const seen = await page.evaluate(() => globalThis.seen);
  await context.close();
  const blocking = seen.tasks
    .filter(([start]) => start >= seen.fcp)
    .reduce((total, [, duration]) => total + Math.max(0, duration - 50), 0);
  return { name, resources, lcp_ms: seen.lcp, tbt_ms: blocking, cls: seen.cls };
}

const visits = [];
for (let round = 0; round < plan.rounds; round += 1) {
  for (const page of plan.pages) visits.push(await visit(page));
}
await browser.close();
console.log(JSON.stringify(visits));
