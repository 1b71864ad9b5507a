import { screen, waitFor, within } from "@testing-library/react";
import { expect, test } from "vitest";
import { anOrder } from "@/test/factories";
import { envelope, serve } from "@/test/server";
import { anOperator, openOffice, page } from "~/test/render";

const ORDER = "0199f2a4-0000-7000-8000-0000000000f1";
const DEBT = "0199f2a4-0000-7000-8000-0000000000f2";
const FINANCE = anOperator({
  rights: ["money:read", "money:write", "orders:confirm", "members:read", "shop:read"],
});

const aTransferProposal = (facts: object = {}) => ({
  id: "0199f2a4-0000-7000-8000-0000000000a1",
  kind: "confirm-transfer",
  content: {
    bank: "058",
    reference: "NIP0001",
    amount: 150_000,
    paidOn: "2026-11-25",
    confirmAmount: null,
    orderId: ORDER,
  },
  digest: "d".repeat(64),
  reasons: ["limit", "own_product"],
  expiresAt: "2026-12-03T08:00:00Z",
  right: "orders:confirm",
  state: "open",
  isOwn: false,
  proposedBy: { id: "k", name: "Kemi Ade" },
  proposedAt: "2026-11-26T08:00:00Z",
  reason: "A bank transfer arrived.",
  decidedBy: null,
  decidedAt: null,
  decisionReason: null,
  result: null,
  subjects: [{ type: "order", id: ORDER, name: "FC-7K3Q9X" }],
  ...facts,
});

const anOrderOf = () => ({
  ...anOrder({ payment_method: "bank-transfer", status: "pending", is_paid: false }),
  total: 60_000,
  received: 0,
  member: { id: "m", firstName: "Bola", lastName: "Ige", email: null, phone: null },
});

function openApprovals(...rows: object[]) {
  serve("get", "/api/v1/admin/orders/:order", () => envelope(200, anOrderOf()));
  serve("get", "/api/v1/admin/approvals", () => page(rows));
  serve("get", "/api/v1/admin/banks", () => page([{ code: "058", name: "Guaranty Trust Bank" }]));
  return openOffice("/approvals?state=open", FINANCE);
}

async function openDialog(button: "Approve" | "Refuse", proposal: object) {
  const { user } = openApprovals(proposal);
  await user.click(await screen.findByRole("button", { name: button }));
  const dialog = within(screen.getByRole("dialog"));
  const fact = (name: string) => dialog.getByText(name, { selector: "dt" }).nextElementSibling;
  return { dialog, user, fact };
}

test.each(["Approve", "Refuse"] as const)(
  "who presses %s reads what it is, whose, since when and why it needs two",
  async (button) => {
    const { dialog, fact } = await openDialog(button, aTransferProposal());

    expect(
      dialog.getByRole("heading", { name: `${button}: Confirm transfer` }),
    ).toBeInTheDocument();
    expect(fact("For")).toHaveTextContent("Order FC-7K3Q9X");
    expect(fact("Amount")).toHaveTextContent("₦150,000.00");
    expect(fact("Proposed by")).toHaveTextContent("Kemi Ade");
    expect(fact("Proposed")).toHaveTextContent(/26 Nov( 2026)?, 09:00/);
    expect(fact("Proposer's reason")).toHaveTextContent("A bank transfer arrived.");
    expect(fact("Why a second operator")).toHaveTextContent(
      "Above the limit for one operator; The proposer recently changed this product or plan",
    );
    expect(fact("Reference")).toHaveTextContent("NIP0001");
    expect(fact("Paid on")).toHaveTextContent("2026-11-25");
  },
);

test("a bank is named, not its code", async () => {
  const { fact } = await openDialog("Approve", aTransferProposal());

  await waitFor(() => expect(fact("Bank")?.textContent).toBe("Guaranty Trust Bank"));
});

test("what needs two people whatever it says tells which thing it is, and a debt what is left of it", async () => {
  const { fact } = await openDialog(
    "Approve",
    aTransferProposal({
      kind: "write-off-debt",
      content: { debtId: DEBT, leftKobo: 1_650_000, reason: "Gone" },
      reasons: [],
      right: "money:write",
      subjects: [{ type: "debt", id: DEBT, name: "Ada Obi" }],
    }),
  );

  expect(fact("For")).toHaveTextContent("Debt Ada Obi");
  expect(fact("Amount")).toHaveTextContent("₦16,500.00");
  expect(fact("Why a second operator")).toHaveTextContent(
    "Writing off a debt always needs a second operator's approval",
  );
});

test("of many only the first are said to be who it is for, and all are in the content", async () => {
  const subjects = [1, 2, 3, 4, 5].map((number) => ({
    type: "member",
    id: `0199f2a4-0000-7000-8000-00000000000${number}`,
    name: `Member ${number}`,
  }));
  const { dialog, fact } = await openDialog(
    "Approve",
    aTransferProposal({
      kind: "give-plans",
      content: { userIds: subjects.map(({ id }) => id), periods: 1 },
      subjects,
    }),
  );

  expect(fact("For")).toHaveTextContent("Member Member 1, Member Member 2, Member Member 3 and 2");
  expect(dialog.getByText("Member 5")).toBeVisible();
});

test("a proposal is decided by what was read", async () => {
  const sent = serve("post", "/api/v1/admin/approvals/:id/decide", () =>
    envelope(200, { state: "refused", result: null }, "Refused."),
  );
  const { dialog, user } = await openDialog("Refuse", aTransferProposal());

  await user.type(dialog.getByLabelText(/^Reason/), "Not at the bank");
  await user.click(dialog.getByRole("button", { name: "Refuse" }));

  await waitFor(() => expect(sent.length).toBe(1));
  expect(sent[0]?.body).toEqual({
    digest: "d".repeat(64),
    decision: "refuse",
    reason: "Not at the bank",
  });
});

test("a link to one proposal goes to it", async () => {
  const other = aTransferProposal({ id: "other", kind: "write-off-debt" });
  serve("get", "/api/v1/admin/approvals", () => page([other, aTransferProposal()]));
  serve("get", "/api/v1/admin/banks", () => page([]));
  openOffice(`/approvals?state=open#${aTransferProposal().id}`, FINANCE);

  await waitFor(() => expect(document.activeElement?.textContent).toBe("Confirm transfer"));
});

/** Refuse the first proposal, which removes it from the list of open ones. */
async function refuseFirst(...rows: { id: string }[]) {
  const open = [...rows];
  serve("get", "/api/v1/admin/approvals", () => page(open));
  serve("get", "/api/v1/admin/banks", () => page([]));
  serve("get", "/api/v1/admin/orders/:order", () => envelope(200, anOrderOf()));
  serve("post", "/api/v1/admin/approvals/:id/decide", () => {
    open.shift();
    return envelope(200, { state: "refused", result: null }, "Refused.");
  });
  const { user } = openOffice("/approvals?state=open", FINANCE);
  const [refuse] = await screen.findAllByRole("button", { name: "Refuse" });
  await user.click(refuse as HTMLElement);
  const dialog = within(screen.getByRole("dialog"));
  await user.type(dialog.getByLabelText(/^Reason/), "No");
  await user.click(dialog.getByRole("button", { name: "Refuse" }));
}

test("the focus goes from a row that is gone to the one in its place", async () => {
  await refuseFirst(
    aTransferProposal(),
    aTransferProposal({ id: "second", reason: "The second" }) as { id: string },
    aTransferProposal({ id: "third", reason: "The third" }) as { id: string },
  );

  await waitFor(() => expect(screen.getByRole("row", { name: /The second/ })).toHaveFocus());
});

test("the focus goes from the last row to the page's content", async () => {
  await refuseFirst(aTransferProposal());

  expect(await screen.findByText("No approvals waiting")).toBeVisible();
  await waitFor(() => expect(screen.getByRole("main")).toHaveFocus());
});

const OWNER = anOperator({ rights: ["settings:write"] });
const LIMITS = {
  adjustmentLimit: 300_000,
  adjustmentDayLimit: null,
  refundLimit: null,
  refundDayLimit: null,
  confirmDayLimit: null,
  giftLimit: 40,
  transferUnitsLimit: null,
  transferValueLimit: null,
};
const ACCOUNT = { accountName: "King of Fans", accountNumber: "0123456789", bank: "Eko Bank" };
const SETTINGS = { version: 1, adjustmentLimit: 10_000, giftLimit: 20, transferAccount: ACCOUNT };

async function rowOfSettings(proposal: object, settings: object = SETTINGS) {
  serve("get", "/api/v1/admin/settings", () => envelope(200, settings));
  serve("get", "/api/v1/admin/approvals", () =>
    page([aTransferProposal({ reasons: [], right: "settings:write", subjects: [], ...proposal })]),
  );
  openOffice("/approvals", OWNER);
  return screen.findByRole("row", { name: /proposed/ });
}

test("of limits only those that change are shown, as they are and as proposed", async () => {
  const row = await rowOfSettings({ kind: "raise-limits", content: LIMITS });

  await waitFor(() =>
    expect(row).toHaveTextContent("Adjustment limit₦10,000.00 now, ₦300,000.00 proposed"),
  );
  expect(row).toHaveTextContent("Gift limit20 now, 40 proposed");
  expect(row).not.toHaveTextContent("Refund limit");
  expect(row).toHaveTextContent("A higher limit always needs a second operator's approval");
});

test("another account stands beside the one that holds", async () => {
  const row = await rowOfSettings({
    kind: "transfer-account",
    content: { transferAccount: { ...ACCOUNT, accountNumber: "9876543210" } },
  });

  await waitFor(() =>
    expect(row).toHaveTextContent("Account number0123456789 now, 9876543210 proposed"),
  );
});

test("raised limits that were decided say what they were before, who decided, when and why", async () => {
  const row = await rowOfSettings(
    {
      kind: "raise-limits",
      content: LIMITS,
      state: "approved",
      result: { before: { ...SETTINGS, adjustmentLimit: 5000 }, after: SETTINGS },
      decidedBy: { id: "b", name: "Bisi Ojo" },
      decidedAt: "2026-11-26T09:00:00Z",
      decisionReason: "The derby is near",
    },
    SETTINGS,
  );

  expect(row).toHaveTextContent("₦5,000.00 before, ₦300,000.00 proposed");
  expect(row).toHaveTextContent("Bisi Ojo");
  expect(row).toHaveTextContent(/26 Nov( 2026)?, 10:00/);
  expect(row).toHaveTextContent("The derby is near");
});

test("who approves a transfer reads whose order it is and what it costs", async () => {
  const { fact } = await openDialog("Approve", aTransferProposal());

  await waitFor(() => expect(fact("Order total")).toHaveTextContent("₦60,000.00"));
  expect(fact("Member")).toHaveTextContent("Bola Ige");
});

test("what is about the operator's own account is not theirs to approve, and says why", async () => {
  openApprovals(aTransferProposal({ isOwn: true }));

  expect(await screen.findByText(/This is about your own account/)).toBeVisible();
  expect(screen.queryByRole("button", { name: "Approve" })).toBeNull();
  expect(screen.getByRole("button", { name: "Refuse" })).toBeVisible();
});

test("who accepts a funding reads what the provider reported, and why it needs two", async () => {
  serve("get", "/api/v1/admin/review-cases/:id", () =>
    envelope(200, {
      id: "c",
      kind: "amount",
      reasons: ["amount", "mode"],
      amount: 5000,
      member: { id: "m", firstName: "Ada", lastName: "Obi" },
      subject: "FW-8764",
      orderNumber: null,
      fundingReference: "FW-8764",
      reports: [
        {
          amount: 4999,
          requested: null,
          currency: "NGN",
          mode: "test",
          memberId: null,
          member: null,
          receivedAt: "2026-11-25T08:00:00Z",
        },
      ],
      state: "open",
      openedAt: "2026-11-25T08:00:00Z",
      decidedAt: null,
      reason: null,
    }),
  );
  const { fact } = await openDialog(
    "Approve",
    aTransferProposal({
      kind: "accept-review",
      content: { reviewCaseId: "c", amount: "₦5,000" },
      reasons: [],
      right: "money:write",
      subjects: [{ type: "review_case", id: "c", name: "Ada Obi" }],
    }),
  );

  await waitFor(() => expect(fact("Paid")).toHaveTextContent("₦4,999.00"));
  expect(fact("Amount")).toHaveTextContent("₦5,000");
  expect(fact("Mode")).toHaveTextContent("Test money");
  expect(fact("Why it is in review")).toHaveTextContent("Amount, Mode");
  expect(fact("Why a second operator")).toHaveTextContent(
    "A funding that the provider reported differently always needs a second operator",
  );
});
