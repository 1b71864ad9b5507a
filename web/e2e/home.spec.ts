import { expect, type Page } from "@playwright/test";
import { test } from "./fixtures.ts";
import { complaintsOf, enterAs, expectNoViolations, newMember, picture } from "./world.ts";

/** The top of the bottom bar, with a margin. */
const FOLD = 676;

const boxOf = async (page: Page, selector: string) => {
  const box = await page.locator(selector).boundingBox();
  expect(box, selector).not.toBeNull();
  return { top: box?.y ?? 0, bottom: (box?.y ?? 0) + (box?.height ?? 0), height: box?.height ?? 0 };
};

test("Home shows the day and the member's card above the bottom bar @once", async ({ page }) => {
  const complaints = complaintsOf(page);
  const { email } = await newMember(page);
  await enterAs(page, email);
  await page.goto("/");
  const today = page.getByRole("region", { name: "Today" });
  await expect(today.getByRole("link", { name: "Start" })).toBeVisible();

  const panels = [
    ...[".greeting", ".today-card", ".doors", ".member-card", ".next-match"],
    ...[".wallet-card", ".ranking-card", ".leader-panel", ".news-panel"],
  ];
  const boxes = await Promise.all(panels.map((part) => boxOf(page, part)));
  const tileHeights = await page
    .locator(".door")
    .evaluateAll((rows) => rows.map((row) => row.getBoundingClientRect().height));

  for (const [index, box] of boxes.slice(1).entries()) {
    expect(box.top).toBeGreaterThanOrEqual(boxes[index]?.bottom ?? 0);
  }
  expect(boxes[3]?.bottom).toBeLessThanOrEqual(FOLD);
  expect(boxes[3]?.height).toBeLessThanOrEqual(132);
  expect(tileHeights).toEqual([56, 56]);
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    await expectNoViolations(page);
    await picture(page, `home-first-view-${colorScheme}`);
  }

  // At most three tiles stand beside the action: one more than a new member has.
  const oneTile = 57;
  expect((boxes[3]?.bottom ?? 0) + oneTile).toBeLessThanOrEqual(FOLD);
  expect(complaints).toEqual([]);
});

test("a toast covers neither the header nor the bottom bar @once", async ({ page }) => {
  const { email } = await newMember(page);
  await enterAs(page, email);
  await page.goto("/posts");
  await expect(page.locator(".toast")).toBeVisible();

  const [header, toast, bar] = await Promise.all(
    ["header.page-header", ".toast", ".bottom-bar"].map((part) => boxOf(page, part)),
  );

  expect(toast?.top).toBeGreaterThanOrEqual(header?.bottom ?? 0);
  expect(toast?.bottom).toBeLessThanOrEqual(bar?.top ?? 0);
});

test("the longest names and figures stay inside the member's card @once", async ({ page }) => {
  const { email } = await newMember(page);
  await enterAs(page, email);
  let badge = "";
  await page.route("**/api/v1/today", async (route) => {
    const answer = await (await route.fetch()).json();
    answer.data.me = { ...answer.data.me, badge, points: 12_345, battlePoints: 61, rankAt: 100 };
    await route.fulfill({ json: answer });
  });

  await page.goto("/");
  for (badge of ["rookie", "super fan", "king of fans"]) {
    await page.evaluate((rank) => {
      const user = JSON.parse(localStorage.getItem("user") ?? "{}");
      const names = { firstName: "Ngozi", lastName: "Ogunbanjo-Nwachukwu" };
      const club = { clubName: "Rangers International", badge: rank };
      localStorage.setItem("user", JSON.stringify({ ...user, ...names, ...club }));
    }, badge);
    await page.goto("/");
    await expect(page.locator(".member-points .numeral")).toHaveText("12,345");
    const [card, points, rank] = await Promise.all(
      [".member-card", ".member-points", ".member-badge"].map((part) =>
        page.locator(part).boundingBox(),
      ),
    );
    const right = (box: typeof card) => (box?.x ?? 0) + (box?.width ?? 0);

    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
    expect(card?.height).toBeLessThanOrEqual(132);
    expect(right(points ?? null)).toBeLessThanOrEqual(right(card ?? null));
    expect(right(rank ?? null)).toBeLessThanOrEqual(right(card ?? null));
    await picture(page, `home-long-names-${badge.replaceAll(" ", "-")}`);
  }
});
