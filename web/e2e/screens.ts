import type { Page } from "@playwright/test";

/** The screens in the shell, each with its script. */
export const SHELL_SCREENS = [
  ["/", "dashboard-screen"],
  ["/wallet", "wallet-screen"],
  ["/products", "products-screen"],
  ["/product/:product", "product-screen"],
  ["/orders", "cart-screen"],
  ["/checkout", "checkout-screen"],
  ["/shopping", "purchases-screen"],
  ["/shopping/:order", "order-screen"],
  ["/profile", "profile-screen"],
  ["/subscriptions", "subscriptions-screen"],
  ["/posts", "moments-screen"],
  ["/chats", "chats-screen"],
  ["/trivia-questions", "trivia-screen"],
  ["/battle-zone", "battle-screen"],
  ["/leaderboard", "leader-board-screen"],
  ["/points", "points-screen"],
  ["/badges", "badges-screen"],
  ["/calendar", "calendar-screen"],
  ["/predictions", "predictions-screen"],
  ["/match/:match", "match-screen"],
  ["/news", "news-screen"],
  ["/news/:article", "article-screen"],
  ["/notifications", "notifications-screen"],
  ["/settings", "settings-screen"],
  ["/backups", "coming-screen"],
] as const;

/** The placeholders' values: the first product, match and article, and the member's first order. */
export async function firstOfEach(page: Page): Promise<Record<string, string>> {
  return page.evaluate(async () => {
    const member = JSON.parse(localStorage.getItem("user") ?? "{}");
    const headers = {
      Authorization: `Bearer ${member.userToken}`,
      "Content-Type": "application/json",
      "Idempotency-Key": crypto.randomUUID(),
    };
    const ask = async (path: string) => (await (await fetch(path, { headers })).json()).data[0];
    const product = await ask("/api/v1/products");
    const { firstName, lastName, phone, id: userId } = member;
    const billing = { firstName, lastName, phone, address: "12 Stadium Road, Aba" };
    const carts = [{ id: product.id, price: product.price, quantity: 1 }];
    const order = { carts, userId, billing, paymentMethod: "bank-transfer" };
    const ordered = await fetch("/api/v1/products/checkout", {
      method: "POST",
      headers,
      body: JSON.stringify(order),
    });
    return {
      ":order": (await ordered.json()).data.orderNumber,
      ":product": product.id,
      ":match": (await ask("/api/v1/fixtures?limit=1")).id,
      ":article": (await ask("/api/v1/news?limit=1")).slug,
    };
  });
}
