// Opens the dashboard twice on one phone, first without and then with the worker, and prints what
// the network brought. Arguments as JSON on standard input: {web, browser, base, user, rounds}
import { createRequire } from "node:module";
import { text } from "node:stream/consumers";

const WATCHED_MS = 3500;
const WORKER_WITHIN_MS = 60_000;
const PHONE = { viewport: { width: 360, height: 740 }, deviceScaleFactor: 2, isMobile: true };

const plan = JSON.parse(await text(process.stdin));
const { chromium } = createRequire(`${plan.web}/package.json`)("@playwright/test");
const browser = await chromium.launch({
  executablePath: plan.browser,
  args: ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--disable-quic"],
});

async function visit(context, how) {
  const page = await context.newPage();
  const devtools = await context.newCDPSession(page);
  const addresses = new Map();
  const loaded = [];
  devtools.on("Network.requestWillBeSent", ({ requestId, request }) => {
    addresses.set(requestId, new URL(request.url).pathname);
  });
  devtools.on("Network.loadingFinished", ({ requestId, encodedDataLength }) => {
    loaded.push({ path: addresses.get(requestId) ?? "", bytes: encodedDataLength });
  });
  await devtools.send("Network.enable");
  await page.goto(plan.base, { waitUntil: "commit" });
  await page.waitForTimeout(WATCHED_MS);
  const inTime = [...loaded];
  const isServed = await page.evaluate(() => navigator.serviceWorker.controller !== null);
  await page.getByRole("heading", { level: 1, name: "Dashboard" }).waitFor();
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null, null, {
    timeout: WORKER_WITHIN_MS,
  });
  await page.close();
  return { how, is_served: isServed, loaded: inTime };
}

const visits = [];
for (let round = 0; round < plan.rounds; round += 1) {
  const context = await browser.newContext(PHONE);
  await context.addInitScript((user) => {
    localStorage.setItem("user", JSON.stringify(user));
  }, plan.user);
  visits.push(await visit(context, "first"), await visit(context, "returning"));
  await context.close();
}
await browser.close();
console.log(JSON.stringify(visits));
