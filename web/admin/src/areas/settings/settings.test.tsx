import { screen, waitFor } from "@testing-library/react";
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
  ...facts,
});

const aProposal = (facts: object) => ({
  id: "0199f2a4-0000-7000-8000-0000000000a1",
  kind: "raise-limits",
  content: { adjustmentLimit: 300_000, giftLimit: null },
  state: "open",
  ...facts,
});

const limitField = () => screen.findByLabelText(/^Largest credit by one person/);

function openSettings(...proposals: object[]) {
  serve("get", "/api/v1/admin/settings", () => envelope(200, settingsOf()));
  const asked = serve("get", "/api/v1/admin/approvals", () => page(proposals));
  return { asked, ...openOffice("/settings", OWNER) };
}

test("a limit that is proposed to be raised shows what is in force, and what waits", async () => {
  const { asked } = openSettings(aProposal({}));

  expect(await limitField()).toHaveValue("10000");
  const link = await screen.findByRole("link", { name: "Waits for a second person: ₦300,000.00" });
  expect(link).toHaveAttribute(
    "href",
    "/approvals?state=open#0199f2a4-0000-7000-8000-0000000000a1",
  );
  expect(screen.getAllByRole("link", { name: /^Waits for a second person/ })).toHaveLength(1);
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
      name: "Waits for a second person: King of Fans, 9876543210, Eko Bank",
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
  await user.click(screen.getByRole("button", { name: "Save" }));
  await waitFor(async () => expect(await limitField()).toHaveValue("10000"));
  const save = () => screen.getByRole("button", { name: "Save" });
  await waitFor(() => expect(save()).not.toHaveAttribute("aria-busy"));
  await user.click(save());

  await waitFor(() => expect(sent).toHaveLength(2));
  expect(sent.map(({ body }) => (body as { version: number }).version)).toEqual([3, 3]);
});
