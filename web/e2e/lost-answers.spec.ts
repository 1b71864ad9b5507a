import { expect, type Page } from "@playwright/test";
import { recordedClip } from "./clips.ts";
import { FAULTS, type Network, test } from "./network.ts";
import { closeCallbackTabs, dismiss, enterAs, fillAddress, newMember, PASSWORD } from "./world.ts";

const TRY_AGAIN = /We got no response\. Try again: it will only be done once\./;

/** The server's state, read over HTTP without the bad network. */
async function ownView(page: Page, email: string) {
  const signedIn = await page.request.post("/api/v1/sign-in/username-password", {
    data: { username: email, password: PASSWORD },
  });
  const { user, access_token: token } = (await signedIn.json()).data;
  const headers = { Authorization: `Bearer ${token}` };
  const read = async (path: string) =>
    (await (await page.request.get(path, { headers })).json()).data;
  const statement = async (): Promise<{ kind: string }[]> =>
    read(`/api/v1/payment/statement/${user.id}?limit=100`);
  return {
    leftToFund: async () => (await read("/api/v1/payment/funding-limits")).remainingToday as number,
    orders: async () => (await read(`/api/v1/products/user/${user.id}`)).length as number,
    balance: async () =>
      (await read(`/api/v1/payment/wallet-balance/${user.id}`)).balance as number,
    movements: async (kind: string) =>
      (await statement()).filter((row) => row.kind === kind).length,
    attempt: async () =>
      read(`/api/v1/question/attempted-daily-trivial-question/${user.club}/${user.id}`),
    moments: async () => (await read(`/api/v1/moment/post/user/${user.id}`)).length as number,
  };
}

/**
 * Press once for each fault; each time the member reads that they can try again.
 *
 * In between the member leaves the app and returns, which refetches what may show the outcome.
 */
async function throughEachFault(
  page: Page,
  network: Network,
  wanted: RegExp,
  press: () => Promise<void>,
): Promise<void> {
  for (const fault of FAULTS) {
    await test.step(fault, async () => {
      const { reached } = network.strike(wanted, fault);
      await press();
      await reached;
      const toast = page.locator(".toast", { hasText: TRY_AGAIN });
      await expect(toast).toHaveCount(1);
      await dismiss(toast);
      await page.evaluate(() => window.dispatchEvent(new Event("visibilitychange")));
    });
  }
}

test("whatever becomes of an answer, what was asked for happens once and the member knows @once", async ({
  page,
  network,
}) => {
  closeCallbackTabs(page);
  const { email } = await newMember(page);
  const server = await ownView(page, email);
  await enterAs(page, email);
  const open = (path: string) => page.goto(network.address + path);

  await test.step("a funding", async () => {
    const left = await server.leftToFund();
    await open("/wallet");
    const modal = page.getByRole("dialog", { name: "Fund Wallet" });
    const fund = async () => {
      await page.getByRole("button", { name: "Fund Wallet" }).first().click();
      await modal.getByLabel("Amount").fill("100000");
      await modal.getByRole("button", { name: "Fund Wallet" }).click();
    };
    await throughEachFault(page, network, /^POST .*prepare-wallet-funding/, fund);
    await fund();
    const checkout = page.frameLocator('iframe[src*="popup"]');
    await checkout.getByLabel("Card number").fill("4084084084084081");
    expect(left - (await server.leftToFund())).toBe(100_000);
    await checkout.getByLabel(/Expiry/).fill("12/30");
    await checkout.getByLabel("CVV").fill("408");
    await checkout.getByRole("button", { name: /^Pay NGN/ }).click();
    await expect(page.getByText("Successfully funded your wallet.")).toBeVisible();
    expect(await server.movements("fund")).toBe(1);
  });

  await test.step("an order", async () => {
    await open("/products");
    const products = page.getByRole("region", { name: "All products" });
    await products.getByRole("button", { name: "Add to cart: Club Scarf" }).click();
    await open("/checkout");
    await fillAddress(page);
    const order = () => page.getByRole("button", { name: "Complete Order" }).click();
    await throughEachFault(page, network, /^POST .*\/products\/checkout/, order);
    await order();
    await expect(page.getByText(/^Order FC-[A-Z2-9]{6} placed/)).toBeVisible();
    expect(await server.orders()).toBe(1);
    expect(await server.movements("purchase")).toBe(1);
  });

  await test.step("a subscription", async () => {
    const before = await server.balance();
    await open("/subscriptions");
    await page.getByRole("button", { name: "Subscribe" }).first().click();
    const details = page.getByRole("dialog", { name: "Subscription Details" });
    const price = await details.getByRole("definition").nth(1).textContent();
    const subscribe = () => details.getByRole("button", { name: "Subscribe" }).click();
    await throughEachFault(page, network, /^POST .*\/users\/subscription/, subscribe);
    await subscribe();
    await expect(page.getByText(/^You are subscribed to /)).toBeVisible();
    await expect(page.getByRole("button", { name: "Subscribed" })).toBeDisabled();
    expect(before - (await server.balance())).toBe(Number(price?.replace(/[^\d.]/g, "")));
  });

  await test.step("a quest", async () => {
    await open("/trivia-questions");
    for (const number of [1, 2, 3, 4, 5]) {
      await expect(page.getByText(`${number} of 5`)).toBeVisible();
      await page.keyboard.press("1");
      if (number < 5) {
        await page.getByRole("button", { name: "Next" }).click();
      }
    }
    const modal = page.getByRole("dialog", { name: "Submit your answers" });
    const submit = async () => {
      await page.getByRole("button", { name: "Submit" }).click();
      await modal.getByRole("button", { name: "Submit" }).click();
    };
    await throughEachFault(page, network, /^POST .*submit-trivia-question/, submit);
    await submit();
    await expect(page.getByRole("heading", { name: /^Congratulations!/ })).toBeVisible();
    expect((await server.attempt()).points).not.toBeNull();
  });

  await test.step("a moment", async () => {
    await open("/posts");
    await page.getByRole("button", { name: "Upload Content" }).first().click();
    const dialog = page.getByRole("dialog", { name: "Post Your Moment." });
    await dialog.getByLabel("Title").fill("The goal");
    await dialog.locator('[data-field="video"] input').setInputFiles(await recordedClip(page));
    await dialog.getByRole("button", { name: "From the video" }).click();
    await expect(dialog.getByAltText("The thumbnail you picked")).toBeVisible();
    const upload = () => dialog.getByRole("button", { name: /^(Upload|Retry)$/ }).click();
    await throughEachFault(page, network, /^POST .*\/moment\/create/, upload);
    await upload();
    await expect(page.getByText("Your moment has been uploaded successfully.")).toBeVisible();
    expect(await server.moments()).toBe(1);
  });
});

test("a chat message whose acknowledgement is lost is sent again by itself, and said once @once", async ({
  page,
  network,
}) => {
  const { email } = await newMember(page);
  await enterAs(page, email);
  await page.goto(`${network.address}/chats`);
  await expect(page.getByRole("tab", { name: /\d online/ }).first()).toBeVisible();
  const rows = page.getByRole("log").locator(".chat-message");

  const faults = FAULTS.filter((fault) => fault !== "answered 502 with a page");
  const texts = faults.map((fault) => `Up the Elephants, ${fault}, ${crypto.randomUUID()}`);

  for (const [at, fault] of faults.entries()) {
    await test.step(fault, async () => {
      const text = texts[at] ?? "";
      const { reached } = network.strike(new RegExp(text), fault);
      await page.getByPlaceholder("Type a message...").fill(text);
      await page.getByRole("button", { name: "Send" }).click();
      await reached;
      const row = rows.filter({ hasText: text });
      await expect(row.getByRole("img", { name: "Sent" })).toBeVisible();
    });
  }

  await page.reload();
  for (const text of texts) {
    await expect(rows.filter({ hasText: text })).toHaveCount(1);
  }
});
