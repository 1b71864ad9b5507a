import { screen, waitFor, within } from "@testing-library/react";
import { beforeEach, expect, test } from "vitest";
import { envelope, serve } from "@/test/server";
import { anOperator, openOffice, page } from "~/test/render";

const ADA = "0199f2a4-0000-7000-8000-0000000000d1";
const RIGHTS = {
  moderator: ["members:read", "members:suspend", "chat:write"],
  owner: [
    "members:read",
    "members:suspend",
    "members:write",
    "clubs:write",
    "money:read",
    "adjust:propose",
    "plans:write",
    "chat:write",
  ],
};

function aRow(facts: object = {}) {
  return {
    id: ADA,
    firstName: "Ada Grace",
    lastName: "Obi",
    email: "ada@example.com",
    phone: "+2348030000001",
    clubName: "Enyimba",
    suspendedAt: null,
    ...facts,
  };
}

function aMember(facts: object = {}) {
  return {
    ...aRow(),
    clubId: "0199f2a4-0000-7000-8000-0000000000e1",
    clubHistory: [
      {
        clubId: "0199f2a4-0000-7000-8000-0000000000e1",
        clubName: "Enyimba",
        from: "2026-11-20T09:00:00Z",
        to: null,
        by: null,
      },
    ],
    avatar: null,
    gender: null,
    dateOfBirth: null,
    activatedAt: "2026-11-20T09:00:00Z",
    erasedAt: null,
    suspendedUntil: null,
    isOperator: false,
    bank: {
      bankCode: "058",
      bankName: "Guaranty Trust Bank",
      accountName: "Ada Obi",
      accountNumber: "••••6789",
    },
    wallet: null,
    plan: { plan: null, endsAt: null, state: "none", renews: false, gift: false, nextAmount: null },
    periods: [],
    orders: null,
    fundings: null,
    refunds: null,
    ranking: {
      clubName: "Enyimba",
      emblem: "/e.svg",
      badge: "super-fan",
      points: 45,
      cnt: 9,
      clubRank: 3,
      clubMembers: 12,
      battlePoints: 30,
      nextRank: null,
      pointsToNext: null,
      season: "2026/27",
    },
    sessions: [],
    chat: { mute: null, ban: null, reported: [] },
    moments: { shown: 2, hidden: 1 },
    actions: [],
    ...facts,
  };
}

function open(member: object, rights: string[] = RIGHTS.owner) {
  serve("get", "/api/v1/admin/members/:id", () => envelope(200, member));
  return openOffice(`/members/${ADA}`, anOperator({ rights: rights as never }));
}

beforeEach(() => serve("get", "/api/v1/admin/members/:member/notes", () => page([])));

test("the list opens with the newest members, and a search needs three characters", async () => {
  const asked = serve("get", "/api/v1/admin/members", ({ url }) =>
    page([url.searchParams.has("q") ? aRow() : aRow({ firstName: "Newest" })]),
  );
  const { user } = openOffice("/members", anOperator({ rights: RIGHTS.moderator as never }));
  const search = await screen.findByRole("textbox", { name: "Name, email, phone or order" });
  expect(await screen.findByRole("link", { name: "Newest Obi" })).toBeVisible();

  await user.type(search, "ad{Enter}");
  expect(await screen.findByText(/^Type at least three characters/)).toBeVisible();
  expect(asked.every(({ url }) => !url.searchParams.has("q"))).toBe(true);
  await user.type(search, "a{Enter}");

  expect(await screen.findByRole("link", { name: "Ada Grace Obi" })).toHaveAttribute(
    "href",
    `/members/${ADA}`,
  );
  expect(asked.at(-1)?.url.searchParams.get("q")).toBe("ada");
});

test("who may not read money sees neither wallet nor orders, and no button of others", async () => {
  open(aMember(), RIGHTS.moderator);

  expect(await screen.findByRole("heading", { name: "Ada Grace Obi" })).toBeInTheDocument();
  expect(screen.getByRole("button", { name: "Suspend" })).toBeInTheDocument();
  for (const panel of ["Wallet", "Orders", "Fundings", "Refunds"]) {
    expect(screen.queryByRole("heading", { name: panel })).toBeNull();
  }
  for (const button of ["Sign out everywhere", "Change club", "Adjust wallet", "Gift a plan"]) {
    expect(screen.queryByRole("button", { name: button })).toBeNull();
  }
});

test("of the bank account only the last digits stand there", async () => {
  open(aMember());

  expect(await screen.findByText(/Guaranty Trust Bank ••••6789/)).toBeInTheDocument();
});

test("who is suspended can be restored, and not suspended again", async () => {
  open(aMember({ suspendedAt: "2026-11-23T09:00:00Z", suspendedUntil: null }));

  expect(await screen.findByRole("button", { name: "Restore" })).toBeInTheDocument();
  expect(screen.getByText("they are restored")).toBeInTheDocument();
  expect(screen.queryByRole("button", { name: "Suspend" })).toBeNull();
});

test("who works here is not offered to be suspended", async () => {
  open(aMember({ isOperator: true }));

  expect(await screen.findByText("Operator")).toBeInTheDocument();
  expect(screen.queryByRole("button", { name: "Suspend" })).toBeNull();
});

test("nothing more can be done to who has left", async () => {
  open(aMember({ erasedAt: "2026-11-23T09:00:00Z", wallet: { balance: 0, debt: 0, rows: [] } }));

  expect(await screen.findByRole("heading", { name: "Wallet" })).toBeInTheDocument();
  const content = screen.getByRole("main");
  expect(within(content).queryAllByRole("button")).toEqual([]);
});

test("a club is chosen among all that are shown, over pages, without the member's own", async () => {
  const club = (number: number, facts: object = {}) => ({
    id: `0199f2a4-0000-7000-8000-0000000000e${number}`,
    name: `Club ${number}`,
    hidden: false,
    ...facts,
  });
  serve("get", "/api/v1/admin/clubs", ({ url }) =>
    url.searchParams.get("before") === "more"
      ? page([club(3)])
      : page([club(1), club(2, { hidden: true })], "more"),
  );
  const moves = serve("post", "/api/v1/admin/members/:id/club", () =>
    envelope(200, { clubId: club(3).id, history: [] }),
  );
  const { user } = open(aMember());

  await user.click(await screen.findByRole("button", { name: "Change club" }));
  await screen.findByRole("option", { name: "Club 3" });
  expect(screen.getAllByRole("option").map(({ textContent }) => textContent)).toEqual([
    "Choose",
    "Club 3",
  ]);
  const dialog = screen.getByRole("dialog");
  await user.selectOptions(within(dialog).getByRole("combobox"), "Club 3");
  await user.type(within(dialog).getByLabelText(/Reason/), "They moved");
  await user.click(within(dialog).getByRole("button", { name: "Change club" }));

  await screen.findByRole("button", { name: "Change club" });
  expect(moves.at(-1)?.body).toEqual({ clubId: club(3).id, reason: "They moved" });
});

test("a ban is read with its end and its reason, and can be lifted", async () => {
  const lifted = serve("delete", "/api/v1/admin/chat/bans/:id", () =>
    envelope(200, null, "The ban has been lifted."),
  );
  const ban = { userId: ADA, until: null, reason: "Insults" };
  const { user } = open(aMember({ chat: { mute: null, ban, reported: [] } }));
  expect(await screen.findByText("Insults")).toBeInTheDocument();

  await user.click(screen.getByRole("button", { name: "Lift ban" }));

  expect(await screen.findByText("The ban has been lifted.")).toBeInTheDocument();
  expect(lifted).toHaveLength(1);
  expect(lifted[0]?.url.pathname).toContain(ADA);
});

test("a wallet is adjusted without typing a minus, and what will happen is said", async () => {
  const sent = serve("post", "/api/v1/admin/members/:id/adjustments", () =>
    envelope(201, { id: ADA, balance: 1500 }),
  );
  const { user } = open(aMember({ wallet: { balance: 2000, debt: 0, rows: [] } }));
  await user.click(await screen.findByRole("button", { name: "Adjust wallet" }));
  const dialog = within(screen.getByRole("dialog"));

  await user.type(dialog.getByLabelText(/Amount/), "500");
  expect(dialog.getByRole("status")).toHaveTextContent(
    "₦500.00 goes to the wallet of Ada Grace Obi, which then holds ₦2,500.00.",
  );
  await user.click(dialog.getByRole("radio", { name: "Deduct" }));
  expect(dialog.getByLabelText(/Amount/)).toHaveValue("500");
  expect(dialog.getByRole("status")).toHaveTextContent(
    "₦500.00 is taken from the wallet of Ada Grace Obi, which then holds ₦1,500.00.",
  );
  await user.type(dialog.getByLabelText(/Amount/), "0");
  expect(dialog.getByRole("status")).toHaveTextContent("₦5,000.00 cannot be taken away.");
  await user.type(dialog.getByLabelText(/Amount/), "{Backspace}");
  await user.selectOptions(dialog.getByRole("combobox"), "correction");
  await user.type(dialog.getByLabelText(/Reason/), "Paid twice");
  await user.click(dialog.getByRole("button", { name: "Adjust wallet" }));

  await waitFor(() =>
    expect(sent[0]?.body).toEqual({ amount: -500, category: "correction", reason: "Paid twice" }),
  );
});

async function openAdjustment(wallet: object) {
  const { user } = open(aMember({ wallet: { balance: 0, debt: 0, rows: [], ...wallet } }));
  await user.click(await screen.findByRole("button", { name: "Adjust wallet" }));
  return { user, dialog: within(screen.getByRole("dialog")) };
}

test("a typed minus is not swallowed while money is to be added", async () => {
  const sent = serve("post", "/api/v1/admin/members/:id/adjustments", () =>
    envelope(201, { id: ADA, balance: 1500 }),
  );
  const { user, dialog } = await openAdjustment({ balance: 2000 });
  const amount = dialog.getByLabelText(/Amount/);

  await user.type(amount, "-500");
  expect(amount).toHaveValue("-500");
  expect(amount).toHaveAccessibleDescription(/Choose Deduct for a negative amount\./);
  expect(dialog.getByRole("status")).toBeEmptyDOMElement();
  await user.selectOptions(dialog.getByRole("combobox"), "correction");
  await user.type(dialog.getByLabelText(/Reason/), "Paid twice");
  await user.click(dialog.getByRole("button", { name: "Adjust wallet" }));
  expect(amount).toHaveAccessibleDescription(/Choose Deduct for a negative amount\./);
  expect(sent).toHaveLength(0);
  await user.click(dialog.getByRole("radio", { name: "Deduct" }));
  expect(amount).toHaveValue("500");
  await user.click(dialog.getByRole("button", { name: "Adjust wallet" }));

  await waitFor(() =>
    expect(sent[0]?.body).toEqual({ amount: -500, category: "correction", reason: "Paid twice" }),
  );
});

test("what is added repays the debt first, and the rest is said to be held or owed", async () => {
  const { user, dialog } = await openAdjustment({ debt: 1500 });
  const amount = dialog.getByLabelText(/Amount/);

  await user.type(amount, "500");
  expect(dialog.getByRole("status")).toHaveTextContent(
    "₦500.00 goes to the wallet of Ada Grace Obi and repays the debt, so the wallet then holds ₦0.00 and ₦1,000.00 is still owed.",
  );
  await user.clear(amount);
  await user.type(amount, "2000");
  expect(dialog.getByRole("status")).toHaveTextContent(
    "₦2,000.00 goes to the wallet of Ada Grace Obi. It repays the debt of ₦1,500.00 first, so the wallet then holds ₦500.00 and nothing is owed.",
  );
});

test("what a member owes stands at their wallet, and leads to the debts", async () => {
  open(aMember({ wallet: { balance: 0, debt: 1500, rows: [] } }));

  expect(await screen.findByRole("link", { name: "Owes ₦1,500.00" })).toHaveAttribute(
    "href",
    "/money/debts?state=open",
  );
});

test("who owes nothing is not said to owe", async () => {
  open(aMember({ wallet: { balance: 2000, debt: 0, rows: [] } }));

  expect(await screen.findByRole("heading", { name: "Wallet" })).toBeInTheDocument();
  expect(screen.queryByText(/^Owes/)).toBeNull();
});
