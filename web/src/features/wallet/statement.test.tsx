import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import { beforeEach, expect, test, vi } from "vitest";
import type { MonthOfWallet, StatementRow } from "@/api/wire";
import { openAppAsMember } from "@/test/render";
import { envelope, refusal, type SeenRequest, serve } from "@/test/server";

const STATEMENT = "/api/v1/payment/statement/:id";

let rows: StatementRow[] = [];
let months: MonthOfWallet[] = [];
let asked: SeenRequest[] = [];

function aRow(change: Partial<StatementRow> = {}): StatementRow {
  return {
    id: "row-1",
    kind: "purchase",
    title: "Order FC-7K3Q9X",
    reference: "order-1",
    amount: -2500.5,
    balanceAfter: 1000,
    createdAt: "2026-11-20T12:30:00Z",
    receipt: { kind: "order", id: "order-1" },
    ...change,
  };
}

beforeEach(() => {
  rows = [aRow()];
  months = [
    { month: "2026-10", opening: 0, in: 5000, out: 0, closing: 5000, count: 1 },
    { month: "2026-11", opening: 5000, in: 0, out: 2500.5, closing: 2499.5, count: 2 },
  ];
  serve("get", "/api/v1/payment/wallet-balance/:id", () => envelope(200, { balance: 2499.5 }));
  serve("get", `${STATEMENT}/months`, () => envelope(200, months));
  asked = serve("get", STATEMENT, () => envelope(200, rows));
});

const panel = async (name: string) => within(await screen.findByRole("region", { name }));
const lastQuery = () => Object.fromEntries(asked.at(-1)?.url.searchParams ?? []);

test("a transaction says what it was for; its reference is only in the details", async () => {
  rows = [aRow({ kind: "subscription", title: "Battle Pass, 1 month", reference: "plan:01a2b3" })];
  const { user } = openAppAsMember("/wallet");
  const statement = await panel("Statement");

  expect(await statement.findByText("Battle Pass, 1 month")).toBeVisible();
  expect(statement.getByText("−₦2,500.50")).toBeVisible();
  expect(statement.getByText("plan:01a2b3")).not.toBeVisible();
  expect(statement.getByText("Reference:", { exact: false })).not.toBeVisible();

  await user.click(statement.getByText("Battle Pass, 1 month"));

  expect(statement.getByText("plan:01a2b3")).toBeVisible();
});

test("transactions come before the months and their own filter is folded", async () => {
  openAppAsMember("/wallet");
  const statement = await panel("Statement");
  await statement.findByText("Order FC-7K3Q9X");

  const page = within(screen.getByRole("main"));
  expect(page.getAllByRole("heading", { level: 2 }).map((title) => title.textContent)).toEqual([
    "Wallet",
    "Statement",
    "Months",
  ]);
  expect(statement.getByLabelText("From")).not.toBeVisible();
});

test("the debt is shown beside the balance, and is hidden with it", async () => {
  serve("get", "/api/v1/payment/wallet-balance/:id", () =>
    envelope(200, { balance: 0, debt: 1500 }),
  );
  const { user } = openAppAsMember("/wallet");
  const wallet = await panel("Wallet");

  const owed = await wallet.findByText(/^You owe/);
  expect(owed).toHaveTextContent("You owe ₦1,500.00, because a bank took a payment back");
  await user.click(wallet.getByRole("button", { name: "Hide balance" }));
  expect(owed).toHaveTextContent("You owe ₦ •••••,");
  await user.click(wallet.getByRole("button", { name: "Hide balance" }));
});

test("days and kind narrow the statement, and are in the address", async () => {
  const { user } = openAppAsMember("/wallet?from=2026-11-01&kind=fund&to=never");
  const statement = await panel("Statement");
  await waitFor(() =>
    expect(lastQuery()).toEqual({ from: "2026-11-01", kind: "fund", limit: "20" }),
  );
  expect(statement.getByLabelText("From")).toHaveValue("2026-11-01");
  expect(statement.getByLabelText("To")).toHaveValue("");
  expect(statement.getByLabelText("Kind")).toHaveValue("fund");

  fireEvent.change(statement.getByLabelText("To"), { target: { value: "2026-11-30" } });
  await user.selectOptions(statement.getByLabelText("Kind"), "Refunds");

  await waitFor(() =>
    expect(lastQuery()).toEqual({
      from: "2026-11-01",
      to: "2026-11-30",
      kind: "refund",
      limit: "20",
    }),
  );
});

test("nothing of these days is another face than nothing at all", async () => {
  rows = [];
  const { unmount } = openAppAsMember("/wallet");
  expect(await screen.findByText("No transactions yet")).toBeInTheDocument();
  unmount();

  openAppAsMember("/wallet?kind=refund");
  expect(await screen.findByText(/No transactions of this kind/)).toBeInTheDocument();
});

test("days the wrong way round say so, with the server's sentence", async () => {
  const sentence = "The first day must not be after the last one.";
  serve("get", STATEMENT, () => refusal(422, "validation_failed", sentence));
  openAppAsMember("/wallet?from=2026-11-02&to=2026-11-01");
  const statement = await panel("Statement");

  expect(await statement.findByLabelText("From")).toBeInvalid();
  expect(await statement.findByRole("alert")).toHaveTextContent(sentence);
});

test("the file is what the statement shows, and a refusal is told", async () => {
  URL.createObjectURL = vi.fn(() => "blob:statement");
  URL.revokeObjectURL = vi.fn();
  const click = vi.spyOn(HTMLAnchorElement.prototype, "click").mockImplementation(() => {});
  const files = serve(
    "get",
    `${STATEMENT}/csv`,
    () => new Response("date,kind\r\n", { headers: { "Content-Type": "text/csv" } }),
  );
  const { user } = openAppAsMember("/wallet?kind=fund");
  const statement = await panel("Statement");

  await user.click(await statement.findByRole("button", { name: "Download CSV" }));

  await waitFor(() => expect(click).toHaveBeenCalledOnce());
  expect((click.mock.contexts[0] as HTMLAnchorElement).download).toBe("statement.csv");
  expect(files[0]?.url.search).toBe("?kind=fund");
  expect(files[0]?.headers.get("Authorization")).toBe("Bearer token-of-ada");

  serve("get", `${STATEMENT}/csv`, () =>
    refusal(422, "validation_failed", "There are more than 10,000 rows. Choose fewer days."),
  );
  await user.click(statement.getByRole("button", { name: "Download CSV" }));
  expect(await screen.findByText(/more than 10,000 rows/)).toBeInTheDocument();
  expect(click).toHaveBeenCalledOnce();
});

test("months are listed newest first, with what went in, out and stayed", async () => {
  openAppAsMember("/wallet");
  const list = await panel("Months");

  const lines = await list.findAllByRole("listitem");
  expect(lines.map(({ textContent }) => textContent)).toEqual([
    expect.stringMatching(/^November 2026.*₦5,000\.00.*Out ₦2,500\.50.*₦2,499\.50$/),
    expect.stringMatching(/^October 2026.*₦0\.00.*In ₦5,000\.00.*₦5,000\.00$/),
  ]);
});

test("a wallet without a month says so, and what did not come is asked for again", async () => {
  serve("get", `${STATEMENT}/months`, () => refusal(503, "unavailable", "Not now."));
  const { user } = openAppAsMember("/wallet");
  const list = await panel("Months");
  expect(await list.findByText("Not now.")).toBeInTheDocument();
  serve("get", `${STATEMENT}/months`, () =>
    envelope(200, [{ month: "2026-11", opening: 0, in: 0, out: 0, closing: 0, count: 0 }]),
  );

  await user.click(list.getByRole("button", { name: "Try again" }));

  expect(await list.findByText("No months yet")).toBeInTheDocument();
});
