import { screen, waitFor, within } from "@testing-library/react";
import { expect, test } from "vitest";
import { envelope, refusal, serve } from "@/test/server";
import { byZone, ZONES } from "~/areas/delivery-fees/zones";
import { anOperator, openOffice } from "~/test/render";

const PATH = "/api/v1/admin/delivery-fees";
const shopkeeper = anOperator({ rights: ["shop:write"] });

function fees(lagos: number, version = 1) {
  return {
    version,
    fees: [
      { state: "Kano", fee: 3000 },
      { state: "Lagos", fee: lagos },
    ],
  };
}

test("the fees that changed are saved at once, as numbers", async () => {
  serve("get", PATH, () => envelope(200, fees(1500)));
  const sent = serve("put", PATH, () => envelope(200, fees(1750.5, 2), "Saved."));
  const { user } = openOffice("/delivery-fees", shopkeeper);

  await user.clear(await screen.findByLabelText(/Lagos/));
  await user.type(screen.getByLabelText(/Lagos/), "1,750.50{Enter}");

  expect(await screen.findByText("Saved.")).toBeInTheDocument();
  expect(sent[0]?.body).toEqual({ fees: [{ state: "Lagos", fee: 1750.5 }], version: 1 });
});

test("states are grouped by zone, and a fee of 0 is called free", async () => {
  serve("get", PATH, () => envelope(200, fees(0)));
  openOffice("/delivery-fees", shopkeeper);

  const west = within(await screen.findByRole("group", { name: "South West" }));
  expect(west.getByLabelText("Lagos")).toHaveAccessibleDescription("Free");
  const north = within(screen.getByRole("group", { name: "North West" }));
  expect(north.getByLabelText("Kano")).not.toHaveAccessibleDescription();
});

test("one fee is filled in for a zone or for all states, and stored by Save", async () => {
  serve("get", PATH, () => envelope(200, fees(1500)));
  const sent = serve("put", PATH, () => envelope(200, fees(900, 2), "Saved."));
  const { user } = openOffice("/delivery-fees", shopkeeper);

  await user.type(await screen.findByLabelText("Same fee"), "700{Enter}");
  expect(screen.getByLabelText("Kano")).toHaveValue("700");
  await user.selectOptions(screen.getByLabelText("States"), "South West");
  await user.clear(screen.getByLabelText("Same fee"));
  await user.type(screen.getByLabelText("Same fee"), "900");
  await user.click(screen.getByRole("button", { name: "Fill in" }));
  expect(screen.getByLabelText("Lagos")).toHaveValue("900");
  expect(sent).toHaveLength(0);
  await user.click(screen.getByRole("button", { name: "Save" }));

  await waitFor(() => expect(sent).toHaveLength(1));
  expect(sent[0]?.body).toEqual({
    version: 1,
    fees: [
      { state: "Kano", fee: 700 },
      { state: "Lagos", fee: 900 },
    ],
  });
});

test("every state belongs to one zone", () => {
  const states = ZONES.flatMap((one) => one.states);
  expect(new Set(states).size).toBe(37);
  expect(byZone(["Kano", "Atlantis"], (state) => state)).toEqual([
    { zone: "North West", items: ["Kano"] },
    { zone: "Other states", items: ["Atlantis"] },
  ]);
});

test("a fee that is no number is marked and not sent", async () => {
  serve("get", PATH, () => envelope(200, fees(1500)));
  const sent = serve("put", PATH, () => envelope(200, fees(1500, 2)));
  const { user } = openOffice("/delivery-fees", shopkeeper);

  await user.type(await screen.findByLabelText(/Lagos/), "x{Enter}");

  expect(screen.getByLabelText(/Lagos/)).toHaveAccessibleDescription("Enter a number");
  expect(screen.getByLabelText(/Kano/)).not.toHaveAttribute("aria-invalid");
  expect(sent).toHaveLength(0);
});

test("a conflict shows the states that differ, and mine can be kept", async () => {
  let stored = fees(1500);
  serve("get", PATH, () => envelope(200, stored));
  const sent = serve("put", PATH, ({ body }) =>
    (body as { version: number }).version === 1
      ? refusal(409, "stale", "It was changed meanwhile.")
      : envelope(200, fees(2000, 3), "Saved."),
  );
  const { user } = openOffice("/delivery-fees", shopkeeper);
  await user.clear(await screen.findByLabelText(/Lagos/));
  stored = fees(1800, 2);
  await user.type(screen.getByLabelText(/Lagos/), "2000{Enter}");

  const row = await screen.findByRole("row", { name: /Fee per state/ });
  expect(
    within(row)
      .getAllByRole("cell")
      .map(({ textContent }) => textContent),
  ).toEqual(["Lagos: 1800", "Lagos: 2000"]);
  await user.click(screen.getByRole("button", { name: "Keep mine" }));
  await user.click(screen.getByRole("button", { name: "Save" }));

  expect(await screen.findByText("Saved.")).toBeInTheDocument();
  expect(sent.at(-1)?.body).toMatchObject({ version: 2 });
});

test("who signs out with fees that were not saved is asked first", async () => {
  serve("get", PATH, () => envelope(200, fees(1500)));
  const ended = serve("post", "/api/v1/admin/sign-out", () => envelope(200, null));
  const { user } = openOffice("/delivery-fees", shopkeeper);
  await user.type(await screen.findByLabelText(/Lagos/), "0");

  await user.click(screen.getByRole("button", { name: "Sign out" }));
  const question = await screen.findByRole("dialog", { name: "Discard your changes?" });
  await user.click(within(question).getByRole("button", { name: "Close" }));
  expect(screen.getByLabelText(/Lagos/)).toHaveValue("15000");
  expect(ended).toHaveLength(0);

  await user.click(screen.getByRole("button", { name: "Sign out" }));
  await user.click(await screen.findByRole("button", { name: "Discard" }));

  expect(await screen.findByLabelText("Code")).toBeInTheDocument();
  await waitFor(() => expect(ended).toHaveLength(1));
});
