// Opens every screen of a signed-in member on a slow phone and prints how it moved or answered.
// Arguments as JSON on standard input:
//   {web, browser, base, user, task: "shift" | "tap", paths, rounds, watched_ms}
import { createRequire } from "node:module";
import { text } from "node:stream/consumers";
import { tapRound } from "./taps.mjs";

const SLOW_NETWORK = {
  offline: false,
  latency: 150,
  downloadThroughput: (1.6 * 1024 * 1024) / 8,
  uploadThroughput: (0.75 * 1024 * 1024) / 8,
};
const SLOWER = { shift: 4, tap: 6 };
const PHONE = {
  viewport: { width: 360, height: 740 },
  deviceScaleFactor: 2,
  isMobile: true,
  hasTouch: true,
  locale: "en-NG",
  timezoneId: "Africa/Lagos",
  serviceWorkers: "block",
};

const plan = JSON.parse(await text(process.stdin));
const { chromium } = createRequire(`${plan.web}/package.json`)("@playwright/test");
const browser = await chromium.launch({
  executablePath: plan.browser,
  args: ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--disable-quic"],
});

function watch(user) {
  if (user !== null) localStorage.setItem("user", JSON.stringify(user));
  globalThis.seen = { shifts: [], interactions: [] };
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      if (entry.hadRecentInput) continue;
      const moved = entry.sources.map(({ node, previousRect: from, currentRect: to }) => {
        const element = node?.nodeType === 1 ? node : node?.parentElement;
        const name = element ? `${element.tagName}.${element.className}` : "gone";
        return `${name} ${from.y}+${from.height} > ${to.y}+${to.height}`;
      });
      globalThis.seen.shifts.push({ value: entry.value, at: entry.startTime, moved });
    }
  }).observe({ type: "layout-shift", buffered: true });
  new PerformanceObserver((list) => {
    for (const { interactionId, duration, name } of list.getEntries()) {
      if (interactionId > 0) globalThis.seen.interactions.push({ interactionId, duration, name });
    }
  }).observe({ type: "event", durationThreshold: 16, buffered: true });
}

async function openPhone() {
  const context = await browser.newContext(PHONE);
  const page = await context.newPage();
  const devtools = await context.newCDPSession(page);
  await devtools.send("Network.enable");
  await devtools.send("Network.emulateNetworkConditions", SLOW_NETWORK);
  await devtools.send("Emulation.setCPUThrottlingRate", { rate: SLOWER[plan.task] });
  await page.addInitScript(watch, plan.user);
  return { context, page };
}

async function shiftsOf(page, since) {
  await page.waitForTimeout(plan.watched_ms);
  const shifts = await page.evaluate(() => globalThis.seen.shifts);
  const counted = shifts.filter(({ at }) => at >= since);
  return { sum: counted.reduce((sum, { value }) => sum + value, 0), shifts: counted };
}

/** The screen opened cold by its address, and from Home as a link inside the app opens it. */
async function visitCold(path) {
  const { context, page } = await openPhone();
  await page.goto(plan.base + path, { waitUntil: "commit" });
  const cold = await shiftsOf(page, 0);
  await context.close();
  return { path, how: "cold", ...cold };
}

async function visitFromHome(path) {
  const { context, page } = await openPhone();
  await page.goto(`${plan.base}/`, { waitUntil: "load" });
  await page.getByRole("heading", { name: "Dashboard" }).waitFor();
  await page.waitForTimeout(2000);
  const since = await page.evaluate((address) => {
    history.pushState({ key: "bench", idx: 1 }, "", address);
    dispatchEvent(new PopStateEvent("popstate", { state: history.state }));
    return performance.now();
  }, path);
  const opened = await shiftsOf(page, since);
  await context.close();
  return { path, how: "from home", ...opened };
}

const found = [];
for (let round = 0; round < plan.rounds; round += 1) {
  if (plan.task === "tap") {
    const { context, page } = await openPhone();
    found.push(...(await tapRound(page, plan.base)));
    await context.close();
    continue;
  }
  for (const path of plan.paths) {
    found.push(await visitCold(path), await visitFromHome(path));
  }
}
await browser.close();
console.log(JSON.stringify(found));
