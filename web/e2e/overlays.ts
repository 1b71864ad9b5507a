import { expect, type Locator, type Page, request } from "@playwright/test";
import { recordedClip } from "./clips.ts";
import { newFan, postOne } from "./crowd.ts";
import { PASSWORD, payByCard, providerFrame, untilDrawn } from "./world.ts";

/** An overlay of the product: the file that opens it, and how to get there. */
export interface Overlay {
  file: string;
  open: (page: Page) => Promise<Locator>;
}

/** Open a screen and wait for its content. */
async function at(page: Page, address: string): Promise<Page> {
  if (new URL(page.url()).pathname !== address) {
    await page.goto(address);
  }
  await untilDrawn(page);
  return page;
}

const dialog = (page: Page, name: string | RegExp) => page.getByRole("dialog", { name });
const press = (place: Page | Locator, name: string | RegExp) =>
  place.getByRole("button", { name, exact: true }).first().click();

/** A call as the member of this page, for setup that is not about overlays. */
export async function call(page: Page, method: "GET" | "POST", path: string, data?: object) {
  const token = await page.evaluate(() => JSON.parse(localStorage["user"]).userToken);
  const headers = { Authorization: `Bearer ${token}`, "Idempotency-Key": crypto.randomUUID() };
  const options = { method, headers, ...(data === undefined ? {} : { data }) };
  const answer = await page.request.fetch(`/api/v1/${path}`, options);
  expect(answer.ok(), await answer.text()).toBe(true);
  return (await answer.json()).data;
}

/** Press Back once this many overlays have a history entry: they get it after they are drawn. */
export async function pressBack(page: Page, open: number): Promise<void> {
  await expectEntries(page, open);
  await page.goBack();
}

/** This many open overlays have a history entry; closed ones may have left more. */
export async function expectEntries(page: Page, open: number): Promise<void> {
  await expect.poll(() => page.evaluate(() => history.state.overlays)).toBeGreaterThanOrEqual(open);
}

/** What the overlays of the screens require: no answer yet about notifications, and a second device. */
export async function prepareScreens(page: Page, email: string): Promise<void> {
  await page.addInitScript(() =>
    Object.defineProperty(Notification, "permission", { get: () => "default" }),
  );
  const baseURL = `http://127.0.0.1:${process.env["E2E_PORT"]}`;
  const otherDevice = await request.newContext({ baseURL });
  await otherDevice.post("/api/v1/sign-in/username-password", {
    data: { username: email, password: PASSWORD },
  });
  await otherDevice.dispose();
}

/** Overlays of the shop, the profile, the settings and the wallet. */
const OF_SCREENS: Overlay[] = [
  {
    file: "src/components/menu-drawer.tsx",
    open: async (page) => {
      await press(await at(page, "/calendar"), "Open menu");
      return page.getByRole("button", { name: "Close menu" });
    },
  },
  {
    file: "src/features/shop/cart-screen.tsx",
    open: async (page) => {
      await at(page, "/products");
      await page.getByRole("button", { name: "Add to cart: Club Scarf" }).first().click();
      await press(await at(page, "/orders"), "Clear Cart");
      return dialog(page, "Clear the cart?");
    },
  },
  {
    file: "src/features/shop/cancel-order.tsx",
    open: async (page) => {
      const {
        id: userId,
        firstName,
        lastName,
        phone,
      } = await page.evaluate(() => JSON.parse(localStorage["user"]));
      const [product] = await call(page, "GET", "products");
      const { orderNumber } = await call(page, "POST", "products/checkout", {
        carts: [{ id: product.id, price: product.price, quantity: 1 }],
        userId,
        billing: { firstName, lastName, phone, address: "12 Stadium Road, Aba" },
        paymentMethod: "bank-transfer",
      });
      await press(await at(page, `/shopping/${orderNumber}`), "Cancel order");
      return dialog(page, "Cancel order");
    },
  },
  {
    file: "src/features/profile/crop-modal.tsx",
    open: async (page) => {
      await at(page, "/profile");
      const buffer = await page.screenshot();
      const picture = { name: "me.png", mimeType: "image/png", buffer };
      await page.locator('input[type="file"]').setInputFiles(picture);
      return dialog(page, "Crop your picture");
    },
  },
  {
    file: "src/features/profile/leave-modal.tsx",
    open: async (page) => {
      await at(page, "/profile");
      await page.getByLabel("Address").fill("7 Zoo Road, Kano");
      await page.getByRole("link", { name: "Shop", exact: true }).click();
      return dialog(page, "Leave without saving?");
    },
  },
  {
    file: "src/features/settings/delete-account.tsx",
    open: async (page) => {
      await press(await at(page, "/settings"), "Delete my account");
      return dialog(page, "Delete my account");
    },
  },
  {
    file: "src/features/settings/devices.tsx",
    open: async (page) => {
      await press(await at(page, "/settings"), "Sign out everywhere else");
      return dialog(page, "Sign out everywhere else?");
    },
  },
  {
    file: "src/features/wallet/fund-wallet-modal.tsx",
    open: async (page) => {
      await press(await at(page, "/wallet"), "Fund Wallet");
      return dialog(page, "Fund Wallet");
    },
  },
  {
    file: "src/features/subscriptions/subscription-details.tsx",
    open: async (page) => {
      await press(await at(page, "/subscriptions"), "Subscribe");
      return dialog(page, "Subscription Details");
    },
  },
  {
    file: "src/features/wallet/checkout-provider.ts",
    open: async (page) => {
      await press(await at(page, "/subscriptions"), "Subscribe");
      await press(dialog(page, "Subscription Details"), /^Fund ₦.* and subscribe$/);
      return providerFrame(page).getByRole("button", { name: "Cancel payment" });
    },
  },
  {
    file: "src/components/push-dialog.tsx",
    open: async (page) => {
      await press(await at(page, "/notifications"), "Turn on notifications");
      return dialog(page, "Turn on notifications?");
    },
  },
];

/** Overlays of one's moments. */
const OF_MOMENTS: Overlay[] = [
  {
    file: "src/features/moments/upload-modal.tsx",
    open: async (page) => {
      await press(await at(page, "/posts"), "Upload Content");
      return dialog(page, "Post Your Moment.");
    },
  },
  {
    file: "src/features/moments/player-modal.tsx",
    open: async (page) => {
      await at(page, "/posts");
      await press(page, "Upload Content");
      const form = dialog(page, "Post Your Moment.");
      await form.getByLabel("Title").fill("The goal");
      await form.locator('[data-field="video"] input').setInputFiles(await recordedClip(page));
      await press(form, "From the video");
      await expect(form.getByAltText("The thumbnail you picked")).toBeVisible();
      await press(form, "Upload");
      await press(page, "Play: The goal");
      return dialog(page, "The goal");
    },
  },
  {
    file: "src/features/moments/link-button.tsx",
    open: async (page) => {
      await press(await at(page, "/posts"), /^Share by link/);
      return dialog(page, "The goal");
    },
  },
  {
    file: "src/features/moments/remove-modal.tsx",
    open: async (page) => {
      await press(await at(page, "/posts"), /^Remove/);
      return dialog(page, "Remove this post?");
    },
  },
];

/** Overlays of the games; the last ones need a finished quest and a Battle Pass. */
const OF_GAMES: Overlay[] = [
  {
    file: "src/features/trivia/confirm-submit.tsx",
    open: async (page) => {
      await at(page, "/trivia-questions");
      await expect(page.getByText("1 of 5")).toBeVisible();
      await page.keyboard.press("1");
      for (const number of [2, 3, 4, 5]) {
        await press(page, "Next");
        await expect(page.getByText(`${number} of 5`)).toBeVisible();
      }
      await press(page, "Submit");
      return dialog(page, "Submit your answers");
    },
  },
  {
    file: "src/components/share-dialog.tsx",
    open: async (page) => {
      await press(await at(page, "/trivia-questions"), "Submit");
      await press(dialog(page, "Submit your answers"), "Submit");
      await press(page, "Share");
      return dialog(page, "Share");
    },
  },
  {
    file: "src/components/promotion-dialog.tsx",
    open: async (page) => {
      await call(page, "POST", "dev/points", { source: "battle", points: 50 });
      await page.goto("/");
      return dialog(page, /^You are now /);
    },
  },
  {
    file: "src/features/battle/result-modal.tsx",
    open: async (page) => {
      await at(page, "/subscriptions");
      await page.getByRole("button", { name: "Subscribe" }).last().click();
      await press(page, /^Fund ₦.* and subscribe$/);
      await payByCard(page);
      await expect(page.getByText(/^You are subscribed to /)).toBeVisible();
      await press(await at(page, "/battle-zone"), "Enter Battle Ground");
      await expect(page.getByRole("timer")).toBeVisible();
      await page.keyboard.press("1");
      return dialog(page, /^(Good Job!|Wrong Move!)$/);
    },
  },
];

/** Overlays of the chat. */
const OF_CHAT: Overlay[] = [
  {
    file: "src/features/chat/message-menu.tsx",
    open: async (page) => {
      await at(page, "/chats");
      await page.getByPlaceholder("Type a message...").fill("Up the terrace");
      await press(page, "Send");
      await press(page, "Options for your message");
      return dialog(page, "Your message");
    },
  },
  {
    file: "src/features/chat/remove-message.tsx",
    open: async (page) => {
      await press(page, "Options for your message");
      await press(dialog(page, "Your message"), "Delete for all");
      return dialog(page, "Delete this message for everybody?");
    },
  },
  {
    file: "src/components/report-dialog.tsx",
    open: async (page) => {
      await postOne(await newFan(page.request), "Up, up and away", new URL(page.url()).origin);
      await press(page, /^Options for .+'s message$/);
      await press(dialog(page, /'s message$/), "Report");
      return dialog(page, "Report this message");
    },
  },
  {
    file: "src/features/chat/use-mentions.ts",
    open: async (page) => {
      await page.getByPlaceholder("Type a message...").pressSequentially("@Obi");
      return page.getByRole("listbox", { name: "Members" });
    },
  },
];

/** A member's moment, for operators to look at. */
async function postMoment(page: Page): Promise<void> {
  const { id: userId, token } = await newFan(page.request);
  const picture = { name: "goal.png", mimeType: "image/png", buffer: await page.screenshot() };
  const posted = await page.request.post("/api/v1/moment/create", {
    headers: { Authorization: `Bearer ${token}`, "Idempotency-Key": crypto.randomUUID() },
    multipart: {
      title: "The goal",
      content: "",
      thumbnail: picture,
      video: await recordedClip(page),
      userId,
    },
  });
  expect(posted.ok(), await posted.text()).toBe(true);
}

/** A message that another member has reported. */
async function reportMessage(page: Page): Promise<void> {
  const { id: messageId } = await postOne(
    await newFan(page.request),
    "Buy my tickets",
    new URL(page.url()).origin,
  );
  const reported = await page.request.post("/api/v1/chat-reports", {
    data: { messageId, reason: "spam" },
    headers: { Authorization: `Bearer ${(await newFan(page.request)).token}` },
  });
  expect(reported.ok(), await reported.text()).toBe(true);
}

/** Overlays of the back office. */
const OF_OFFICE: Overlay[] = [
  {
    file: "admin/src/parts/action.tsx",
    open: async (page) => {
      await press(await at(page, "/admin/clubs"), "New club");
      return dialog(page, "New club");
    },
  },
  {
    file: "src/components/discard-question.tsx",
    open: async (page) => {
      await press(await at(page, "/admin/clubs"), "New club");
      await dialog(page, "New club").getByRole("textbox").first().fill("Shooting Stars");
      await page.keyboard.press("Escape");
      return dialog(page, "Discard your changes?");
    },
  },
  {
    file: "admin/src/parts/saved-views.tsx",
    open: async (page) => {
      await page.goto("/admin/members?q=ada");
      await press(page, "Save this view");
      return dialog(page, "Save this view");
    },
  },
  {
    file: "admin/src/areas/questions/question-preview.tsx",
    open: async (page) => {
      await press(await at(page, "/admin/questions"), "Preview");
      return dialog(page, "As on a phone");
    },
  },
  {
    file: "admin/src/areas/moments/moment-preview.tsx",
    open: async (page) => {
      await postMoment(page);
      await press(await at(page, "/admin/moments"), "View");
      return page.getByRole("dialog"); // of the newest, which another test may have posted
    },
  },
  {
    file: "admin/src/parts/chat-measures.tsx",
    open: async (page) => {
      await reportMessage(page);
      await press(await at(page, "/admin/chat"), "Evidence");
      return dialog(page, /^Evidence/);
    },
  },
  {
    file: "admin/src/app/fresh-code-dialog.tsx",
    open: async (page) => {
      await page.route("**/api/v1/admin/backups", async (route) => {
        const error = { code: "fresh_code_needed", fields: {}, requestId: "test" };
        const json = { status: 409, message: "A fresh code is needed.", data: null, error };
        await (route.request().method() === "POST"
          ? route.fulfill({ status: 409, json })
          : route.continue());
      });
      await press(await at(page, "/admin/backups"), "Back up now");
      return dialog(page, "Enter a fresh code");
    },
  },
];

/** Overlays that only their content closes: Back does nothing. */
export const LOCKED = ["src/features/legal/new-terms-dialog.tsx"];

/** Every other overlay there is, by what a browser has to have done before. */
export const OVERLAYS = {
  screens: OF_SCREENS,
  moments: OF_MOMENTS,
  games: OF_GAMES,
  chat: OF_CHAT,
  office: OF_OFFICE,
};
