import { type BrowserContext, expect, type Locator, type Page } from "@playwright/test";
import { type Clip, clipOf, hugePicture, recordedClip } from "./clips.ts";
import { test } from "./fixtures.ts";
import {
  complaintsOf,
  enterAs,
  expectNoSidewaysScroll,
  expectNoViolations,
  picture,
  tabTo,
} from "./world.ts";

const MAX_VIDEO_BYTES = 4_194_304;
const SLOW_BYTES_PER_SECOND = 300_000;

/** Check a screen for accessibility, in dark mode on the phone and light mode on the desktop. */
async function expectAccessible(page: Page): Promise<void> {
  const project = test.info().project.name;
  if (project !== "tablet") {
    const colorScheme = project === "phone" ? "dark" : "light";
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    await expectNoViolations(page);
  }
}

/** Throttle uploads, as on a phone with a weak signal; returns a function that lifts the limit. */
async function slowUploads(context: BrowserContext, page: Page): Promise<() => Promise<void>> {
  const session = await context.newCDPSession(page);
  await session.send("Network.enable");
  await session.send("Network.emulateNetworkConditions", {
    offline: false,
    latency: 0,
    downloadThroughput: -1,
    uploadThroughput: SLOW_BYTES_PER_SECOND,
  });
  return () => session.detach();
}

async function openDialog(page: Page): Promise<Locator> {
  await page.getByRole("button", { name: "Upload Content" }).first().click();
  return page.getByRole("dialog", { name: "Post Your Moment." });
}

async function pickVideo(dialog: Locator, clip: Clip): Promise<void> {
  await dialog.locator('[data-field="video"] input').setInputFiles(clip);
}

async function pickPicture(dialog: Locator, clip: Clip): Promise<void> {
  await dialog.locator('[data-field="thumbnail"] input').setInputFiles(clip);
}

async function takeThumbnail(dialog: Locator): Promise<void> {
  await dialog.getByRole("button", { name: "From the video" }).click();
  await expect(dialog.getByAltText("The thumbnail you picked")).toBeVisible();
}

/** The video is playing: its time advances. */
async function expectToPlay(player: Locator): Promise<void> {
  const seconds = () =>
    player.locator("video").evaluate((video: HTMLVideoElement) => video.currentTime);
  await expect.poll(seconds).toBeGreaterThan(0.2);
}

/** Open a moment's link, watch it without an account, and close the link again. */
async function openToAnyone(page: Page, title: string): Promise<void> {
  const card = page.getByRole("article", { name: title });
  await card.getByRole("button", { name: /^Share by link/ }).click();
  const dialog = page.getByRole("dialog", { name: title });
  const choice = dialog.getByRole("switch", { name: "Anyone with the link" });
  await expectAccessible(page);
  await choice.click();
  const link = await dialog.getByText(/\/v\/[0-9a-f-]{36}$/).innerText();
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);
  await picture(page, "66-moment-link");
  const address = new URL(link).pathname.replace("/v/", "/api/v1/public/moments/");
  const read = () => page.request.get(address);
  expect((await (await read()).json()).data.title).toBe(title);

  await choice.click();
  await expect(dialog.getByRole("button", { name: "Copy link" })).toHaveCount(0);
  await expect.poll(async () => (await read()).status()).toBe(404);
  await page.keyboard.press("Escape");
  await expect(dialog).toHaveCount(0);
}

test("record a goal, post it, watch it and remove it", async ({ page }) => {
  const complaints = complaintsOf(page);
  const videos: string[] = [];
  page.on("request", (request) => {
    if (/\/media\/moments\/.*\.(webm|mp4)/.test(request.url())) {
      videos.push(request.url());
    }
  });
  const project = test.info().project.name;
  // An earlier run of this test may have left its post.
  const title = `The goal of the ${project}, ${crypto.randomUUID().slice(0, 8)}`;
  await enterAs(page, project === "desktop" ? "bello@example.com" : "ada@example.com");
  await page.goto("/posts");
  await expect(page.getByText("Your content has been fetched successfully.")).toBeVisible();
  await picture(page, "60-posts");

  const dialog = await openDialog(page);
  await dialog.getByLabel("Title").fill(title);
  await dialog.getByLabel("Content").fill("Ninetieth minute.\nThe whole terrace came down.");
  await pickVideo(dialog, await recordedClip(page));
  await takeThumbnail(dialog);
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);
  await picture(page, "61-post-your-moment");
  await dialog.getByRole("button", { name: "Upload", exact: true }).click();

  await expect(page.getByText("Your moment has been uploaded successfully.")).toBeVisible();
  await expect(dialog).toHaveCount(0);
  const card = page.getByRole("article", { name: title });
  const poster = card.locator("img");
  await expect
    .poll(() => poster.evaluate((image: HTMLImageElement) => image.naturalWidth))
    .toBeGreaterThan(0);
  expect(videos, "no video is loaded before it is asked for").toEqual([]);
  await expectNoSidewaysScroll(page);
  await expectAccessible(page);
  await picture(page, "62-moments");

  await openToAnyone(page, title);

  await tabTo(page, "button", `Play: ${title}`);
  await page.keyboard.press("Enter");
  const player = page.getByRole("dialog", { name: title });
  await expectToPlay(player);
  await expect(player.getByText("The whole terrace came down.")).toBeVisible();
  await expectAccessible(page);
  await picture(page, "63-player");
  await page.keyboard.press("Escape");
  await expect(player).toHaveCount(0);
  await expect(page.getByRole("button", { name: `Play: ${title}` })).toBeFocused();

  await card.getByRole("button", { name: /^Remove/ }).click();
  const question = page.getByRole("dialog", { name: "Remove this post?" });
  await picture(page, "64-remove");
  await question.getByRole("button", { name: "Remove" }).click();
  await expect(card).toHaveCount(0);
  await expect(question).toHaveCount(0);
  expect(complaints).toEqual([]);
});

test("four megabytes pass and one byte more does not; an upload is cancelled and sent again @once", async ({
  page,
  context,
}) => {
  await enterAs(page, "bello@example.com");
  await page.goto("/posts");
  const dialog = await openDialog(page);
  const title = `The whole match, ${crypto.randomUUID().slice(0, 8)}`;
  await dialog.getByLabel("Title").fill(title);
  await pickPicture(dialog, await hugePicture(page));
  await expect(dialog.getByAltText("The thumbnail you picked")).toBeVisible();
  await pickVideo(dialog, clipOf(MAX_VIDEO_BYTES + 1));
  await dialog.getByRole("button", { name: "Upload", exact: true }).click();
  const refusal = dialog.getByText("File size exceeds 4MB. Please upload a smaller file.");
  await expect(refusal).toHaveCount(2);
  await picture(page, "65-too-large");

  await pickVideo(dialog, clipOf(MAX_VIDEO_BYTES));
  const hurry = await slowUploads(context, page);
  const keys: string[] = [];
  page.on("request", (request) => {
    if (request.url().endsWith("/moment/create")) {
      keys.push(request.headers()["idempotency-key"] ?? "");
    }
  });
  await dialog.getByRole("button", { name: "Upload", exact: true }).click();
  const progress = dialog.getByRole("progressbar", { name: "Upload" });
  await expect.poll(async () => Number(await progress.getAttribute("value"))).toBeGreaterThan(0.1);
  await page.keyboard.press("Escape");
  await page.keyboard.press("Escape");
  await expect(progress).toBeVisible();
  await expectAccessible(page);
  await picture(page, "66-uploading");
  await dialog.getByRole("button", { name: "Cancel upload" }).click();
  await expect(dialog.getByText(/^The upload was cancelled/)).toBeVisible();
  await hurry();

  await context.setOffline(true);
  await dialog.getByRole("button", { name: "Upload", exact: true }).click();
  await expect(dialog.getByText(/^The upload did not get through/)).toBeVisible();
  await expect(page.getByText(/^Error uploading your moment: You are offline/)).toBeVisible();
  await picture(page, "67-retry");
  await context.setOffline(false);
  await dialog.getByRole("button", { name: "Retry" }).click();

  await expect(page.getByText("Your moment has been uploaded successfully.")).toBeVisible();
  await expect(page.getByRole("article", { name: title })).toHaveCount(1);
  expect(keys.length).toBeGreaterThanOrEqual(2);
  expect(new Set(keys).size).toBe(1);
});

test("the news are moved by key, button and drag, and never scroll the page sideways", async ({
  page,
}) => {
  const complaints = complaintsOf(page);
  await enterAs(page, "bello@example.com");
  await page.goto("/news");
  const row = page.getByRole("region", { name: "Latest news" });
  await expect(row).toHaveClass(/is-driven/);
  await expect(page.getByRole("table")).toBeVisible();
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);
  await picture(page, "68-news");

  const first = row.getByRole("article").first();
  const left = async () => Math.round((await first.boundingBox())?.x ?? 0);
  const start = await left();
  if (test.info().project.name === "desktop") {
    const second = await row.getByRole("article").nth(1).boundingBox();
    const box = await first.boundingBox();
    expect(Math.round((second?.x ?? 0) - (box?.x ?? 0) - (box?.width ?? 0))).toBe(48);
    expect(Math.round((await row.boundingBox())?.width ?? 0)).toBe(
      Math.round(3 * (box?.width ?? 0) + 2 * 48),
    );
  }
  await row.focus();
  await page.keyboard.press("ArrowRight");
  await expect.poll(left).toBeLessThan(start - 100);
  await page.keyboard.press("ArrowLeft");
  await expect.poll(left).toBe(start);
  await page.getByRole("button", { name: "Next" }).click();
  await expect.poll(left).toBeLessThan(start - 100);
  await page.getByRole("button", { name: "Previous" }).click();
  await expect.poll(left).toBe(start);
  await row.hover();
  await page.mouse.down();
  await page.mouse.move(40, 300, { steps: 6 });
  await page.mouse.up();
  await expect.poll(left).toBeLessThan(start - 50);
  await expectNoSidewaysScroll(page);
  expect(complaints).toEqual([]);
});
