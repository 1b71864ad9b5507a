import { screen, waitFor, within } from "@testing-library/react";
import { http } from "msw";
import { expect, test } from "vitest";
import { anOrder } from "@/test/factories";
import { envelope, refusal, serve, server } from "@/test/server";
import { anOperator, openOffice, page } from "~/test/render";

const STATEMENTS = "/api/v1/admin/bank-statements";
const LINES = "/api/v1/admin/bank-lines";
const FINANCE = anOperator({
  rights: ["money:read", "money:write", "orders:confirm", "shop:read"],
});

const aTransfer = (facts: object = {}) => ({
  orderId: "0199f2a4-0000-7000-8000-0000000000f1",
  orderNumber: "FC-7K3Q9X",
  bank: "058",
  reference: "NIP0001",
  amount: 5001,
  paidOn: "2026-11-24",
  ...facts,
});

const aLine = (facts: object = {}) => ({
  id: "0199f2a4-0000-7000-8000-0000000000e1",
  date: "2026-11-25",
  amount: 5001,
  reference: "NIP/0001",
  narration: "TRF from ADA OBI",
  state: "unmatched",
  importedAt: "2026-11-26T08:00:00Z",
  matchedAt: null,
  matchedBy: null,
  reason: null,
  transfer: null,
  candidates: [],
  order: null,
  ...facts,
});

const aReview = (facts: object = {}) => ({
  digest: "d".repeat(64),
  applied: false,
  rows: 4,
  new: 3,
  known: 1,
  skipped: 2,
  matched: 2,
  ambiguous: 1,
  problems: [],
  ...facts,
});

function openBank(rows: object[] = [], operator = FINANCE) {
  serve("get", LINES, () => page(rows));
  return openOffice("/money/bank", operator);
}

/** Choose a file and press "Dry run"; `sent` collects the request. */
async function dryRun(answer: () => Response) {
  const sent: Record<string, FormDataEntryValue>[] = [];
  server.use(
    http.post(STATEMENTS, async ({ request }) => {
      sent.push(Object.fromEntries(await request.formData()));
      return answer();
    }),
  );
  const { user } = openBank();
  const file = new File(["date,amount"], "november.csv", { type: "text/csv" });
  await user.upload(await screen.findByLabelText("CSV file"), file);
  const press = async (name: string) => {
    const button = screen.getByRole("button", { name });
    await waitFor(() => expect(button).not.toHaveAttribute("aria-busy")); // a call may be ending
    await user.click(button);
  };
  return { sent, user, press };
}

test("a statement is tried, and imported as it was tried", async () => {
  let applied = false;
  const { sent, press } = await dryRun(() => envelope(200, aReview({ applied }), "Checked."));

  await press("Dry run");
  const result = within(await screen.findByRole("region", { name: "Dry run" }));
  expect(result.getByText("New lines").nextSibling).toHaveTextContent("3");
  expect(result.getByText("Known already").nextSibling).toHaveTextContent("1");
  expect(result.getByText("Skipped, no money in").nextSibling).toHaveTextContent("2");
  applied = true;
  await press("Apply");

  expect(await screen.findByText("Imported: 3 new lines, 2 matched, 1 ambiguous.")).toBeVisible();
  expect(Object.keys(sent[0] ?? {})).toEqual(["file"]);
  expect(sent[1]?.["digest"]).toBe("d".repeat(64));
  expect(screen.queryByRole("button", { name: "Apply" })).toBeNull();
});

test("columns are named where the bank has names of its own", async () => {
  const { sent, press, user } = await dryRun(() => envelope(200, aReview(), "Checked."));

  await user.click(screen.getByRole("checkbox", { name: "My columns have different names" }));
  for (const [label, text] of Object.entries({
    Date: "Trans Date",
    Amount: "Credit",
    Reference: "Remarks",
    Narration: "Remarks",
  })) {
    await user.type(screen.getByRole("textbox", { name: label }), text);
  }
  await press("Dry run");
  await screen.findByRole("region", { name: "Dry run" });
  await press("Apply");

  await waitFor(() => expect(sent).toHaveLength(2));
  for (const form of sent) {
    expect(JSON.parse(String(form["mapping"]))).toEqual({
      date: "Trans Date",
      amount: "Credit",
      reference: "Remarks",
      narration: "Remarks",
      monthFirst: false,
    });
  }
});

test("a file that cannot be read says why beside it", async () => {
  const { press } = await dryRun(() =>
    refusal(422, "validation_failed", "No.", {
      fields: { file: "The column date is missing." },
    }),
  );

  await press("Dry run");

  expect(await screen.findByText("The column date is missing.")).toBeVisible();
  expect(screen.getByLabelText("CSV file")).toBeInvalid();
  expect(screen.getByLabelText("CSV file")).toHaveFocus();
});

/** Map the bank's columns, then try a file that lacks two of them. */
async function dryRunWithout(...lacking: string[]) {
  const fields = Object.fromEntries(
    lacking.map((column) => [
      `mapping.${column}`,
      `The file has no column “${column}x”. Its columns are Day, Credit.`,
    ]),
  );
  const tried = await dryRun(() => refusal(422, "validation_failed", "No.", { fields }));
  const column = (label: string) => screen.getByRole("textbox", { name: label });
  await tried.user.click(screen.getByRole("checkbox", { name: "My columns have different names" }));
  for (const label of ["Date", "Amount", "Reference", "Narration"]) {
    await tried.user.type(column(label), "x");
  }
  await tried.press("Dry run");
  await screen.findAllByText(/The file has no column/);
  return { ...tried, column };
}

test("a column that the file lacks is said at its own field, which is gone to", async () => {
  const { column } = await dryRunWithout("amount", "reference");

  expect(column("Amount")).toHaveAccessibleDescription(
    "The file has no column “amountx”. Its columns are Day, Credit.",
  );
  expect(column("Reference")).toBeInvalid();
  expect(column("Date")).toBeValid();
  expect(screen.getByLabelText("CSV file")).toBeValid();
  expect(column("Amount")).toHaveFocus();
  expect(screen.queryByText("No.")).toBeNull();
});

test("correcting one column leaves what is said of another", async () => {
  const { column, user } = await dryRunWithout("amount", "reference");

  await user.type(column("Amount"), "y");

  expect(column("Amount")).toBeValid();
  expect(column("Reference")).toBeInvalid();
});

test("what came of a statement takes the focus from the button that is gone", async () => {
  let applied = false;
  const { press } = await dryRun(() => envelope(200, aReview({ applied }), "Checked."));

  await press("Dry run");
  await screen.findByRole("region", { name: "Dry run" });
  applied = true;
  await press("Apply");

  expect(await screen.findByText(/^Imported:/)).toHaveFocus();
});

test("rows that cannot be read are named, and nothing is imported", async () => {
  const problems = [{ row: 3, column: "amount", reason: "An amount has at most two decimals." }];
  const { press } = await dryRun(() => envelope(200, aReview({ problems }), "Checked."));

  await press("Dry run");

  const rows = within(await screen.findByRole("region", { name: "Problems" }));
  expect(rows.getByRole("row", { name: /3 amount An amount has/ })).toBeVisible();
  expect(screen.queryByRole("button", { name: "Apply" })).toBeNull();
});

test("another file than was tried is tried again", async () => {
  let stale = false;
  const { press, sent } = await dryRun(() =>
    stale ? refusal(409, "stale", "Not the one.") : envelope(200, aReview(), "Checked."),
  );

  await press("Dry run");
  await screen.findByRole("region", { name: "Dry run" });
  stale = true;
  await press("Apply");
  expect(await screen.findByText("Not the one.")).toBeVisible();
  stale = false;
  await press("Dry run again");

  await waitFor(() => expect(sent).toHaveLength(3));
  await waitFor(() => expect(screen.queryByText("Not the one.")).toBeNull());
  expect(screen.getByRole("button", { name: "Apply" })).toBeEnabled();
});

test("an ambiguous line is matched by hand to one of the transfers it could be", async () => {
  const other = aTransfer({ orderId: "other", orderNumber: "FC-222222", paidOn: "2026-11-26" });
  const sent = serve("post", `${LINES}/:id/match`, () => envelope(200, aLine(), "Matched."));
  const { user } = openBank([
    aLine({ state: "ambiguous", candidates: [aTransfer(), aTransfer(), other] }),
  ]);

  await user.click(await screen.findByRole("button", { name: "Match" }));
  const dialog = within(screen.getByRole("dialog"));
  expect(dialog.getAllByRole("option").map((one) => one.textContent)).toEqual([
    "Choose",
    "FC-7K3Q9X, NIP0001, paid on 24 Nov",
    "FC-222222, NIP0001, paid on 26 Nov",
  ]);
  await user.selectOptions(dialog.getByLabelText(/^Order/), "other");
  await user.type(dialog.getByLabelText(/^Reason/), "The sender is Ada");
  await user.click(dialog.getByRole("button", { name: "Match" }));

  await waitFor(() => expect(sent).toHaveLength(1));
  expect(sent[0]?.body).toEqual({ orderId: "other", reason: "The sender is Ada" });
});

test("a line with an order's number leads to the confirmation, filled in", async () => {
  const order = {
    id: "o",
    number: "FC-7K3Q9X",
    status: "pending",
    total: 5001,
    received: 0,
  };
  serve("get", "/api/v1/admin/orders/:order", () =>
    envelope(200, {
      ...anOrder({ payment_method: "bank-transfer", status: "pending", is_paid: false }),
      ...{ itemsTotal: 5001, deliveryFee: 0, refundedTotal: 0, received: 0, transfer: null },
      ...{ proofs: [], events: [], canCancel: false, canUploadProof: true, approvalId: null },
      ...{ transfers: [], openReviewCases: [], openRefunds: [] },
      member: { id: "m", firstName: "Ada", lastName: "Obi", email: null, phone: null },
    }),
  );
  serve("get", "/api/v1/admin/banks", () => page([{ code: "058", name: "GTBank" }]));
  const { user } = openBank([aLine({ order, state: "ambiguous", candidates: [aTransfer()] })]);

  await user.click(await screen.findByRole("link", { name: "Confirm FC-7K3Q9X" }));
  await user.click(await screen.findByRole("button", { name: "Confirm transfer" }));

  const dialog = within(screen.getByRole("dialog"));
  expect(dialog.getByLabelText(/^Amount in naira/)).toHaveValue("5001");
  expect(dialog.getByLabelText(/^Paid on/)).toHaveValue("2026-11-25");
  expect(dialog.getByLabelText(/^Reference/)).toHaveValue("NIP/0001");
});

test("lines that are not matched yet can be picked, whatever is known of them", async () => {
  const asked = serve("get", LINES, () => page([aLine({})]));
  const { user } = openOffice("/money/bank", FINANCE);

  const state = await screen.findByLabelText("State");
  expect(
    within(state)
      .getAllByRole("option")
      .map((one) => one.textContent),
  ).toEqual(["Any state", "All not matched", "Ambiguous", "Unmatched", "Matched"]);
  await user.selectOptions(state, "All not matched");

  await waitFor(() => expect(asked.at(-1)?.url.searchParams.get("state")).toBe("open"));
});

test("who only reads money sees the lines, and who decided about them", async () => {
  const by = { id: "k", name: "Kemi Ade" };
  openBank(
    [aLine({ state: "matched", transfer: aTransfer(), matchedBy: by, reason: "Same sender" })],
    anOperator({ rights: ["money:read"] }),
  );

  expect(await screen.findByText("Kemi Ade: Same sender")).toBeVisible();
  expect(screen.getByText("FC-7K3Q9X")).toBeVisible();
  expect(screen.queryByRole("link", { name: "FC-7K3Q9X" })).toBeNull();
  expect(screen.queryByLabelText("CSV file")).toBeNull();
  expect(screen.queryByRole("button", { name: "Match" })).toBeNull();
});

test("transfers that no statement has are listed with who confirmed them", async () => {
  serve("get", "/api/v1/admin/bank-transfers", () =>
    page([
      aTransfer({
        id: "r",
        confirmedAt: "2026-11-24T09:00:00Z",
        confirmedBy: { id: "k", name: "Kemi Ade" },
      }),
    ]),
  );
  openOffice("/money/bank/missing", FINANCE);

  expect(await screen.findByRole("link", { name: "FC-7K3Q9X" })).toHaveAttribute(
    "href",
    "/orders/FC-7K3Q9X",
  );
  expect(screen.getByText("Kemi Ade")).toBeVisible();
});

test("without a line it says so", async () => {
  openBank();

  expect(await screen.findByText("No bank lines")).toBeVisible();
});

test("a wrong order number is said at its field", async () => {
  serve("post", `${LINES}/:id/match`, () =>
    refusal(422, "validation_failed", "There is no such order.", {
      fields: { orderId: "There is no such order." },
    }),
  );
  const { user } = openBank([aLine()]);
  await user.click(await screen.findByRole("button", { name: "Match" }));
  const dialog = within(screen.getByRole("dialog"));

  await user.type(dialog.getByLabelText(/^Order/), "FC-NOPE");
  await user.type(dialog.getByLabelText(/^Reason/), "By the name");
  await user.click(dialog.getByRole("button", { name: "Match" }));

  await waitFor(() =>
    expect(dialog.getByLabelText(/^Order/)).toHaveAccessibleDescription(/There is no such order\./),
  );
});
