import { expect, type Page, type Route } from "@playwright/test";
import { test } from "./fixtures.ts";
import { firstOfEach, SHELL_SCREENS } from "./screens.ts";
import { drawn, enterAs, newMember, untilDrawn } from "./world.ts";

/** Contract N-13, the sum of all shifts while a screen opens. */
const MAX_SHIFT = 0.05;

/** One wrong screen does not hide the next. */
const softly = expect.configure({ soft: true });

interface HeldCall {
  path: string;
  answer: () => Promise<void>;
}

/** The calls of a page: each one is held until it is answered. */
class HeldCalls {
  /** In the order in which they arrived; null while calls are answered at once. */
  private waiting: HeldCall[] | null = null;
  /** Every path that the screen has asked for. */
  paths = new Set<string>();
  private readonly page: Page;

  constructor(page: Page) {
    this.page = page;
  }

  async start(): Promise<void> {
    await this.page.route("**/api/v1/**", async (route) => {
      await (route.request().method() === "GET" ? this.hold(route) : route.continue());
    });
  }

  /** Open a screen, and wait until it has sent its first calls. */
  async open(address: string): Promise<void> {
    this.waiting = [];
    this.paths = new Set();
    await this.page.goto(address, { waitUntil: "commit" });
    await this.page.locator("main > *").first().waitFor({ state: "attached" });
    await this.untilQuiet();
  }

  /** Answer the calls one after the other, the last one first; those that the answers cause, too. */
  async answerInReverse(): Promise<void> {
    for (let call = this.waiting?.pop(); call !== undefined; call = this.waiting?.pop()) {
      await call.answer();
      await drawn(this.page);
    }
    this.waiting = null;
  }

  /** Answer all calls at once, and those to this path after them. */
  async answerLast(path: string): Promise<void> {
    const others = (call: HeldCall) => call.path !== path;
    for (let calls = this.take(others); calls.length > 0; calls = this.take(others)) {
      await Promise.all(calls.map((call) => call.answer()));
      await this.untilQuiet();
    }
    await this.answerInReverse();
  }

  private take(isTaken: (call: HeldCall) => boolean): HeldCall[] {
    const calls = (this.waiting ?? []).filter(isTaken);
    this.waiting = (this.waiting ?? []).filter((call) => !calls.includes(call));
    return calls;
  }

  private async hold(route: Route): Promise<void> {
    const path = new URL(route.request().url()).pathname;
    this.paths.add(path);
    const response = route.fetch();
    const answer = async () => {
      try {
        await route.fulfill({ response: await response });
      } catch {
        // The page that asked has been left.
      }
    };
    await (this.waiting === null ? answer() : this.waiting.push({ path, answer }));
  }

  /** Two frames in which no further call arrives. */
  private async untilQuiet(): Promise<void> {
    for (let before = -1; before !== this.waiting?.length; ) {
      before = this.waiting?.length ?? -1;
      await drawn(this.page);
    }
  }
}

/** Measure the shifts of every page from its start. */
async function measureShifts(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const shifts: [number, string[]][] = [];
    Object.assign(window, { shifts });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as unknown as LayoutShift[]) {
        if (!entry.hadRecentInput) {
          const moved = entry.sources.map(({ node, previousRect, currentRect }) => {
            const element = node instanceof Element ? node : node?.parentElement;
            const name = element?.outerHTML.slice(0, 60) ?? "nothing";
            return `${name} ${Math.round(previousRect.y)}+${Math.round(previousRect.height)} -> ${Math.round(currentRect.y)}+${Math.round(currentRect.height)}`;
          });
          shifts.push([entry.value, moved]);
        }
      }
    }).observe({ type: "layout-shift", buffered: true });
  });
}

interface LayoutShift {
  value: number;
  hadRecentInput: boolean;
  sources: { node: Node | null; previousRect: DOMRect; currentRect: DOMRect }[];
}

/** The sum of the shifts, and what moved. */
async function shiftsOf(page: Page): Promise<{ sum: number; moved: string[] }> {
  await untilDrawn(page);
  await drawn(page);
  const shifts = await page.evaluate(
    () => (window as unknown as { shifts: [number, string[]][] }).shifts,
  );
  const sum = shifts.reduce((total, [value]) => total + value, 0);
  return { sum, moved: shifts.map(([value, moved]) => `${value.toFixed(3)}: ${moved.join(", ")}`) };
}

/** Sign in as a member with an order and a cart, and hold the calls of all further screens. */
async function holdCalls(page: Page): Promise<[HeldCalls, Record<string, string>]> {
  const { email } = await newMember(page);
  await enterAs(page, email);
  await page.goto("/products");
  await page.getByRole("button", { name: "Add to cart: Club Scarf" }).first().click();
  const first = await firstOfEach(page);
  await measureShifts(page);
  const calls = new HeldCalls(page);
  await calls.start();
  return [calls, first];
}

/** Expect that the open screen has moved no further than it may. */
async function expectStill(page: Page, name: string): Promise<void> {
  const { sum, moved } = await shiftsOf(page);
  softly(sum, `${name}\n${moved.join("\n")}`).toBeLessThanOrEqual(MAX_SHIFT);
}

/** Open a screen once for the reverse order, then once for each of its own calls. */
async function checkScreen(page: Page, calls: HeldCalls, address: string, ofShell: Set<string>) {
  await calls.open(address);
  await calls.answerInReverse();
  await expectStill(page, `${address}, answered in reverse`);
  const own = [...calls.paths].filter((path) => !ofShell.has(path));
  // A single one is already the first to be answered, and nothing else of the screen is to come.
  for (const path of own.length > 1 ? own : []) {
    await calls.open(address);
    await calls.answerLast(path);
    await expectStill(page, `${address}, ${path} last`);
  }
}

const MIDDLE = SHELL_SCREENS.length / 2;
for (const [which, screens] of [
  ["first", SHELL_SCREENS.slice(0, MIDDLE)],
  ["other", SHELL_SCREENS.slice(MIDDLE)],
] as const) {
  test(`none of the ${which} screens moves, whichever call is answered last`, async ({ page }) => {
    const [calls, first] = await holdCalls(page);
    await calls.open("/backups");
    await calls.answerInReverse();
    await untilDrawn(page);
    const ofShell = calls.paths;
    for (const [pattern] of screens) {
      const address = pattern.replace(/:\w+/, (word) => first[word] ?? word);
      await test.step(pattern, () => checkScreen(page, calls, address, ofShell));
    }
  });
}
