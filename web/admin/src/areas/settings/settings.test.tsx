import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import { expect, test } from "vitest";
import { envelope, serve } from "@/test/server";
import { anOperator, openOffice, page } from "~/test/render";

const OWNER = anOperator({ rights: ["settings:write"] });
const ACCOUNT = { accountName: "King of Fans", accountNumber: "0123456789", bank: "Eko Bank" };

const settingsOf = (facts: object = {}) => ({
  version: 3,
  transferAccount: ACCOUNT,
  stateRequired: false,
  quietFrom: "22:00",
  quietTo: "07:00",
  adjustmentLimit: 10_000,
  adjustmentDayLimit: 50_000,
  refundLimit: 100_000,
  refundDayLimit: 500_000,
  confirmDayLimit: 1_000_000,
  giftLimit: 20,
  transferUnitsLimit: 20,
  transferValueLimit: 500_000,
  legal: null,
  newTerms: "ask",
  ...facts,
});

const aProposal = (facts: object) => ({
  id: "0199f2a4-0000-7000-8000-0000000000a1",
  kind: "raise-limits",
  content: { adjustmentLimit: 300_000, giftLimit: null },
  state: "open",
  ...facts,
});

const section = (name: string) => within(screen.getByRole("region", { name }));

const limitField = () => screen.findByLabelText(/^Max credit per operator/);

function openSettings(...proposals: object[]) {
  serve("get", "/api/v1/admin/settings", () => envelope(200, settingsOf()));
  const asked = serve("get", "/api/v1/admin/approvals", () => page(proposals));
  return { asked, ...openOffice("/settings", OWNER) };
}

test("a limit that is proposed to be raised shows what is in force, and what waits", async () => {
  const { asked } = openSettings(aProposal({}));

  expect(await limitField()).toHaveValue("10000");
  const link = await screen.findByRole("link", { name: "Waiting for approval: ₦300,000.00" });
  expect(link).toHaveAttribute(
    "href",
    "/approvals?state=open#0199f2a4-0000-7000-8000-0000000000a1",
  );
  expect(screen.getAllByRole("link", { name: /^Waiting for approval/ })).toHaveLength(1);
  expect(asked[0]?.url.searchParams.get("state")).toBe("open");
});

test("another account that is proposed stands at the account", async () => {
  openSettings(
    aProposal({
      kind: "transfer-account",
      content: { transferAccount: { ...ACCOUNT, accountNumber: "9876543210" } },
    }),
  );

  expect(
    await screen.findByRole("link", {
      name: "Waiting for approval: King of Fans, 9876543210, Eko Bank",
    }),
  ).toBeVisible();
});

test("after a proposal the form shows what is in force, and can be saved again", async () => {
  const sent = serve("put", "/api/v1/admin/settings", () =>
    envelope(202, { code: "waits_for_second", approval: aProposal({}) }, "This waits."),
  );
  const { user } = openSettings();
  const field = await limitField();

  await user.clear(field);
  await user.type(field, "300000");
  const limits = section("Limits without a second operator");
  await user.click(limits.getByRole("button", { name: "Save" }));
  await waitFor(async () => expect(await limitField()).toHaveValue("10000"));
  const save = () => limits.getByRole("button", { name: "Save" });
  await waitFor(() => expect(save()).not.toHaveAttribute("aria-busy"));
  await user.click(save());

  await waitFor(() => expect(sent).toHaveLength(2));
  expect(sent.map(({ body }) => (body as { version: number }).version)).toEqual([3, 3]);
  expect(sent[0]?.body).not.toHaveProperty("legal");
});

test("who runs the app is named, and members are informed of new terms", async () => {
  const saved = settingsOf({ legal: null, newTerms: "inform" });
  const sent = serve("put", "/api/v1/admin/settings", () => envelope(200, saved, "Saved."));
  const { user } = openSettings();
  const group = within(await screen.findByRole("group", { name: /^Publisher named/ }));

  await user.type(group.getByLabelText(/^Name/), "Harbour Rovers FC Ltd");
  await user.type(group.getByLabelText(/^Address/), "1 Stadium Road, Lagos");
  await user.type(group.getByLabelText(/^Email/), "data@rovers.example");
  await user.type(group.getByLabelText(/^Phone/), "+234 800 000 0000");
  fireEvent.change(group.getByLabelText(/^In effect since/), { target: { value: "2026-12-01" } });
  await user.selectOptions(screen.getByLabelText("New terms"), "Inform");
  await user.click(section("Legal pages").getByRole("button", { name: "Save" }));

  await waitFor(() => expect(sent).toHaveLength(1));
  expect(Object.keys(sent[0]?.body as object).sort()).toEqual(["legal", "newTerms", "version"]);
  expect(sent[0]?.body).toMatchObject({
    version: 3,
    legal: {
      name: "Harbour Rovers FC Ltd",
      address: "1 Stadium Road, Lagos",
      email: "data@rovers.example",
      phone: "+234 800 000 0000",
      effective: "2026-12-01",
    },
    newTerms: "inform",
  });
});
