const SETTLED_MS = 700;

/** What a member taps in a minute, screen by screen: each with its name and how it is done. */
const STEPS = [
  ["/", "fund: open", (page) => page.getByRole("button", { name: "Fund Wallet" }).first().tap()],
  ["/", "fund: type", (page) => page.getByRole("dialog").getByRole("textbox").pressSequentially("2500")],
  ["/", "fund: close", (page) => page.getByRole("button", { name: "Close dialog" }).tap()],
  ["/", "fund: discard", (page) => page.getByRole("button", { name: "Discard" }).tap()],
  ["/", "menu: open", (page) => page.getByRole("button", { name: "Open menu" }).tap()],
  ["/", "menu: close", (page) => page.getByRole("button", { name: "Close menu" }).tap()],
  ...["Matches", "Battle", "Chats", "Shop", "Home"].map((name) => [
    null,
    `bar: ${name}`,
    (page) => page.getByRole("navigation", { name: "Shortcuts" }).getByText(name).tap(),
  ]),
  ["/products", "shop: add to cart", (page) => page.locator(".product-grid .product-card button").first().tap()],
  ["/leaderboard", "board: Week", (page) => page.getByText("Week", { exact: true }).tap()],
  ["/leaderboard", "board: All clubs", (page) => page.getByText("All clubs", { exact: true }).tap()],
  ["/chats", "chat: type", (page) => page.getByRole("textbox", { name: /^Message to/ }).pressSequentially("Up")],
  ["/chats", "chat: send", (page) => page.getByRole("button", { name: "Send" }).tap()],
  ["/chats", "chat: tab", (page) => page.getByRole("tab").nth(1).tap()],
  ["/calendar", "matches: Results", (page) => page.getByText("Results", { exact: true }).tap()],
  ["/calendar", "matches: Table", (page) => page.getByText("Table", { exact: true }).tap()],
  ["/predictions", "prediction: one more", (page) => page.getByRole("button", { name: /^One more/ }).first().tap()],
  ["/trivia-questions", "quest: choose", (page) => page.locator(".option").first().tap()],
  ["/trivia-questions", "quest: Next", (page) => page.getByRole("button", { name: "Next" }).tap()],
];

/** Tap through all steps once; returns the worst interaction of each, in milliseconds. */
export async function tapRound(page, base) {
  const found = [];
  let at = null;
  for (const [path, name, tap] of STEPS) {
    if (path !== null && path !== at) {
      await page.goto(base + path, { waitUntil: "load" });
      await page.locator(".shell main").waitFor();
      await page.locator(".skeleton:visible, .spinner:visible").first().waitFor({ state: "hidden" });
      await page.waitForTimeout(3000);
    }
    at = path ?? at;
    await page.evaluate(() => {
      globalThis.seen.interactions = [];
    });
    await tap(page);
    await page.waitForTimeout(SETTLED_MS);
    const worst = await page.evaluate(() =>
      Math.max(0, ...globalThis.seen.interactions.map(({ duration }) => duration)),
    );
    found.push({ name, worst_ms: worst });
  }
  return found;
}
