import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import { beforeEach, expect, test } from "vitest";
import { envelope, serve } from "@/test/server";
import { anOperator, openOffice, page } from "~/test/render";

const OWNER = anOperator({ rights: ["clubs:write"] });

const aClub = (facts: object = {}) => ({
  id: "0199f2a4-0000-7000-8000-0000000000e1",
  name: "Enyimba",
  ccName: "NPFL",
  colours: ["#0B4EA2", "#FFFFFF"],
  hidden: false,
  emblem: "/media/crests/1.svg",
  hasPicture: false,
  version: 4,
  ...facts,
});

beforeEach(() => {
  serve("get", "/api/v1/admin/clubs", () => page([aClub()]));
});

test("a new club has two colours from the start", async () => {
  const made = serve("post", "/api/v1/admin/clubs", () => envelope(201, aClub()));
  const { user } = openOffice("/clubs", OWNER);

  await user.click(await screen.findByRole("button", { name: "New club" }));
  const dialog = within(await screen.findByRole("dialog", { name: "New club" }));
  await user.type(dialog.getByLabelText(/Name/), "Kano Pillars");
  fireEvent.change(dialog.getByLabelText("Second colour"), { target: { value: "#ffd166" } });
  await user.click(dialog.getByRole("button", { name: "Save" }));

  await waitFor(() => expect(made).toHaveLength(1));
  expect(made[0]?.body).toEqual({
    name: "Kano Pillars",
    colours: ["#0B4EA2", "#FFD166"],
    hidden: false,
  });
});

test("a change sends what changed under the version that was read", async () => {
  const changed = serve("patch", "/api/v1/admin/clubs/:id", () => envelope(200, aClub()));
  const { user } = openOffice("/clubs", OWNER);

  await user.click(await screen.findByRole("button", { name: "Change" }));
  const dialog = within(await screen.findByRole("dialog", { name: "Change Enyimba" }));
  await user.click(dialog.getByLabelText("Hidden"));
  await user.click(dialog.getByRole("button", { name: "Save" }));

  await waitFor(() => expect(changed).toHaveLength(1));
  expect(changed[0]?.body).toEqual({ hidden: true, version: 4 });
});

test("a crest goes out as a file, and its address changes with the club's version", async () => {
  const put = serve("put", "/api/v1/admin/clubs/:id/crest", () =>
    envelope(200, aClub({ hasPicture: true, version: 5 })),
  );
  const { user } = openOffice("/clubs", OWNER);
  const row = (await screen.findByText("Enyimba")).closest("tr") as HTMLElement;
  expect(row.querySelector("img")).toHaveAttribute("src", "/media/crests/1.svg?version=4");

  await user.click(screen.getByRole("button", { name: "Crest" }));
  const dialog = within(await screen.findByRole("dialog"));
  const file = new File(["picture"], "crest.png", { type: "image/png" });
  await user.upload(dialog.getByLabelText(/Picture/), file);
  await user.click(dialog.getByRole("button", { name: "Save" }));

  await waitFor(() => expect(put).toHaveLength(1));
  expect(put[0]?.headers.get("Content-Type")).toContain("multipart/form-data");
});
