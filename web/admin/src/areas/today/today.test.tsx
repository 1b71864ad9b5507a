import { screen, waitFor, within } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { envelope, serve } from "@/test/server";
import { anOperator, openOffice } from "~/test/render";

afterEach(() => vi.useRealTimers());

const NOTHING_WAITS = { waiting: { approvals: 0 }, proposed: 0 };

function openToday(seen: object) {
  const office = openOffice("/", anOperator({ rights: ["shop:read"] }));
  serve("get", "/api/v1/admin/today", () => envelope(200, { ...NOTHING_WAITS, ...seen }));
  return office;
}

test("what the role may not know is not said to have never been", async () => {
  openToday({});

  expect(await screen.findByText("To do")).toBeVisible();
  expect(screen.queryByText("System")).toBeNull();
  expect(screen.queryByText("Never")).toBeNull();
});

test("what the role may know and has never been is said", async () => {
  openToday({ ledger: null, backup: null });

  expect(await screen.findByText("Not checked yet")).toBeVisible();
  expect(screen.getByText("Last backup")).toBeVisible();
});

test("who may read money sees what the bank and the transfers lack", async () => {
  openToday({ bank: { lines: 3, transfers: 1 } });

  const lines = await screen.findByRole("link", { name: /Bank lines without a transfer/ });
  expect(lines).toHaveTextContent("3");
  expect(lines).toHaveAttribute("href", "/money/bank?state=open");
  const transfers = screen.getByRole("link", { name: /Transfers without a bank line/ });
  expect(transfers).toHaveTextContent("1");
  expect(transfers).toHaveAttribute("href", "/money/bank/missing");
});

test("the shop's day links to its orders, and low stock to its products", async () => {
  vi.useFakeTimers({ now: Date.parse("2026-11-21T23:30:00Z"), toFake: ["Date"] });
  openToday({
    shop: {
      orders: 3,
      total: 20500.5,
      paid: 2,
      paidTotal: 18000,
      lowStock: [
        { productId: "p1", name: "Club Scarf", size: null, available: 0 },
        { productId: "p2", name: "Home Jersey", size: "M", available: 4 },
      ],
    },
  });

  const shop = within(await screen.findByRole("region", { name: "Shop today" }));

  // Half past midnight in Lagos is the next day.
  expect(shop.getByRole("link", { name: "3, ₦20,500.50" })).toHaveAttribute(
    "href",
    "/orders?from=2026-11-22&to=2026-11-22",
  );
  expect(shop.getByText("2, ₦18,000.00")).toBeVisible();
  expect(shop.getByRole("link", { name: "Home Jersey, M" })).toHaveAttribute(
    "href",
    "/products/p2",
  );
  expect(shop.getByText("4 left")).toBeVisible();
  expect(shop.getByText("Sold out")).toBeVisible();
});

test("the menu counts the bank's work with money's", async () => {
  openOffice("/", anOperator({ rights: ["money:read"] }));
  serve("get", "/api/v1/admin/today", () =>
    envelope(200, {
      waiting: { approvals: 0, disputes: 1, debts: 2 },
      proposed: 0,
      bank: { lines: 3, transfers: 1 },
    }),
  );

  const money = await screen.findByRole("link", { name: /^Money/ });
  await waitFor(() => expect(money).toHaveTextContent("7 waiting"));
});

test("a role that may not read money sees nothing of the bank", async () => {
  openToday({});

  expect(await screen.findByText("To do")).toBeVisible();
  expect(screen.queryByText(/bank line/i)).toBeNull();
});

test("a role that knows of the ledger alone is told of it alone", async () => {
  openToday({ ledger: { ok: true } });

  expect(await screen.findByText("Ledger balanced")).toBeVisible();
  expect(screen.queryByText("Last backup")).toBeNull();
});

test("what is pending comes first, and what is clear is only named", async () => {
  const office = openToday({ waiting: { approvals: 0, refunds: 2, debts: 0 }, proposed: 1 });

  const pending = await screen.findByRole("link", { name: /Refunds/ });
  expect(pending.closest("ul")).toHaveTextContent(/^2Refunds1Your proposals awaiting approval$/);
  await office.user.click(screen.getByText("2 empty queues"));
  const clear = screen.getByRole("list", { name: "Empty queues" });
  expect(clear).toHaveTextContent("ApprovalsDebts");
  expect(screen.queryByText("All clear.")).toBeNull();
});

test("a day without anything pending is all clear", async () => {
  openToday({});

  expect(await screen.findByText("All clear.")).toBeVisible();
});

test("each count leads to the list that it counts", async () => {
  const office = openOffice("/", anOperator({ rights: ["news:write", "games:read"] }));
  serve("get", "/api/v1/admin/today", () =>
    envelope(200, { waiting: { articlesToday: 1, flaggedQuestions: 3 }, proposed: 0 }),
  );

  expect(await office.findByRole("link", { name: /Articles today/ })).toHaveAttribute(
    "href",
    "/news?state=scheduled",
  );
  expect(office.getByRole("link", { name: /Flagged questions/ })).toHaveAttribute(
    "href",
    "/questions?flag=any",
  );
});
