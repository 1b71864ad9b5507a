import { act, screen, waitFor } from "@testing-library/react";
import { HttpResponse } from "msw";
import { expect, test } from "vitest";
import { get } from "@/api/client";
import { Cancelled, NoAnswer } from "@/lib/live/failures";
import { cartStore } from "@/lib/session/cart-store";
import { beginSession, claimTab, endSession, session } from "@/lib/session/session";
import { readToasts, showToast } from "@/lib/ui/toasts";
import { aCartItem, aSession, aUser } from "@/test/factories";
import { serveTheGames } from "@/test/games";
import { openAppAsMember } from "@/test/render";
import { envelope, refusal, serve } from "@/test/server";

test("logging out without a network leaves nothing of the member", async () => {
  serve("post", "/api/v1/sign-out", () => new Promise<never>(() => undefined));
  const { user } = openAppAsMember("/backups");
  localStorage.setItem("cart", "[]");
  localStorage.setItem("theme", JSON.stringify("dark"));
  sessionStorage.setItem("chat-draft", JSON.stringify("half a sentence"));

  await user.click(await screen.findByRole("button", { name: "Logout" }));

  expect(Object.keys(localStorage).sort()).toEqual(["first-use", "theme"]);
  expect(Object.keys(sessionStorage)).toEqual(["pages-of-the-left"]);
  expect(session.read()).toBeNull();
  expect(await screen.findByRole("button", { name: "Login" })).toBeInTheDocument();
});

test("the next member of the phone begins on the dashboard, with an empty cart", async () => {
  serve("post", "/api/v1/sign-out", () => envelope(200, null));
  const { user } = openAppAsMember("/orders");
  act(() => cartStore.write([aCartItem()]));

  await user.click(await screen.findByRole("button", { name: "Logout" }));
  await screen.findByRole("button", { name: "Login" });
  serveTheGames();
  serve("get", "/api/v1/payment/wallet-balance/:id", () => envelope(200, { balance: 0 }));
  serve("post", "/api/v1/sign-in/username-password", () =>
    envelope(200, { user: aUser({ id: "bello", firstName: "Bello" }), access_token: "of bello" }),
  );
  await user.type(screen.getByLabelText("Email"), "bello@example.com");
  await user.type(screen.getByLabelText("Password"), "Terrace-2026");
  await user.click(screen.getByRole("button", { name: "Login" }));

  expect(await screen.findByRole("heading", { name: "Dashboard" })).toBeInTheDocument();
  expect(cartStore.read() ?? []).toEqual([]);
});

test("another member who signs in in another tab takes over this one with nothing of the last", async () => {
  serveTheGames();
  serve("get", "/api/v1/payment/wallet-balance/:id", () => envelope(200, { balance: 0 }));
  openAppAsMember("/checkout");
  await screen.findByRole("heading", { name: "Checkout" });
  sessionStorage.setItem("chat-drafts", JSON.stringify("half a sentence"));

  const bello = JSON.stringify(
    aSession({ id: "bello", firstName: "Bello", userToken: "of bello" }),
  );
  localStorage.setItem("user", bello);
  act(() => void window.dispatchEvent(new StorageEvent("storage", { key: "user" })));

  expect(await screen.findByRole("heading", { name: "Dashboard" })).toBeInTheDocument();
  expect(await screen.findByRole("link", { name: /Bello/ })).toBeInTheDocument();
  expect(sessionStorage.getItem("chat-drafts")).toBeNull();
});

test("an answer to the member before is neither told nor acted upon", async () => {
  let answer: () => void = () => undefined;
  const held = new Promise<void>((resolve) => {
    answer = resolve;
  });
  serve("get", "/api/v1/banks", async () => {
    await held;
    return envelope(200, []);
  });
  session.write(aSession({ userToken: "of ada" }));
  const late = get("/api/v1/banks", {}).catch((error: unknown) => error);

  beginSession(aSession({ id: "bello", userToken: "of bello" }));
  answer();

  expect(await late).toBeInstanceOf(Cancelled);
});

test("who comes back after their session ran out finds the cart; anybody else does not", () => {
  beginSession(aSession());
  cartStore.write([aCartItem()]);
  endSession("expired");
  beginSession(aSession({ userToken: "a newer one" }));
  expect(cartStore.read()).toHaveLength(1);

  endSession("expired");
  beginSession(aSession({ id: "bello" }));
  expect(cartStore.read()).toBeNull();
});

test("a late refusal of an older token leaves the newer session alone", async () => {
  let answer: () => void = () => undefined;
  const held = new Promise<void>((resolve) => {
    answer = resolve;
  });
  serve("get", "/api/v1/banks", async () => {
    await held;
    return refusal(401, "token_invalid", "Your session has ended. Please sign in again.");
  });
  session.write(aSession({ userToken: "the older token" }));
  const late = get("/api/v1/banks", {}).catch((error: unknown) => error);

  session.write(aSession({ userToken: "the newer token" }));
  answer();

  await waitFor(async () => expect(await late).toBeInstanceOf(Error));
  expect(session.read()?.userToken).toBe("the newer token");
});

test("a tab that slept through a change of members wakes up with nothing of the one before", () => {
  beginSession(aSession());
  sessionStorage.setItem("chat-drafts", JSON.stringify("half a sentence"));
  localStorage.setItem("user", JSON.stringify(aSession({ id: "bello", userToken: "of bello" })));

  claimTab();

  expect(sessionStorage.getItem("chat-drafts")).toBeNull();
});

test("what was told to the member before is told no more", () => {
  beginSession(aSession());
  showToast("success", "Order FC-7K3Q9X placed.");

  endSession("left");

  expect(readToasts()).toEqual([]);
});

test("an order number in the history is told to nobody else", async () => {
  serve("get", "/api/v1/products/user/:id", () => envelope(200, []));
  serve("get", "/api/v1/products/checkout-options", () => envelope(200, { bankTransfer: null }));
  openAppAsMember({ pathname: "/shopping", state: { orderNumber: "FC-7K3Q9X", userId: "ada" } });

  expect(await screen.findByText("Your shopping is empty.")).toBeInTheDocument();
  expect(screen.queryByText(/FC-7K3Q9X/)).not.toBeInTheDocument();
});

test("a page of something in between signs nobody out, whatever its status", async () => {
  serve("get", "/api/v1/banks", () => new HttpResponse("<html>portal</html>", { status: 403 }));
  beginSession(aSession());

  await expect(get("/api/v1/banks", {})).rejects.toBeInstanceOf(NoAnswer);

  expect(session.read()).not.toBeNull();
});
