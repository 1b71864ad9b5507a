import { screen, within } from "@testing-library/react";
import { beforeEach, expect, test } from "vitest";
import { aClub } from "@/test/factories";
import { openApp } from "@/test/render";
import { envelope, serve } from "@/test/server";

beforeEach(() => {
  serve("get", "/api/v1/clubs", () =>
    envelope(200, [
      aClub("Street Ballers", null),
      aClub("Kano Pillars", "NPFL"),
      aClub("Enyimbá", "NPFL"),
      aClub("Arsenal", "Premier League"),
    ]),
  );
});

async function openPicker() {
  const { user, unmount } = openApp("/signup");
  const picker = await screen.findByRole("radiogroup", { name: "Club" });
  await within(picker).findByRole("radio", { name: "Arsenal" });
  return { user, unmount, picker: within(picker) };
}

test("sign-up begins with the crests, under the names of their groups, Others last", async () => {
  const { picker } = await openPicker();

  expect(picker.getAllByRole("heading").map(({ textContent }) => textContent)).toEqual([
    "NPFL",
    "Premier League",
    "Others",
  ]);
  expect(picker.getAllByRole("radio").map((radio) => radio.parentElement?.textContent)).toEqual([
    "Enyimbá",
    "Kano Pillars",
    "Arsenal",
    "Street Ballers",
  ]);
});

test("the chosen club's colours are the page's at once, and no longer on other screens", async () => {
  const { user, picker, unmount } = await openPicker();
  const colour = () => document.documentElement.style.getPropertyValue("--club-a");
  expect(colour()).toBe("");

  await user.click(picker.getByRole("radio", { name: "Kano Pillars" }));

  expect(colour()).toMatch(/^#/);
  unmount();
  expect(colour()).toBe("");
});

test.each([
  ["enyimba", ["Enyimbá"]],
  ["npfl", ["Enyimbá", "Kano Pillars"]],
  ["  ball ", ["Street Ballers"]],
])("typing %s leaves %j", async (typed, names) => {
  const { user, picker } = await openPicker();

  await user.type(screen.getByLabelText("Search by name"), typed);

  expect(picker.getAllByRole("radio").map((radio) => radio.parentElement?.textContent)).toEqual(
    names,
  );
});

test("Enter takes the first club that is found, and sends nothing", async () => {
  const { user, picker } = await openPicker();

  await user.type(screen.getByLabelText("Search by name"), "kan{Enter}");

  expect(picker.getByRole("radio", { name: "Kano Pillars" })).toBeChecked();
  expect(screen.queryByText("First name is required")).toBeNull();
});

test("a name that no club has is said, and takes nothing away", async () => {
  const { user, picker } = await openPicker();
  await user.click(picker.getByRole("radio", { name: "Arsenal" }));

  await user.type(screen.getByLabelText("Search by name"), "zzz{Enter}");

  expect(picker.getByText("No club has this name.")).toBeInTheDocument();
  expect(screen.getByText("0 clubs found")).toHaveRole("status");
  await user.clear(screen.getByLabelText("Search by name"));
  expect(picker.getByRole("radio", { name: "Arsenal" })).toBeChecked();
});
