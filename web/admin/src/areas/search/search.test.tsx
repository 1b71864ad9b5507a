import { screen, waitFor, within } from "@testing-library/react";
import { expect, test } from "vitest";
import { serve } from "@/test/server";
import { anOperator, openOffice, page } from "~/test/render";

const ADA = { id: "m-1", firstName: "Ada", lastName: "Obi" };
const READER = anOperator({ rights: ["members:read", "shop:read", "money:read"] });

test("the slash key searches members, orders and payments from any screen", async () => {
  const member = { ...ADA, email: "ada@example.com", phone: null, clubName: "Enyimba" };
  const members = serve("get", "/api/v1/admin/members", () => page([member]));
  serve("get", "/api/v1/admin/orders", () => page([]));
  const funding = { reference: "KF-ADA-1", gateway: "paystack", member: ADA, amount: 1500 };
  serve("get", "/api/v1/admin/fundings", () =>
    page([{ ...funding, createdAt: "2026-11-21T08:00:00Z", state: "success", reviewReason: null }]),
  );
  const { user } = openOffice("/", READER);
  await screen.findByText("All clear.");

  await user.keyboard("/");
  const field = screen.getByRole("textbox", { name: "Search members, orders and payments" });
  expect(field).toHaveFocus();
  await user.keyboard("ada{Enter}");

  const found = within(await screen.findByRole("region", { name: "Members" }));
  expect(await found.findByRole("link", { name: "Ada Obi" })).toHaveAttribute(
    "href",
    "/members/m-1",
  );
  expect(members[0]?.url.searchParams.get("q")).toBe("ada");
  const orders = within(screen.getByRole("region", { name: "Orders" }));
  expect(await orders.findByText("No matches.")).toBeVisible();
  const payments = within(screen.getByRole("region", { name: "Payments" }));
  expect(await payments.findByRole("link", { name: "KF-ADA-1" })).toHaveAttribute(
    "href",
    "/money?q=KF-ADA-1",
  );
});

test("the field repeats what was searched for, but not the filter of a list", async () => {
  serve("get", "/api/v1/admin/members", () => page([]));
  serve("get", "/api/v1/admin/orders", () => page([]));
  const readers = anOperator({ rights: ["members:read", "shop:read"] });
  const searched = openOffice("/search?q=ada", readers);
  const name = "Search members, orders and payments";
  const [field] = await screen.findAllByRole("textbox", { name });
  expect(field).toHaveAttribute("placeholder", "ada");
  searched.unmount();

  openOffice("/orders?q=FC-7K", readers);

  const other = await screen.findByRole("textbox", { name });
  expect(other).toHaveAttribute("placeholder", "Search ( / )");
});

test("more matches than are shown lead to the list", async () => {
  const rows = [1, 2, 3, 4, 5, 6].map((id) => ({ ...ADA, id: `m-${id}`, email: "", phone: null }));
  serve("get", "/api/v1/admin/members", () => page(rows));
  openOffice("/search?q=ada", anOperator({ rights: ["members:read"] }));

  const found = within(await screen.findByRole("region", { name: "Members" }));
  expect(await found.findByRole("link", { name: "Show all matching members" })).toHaveAttribute(
    "href",
    "/members?q=ada",
  );
  expect(found.getAllByRole("link", { name: "Ada Obi" })).toHaveLength(5);
});

test("two characters are not searched, and what a role may not read is not offered", async () => {
  const asked = serve("get", "/api/v1/admin/orders", () => page([]));
  const { user } = openOffice("/search?q=ad", anOperator({ rights: ["shop:read"] }));
  expect(await screen.findByText(/three characters or more/)).toBeVisible();
  expect(asked).toHaveLength(0);

  const [field] = screen.getAllByRole("textbox");
  await user.type(field as HTMLElement, "FC-7K{Enter}");

  await waitFor(() => expect(asked[0]?.url.searchParams.get("q")).toBe("FC-7K"));
  expect(screen.queryByRole("region", { name: "Members" })).toBeNull();
});
